"""What each pattern of a pack costs: .venv/bin/python tools/profile_rules.py en [--top 15]

How often the automaton stops for it, how often the exact expression agrees, and the time of both, per note. A pattern with a
long scan begins at many characters: let it look at what stands before it, `(?<=[a-z]) (?P<span>...)`, instead of reading it.
"""

import argparse
import re
import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from bench_rules import notes
from innominate.detect.rules.expressions.automaton import automaton
from innominate.detect.rules.expressions.parsed import bytes_to_scan
from innominate.detect.rules.pack import load_pack

COLUMNS = ("scan us", "confirm us", "hits", "matches", "states")


def cost(expression: str, texts: list[str]) -> dict[str, float]:
    """Measure one pattern alone."""
    alone, exact = automaton({0: expression}), re.compile(expression)
    n = len(texts)
    if alone is None:
        raise SystemExit("the native part of the rules is not built: see innominate doctor")
    read = [bytes_to_scan(text) for text in texts]
    places = [(text, start) for text, data in zip(texts, read, strict=True) for start, _ in alone.starts(data)]
    scanned = timed(lambda: [alone.starts(data) for data in read])
    confirmed = timed(lambda: [exact.match(text, start) for text, start in places])
    matches = sum(exact.match(text, start) is not None for text, start in places)
    times = (seconds / n * 1e6 for seconds in (scanned, confirmed))
    return dict(zip(COLUMNS, (*times, len(places) / n, matches / n, alone.states()), strict=True))


def timed(work: Callable[[], object]) -> float:
    """The shortest of three rounds, in seconds."""
    seconds = []
    for _ in range(3):
        started = time.process_time()
        work()
        seconds.append(time.process_time() - started)
    return min(seconds)


def main() -> None:
    """Measure all patterns and print the dearest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lang")
    parser.add_argument("--top", type=int, default=15)
    options = parser.parse_args()
    texts = [note.text for note in notes(options.lang, 40)]
    costs = {name: cost(expression, texts) for name, expression in load_pack(options.lang).expressions.items()}
    table = Table("pattern", *COLUMNS, box=None)
    for name in sorted(costs, key=lambda n: -costs[n]["scan us"] - costs[n]["confirm us"])[: options.top]:
        table.add_row(name, *(f"{costs[name][column]:.2f}" for column in COLUMNS))
    table.add_row("all", *(f"{sum(c[column] for c in costs.values()):.1f}" for column in COLUMNS))
    Console().print(table)


if __name__ == "__main__":
    main()
