"""What each pattern of a pack costs: .venv/bin/python tools/profile_rules.py en [--top 15]

Hits of the native gate, regions that the exact engine has to look at, matches it confirms, and the time of each, per note; and
how long the gate takes to compile. A pattern with many hits and few matches wants a more specific beginning or end.
"""

import argparse
import re
import time
from collections import Counter

import hyperscan
from rich.console import Console
from rich.table import Table

from bench_rules import notes
from innominate.detect.rules.gate import gate_expression, gate_width, latin1
from innominate.detect.rules.pack import load_pack
from innominate.detect.rules.scanner import LOOK, _fitting, _merged


def cost(name: str, expression: str, texts: list[str]) -> dict[str, float]:
    """Measure one pattern alone."""
    started = time.process_time()
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    database.compile(
        expressions=[_fitting(hyperscan, gate_expression(expression), expression)], ids=[0], flags=[hyperscan.HS_FLAG_DOTALL]
    )
    compiled = time.process_time() - started
    exact, width, counts = re.compile(expression), gate_width(expression), Counter()
    scan = confirm = 0.0
    for text in texts:
        ends: list[int] = []
        started = time.process_time()
        database.scan(latin1(text), match_event_handler=lambda _i, _s, end, _f, _c, ends=ends: ends.append(end))
        scan += time.process_time() - started
        started = time.process_time()
        regions = _merged(sorted(ends), width)
        for start, end in regions:
            found = exact.search(text, start, end + LOOK)
            while found and found.start() < end:
                counts["matches"] += 1
                found = exact.search(text, found.end(), end + LOOK) if found.end() < end else None
        confirm += time.process_time() - started
        counts["hits"] += len(ends)
        counts["regions"] += len(regions)
    n = len(texts)
    per_note = {"scan us": scan / n * 1e6, "confirm us": confirm / n * 1e6}
    return {
        **per_note,
        **{key: counts[key] / n for key in ("hits", "regions", "matches")},
        "compile s": compiled,
        "width": width,
    }


def main() -> None:
    """Measure all patterns and print the dearest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lang")
    parser.add_argument("--top", type=int, default=15)
    options = parser.parse_args()
    texts = [note.text for note in notes(options.lang, 40)]
    costs = {name: cost(name, expression, texts) for name, expression in load_pack(options.lang).expressions.items()}
    columns = ("scan us", "confirm us", "hits", "regions", "matches", "compile s", "width")
    table = Table("pattern", *columns, box=None)
    for name in sorted(costs, key=lambda n: -costs[n]["scan us"] - costs[n]["confirm us"])[: options.top]:
        table.add_row(name, *(f"{costs[name][column]:.2f}" for column in columns))
    table.add_row("all", *(f"{sum(c[column] for c in costs.values()):.1f}" for column in columns))
    Console().print(table)


if __name__ == "__main__":
    main()
