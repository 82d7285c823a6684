"""What each pattern of a pack costs: .venv/bin/python tools/profile_rules.py en [--top 15]

Hits of the native scanner, matches that the exact engine confirms, and the time of each, per note; and how long the part
that is scanned for takes to compile. A pattern with many hits and few matches wants something rarer, near its beginning.
"""

import argparse
import time

from rich.console import Console
from rich.table import Table

from bench_rules import notes
from innominate.detect.rules.characters import seen
from innominate.detect.rules.pack import load_pack
from innominate.detect.rules.scanner import Scanner

COLUMNS = ("scan us", "confirm us", "hits", "matches", "compile s", "tries")


def cost(name: str, expression: str, sample: str, texts: list[str]) -> dict[str, float]:
    """Measure one pattern alone."""
    clock = time.process_time
    started = clock()
    scanner = Scanner({name: expression}, sample=sample)
    compiled = clock() - started
    started = clock()
    hits = sum(map(len, scanner.windows([seen(text) for text in texts])))
    scanned = clock() - started
    started = clock()
    matches = sum(1 for text in texts for _ in scanner.matches(text))
    both = clock() - started
    n = len(texts)
    tries = max(part.farthest - part.nearest for part in scanner.parts)
    figures = (scanned / n * 1e6, max(0.0, both - scanned) / n * 1e6, hits / n, matches / n, compiled, tries)
    return dict(zip(COLUMNS, figures, strict=True))


def main() -> None:
    """Measure all patterns and print the dearest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lang")
    parser.add_argument("--top", type=int, default=15)
    options = parser.parse_args()
    texts = [note.text for note in notes(options.lang, 40)]
    pack = load_pack(options.lang)
    costs = {name: cost(name, expression, pack.examples, texts) for name, expression in pack.expressions.items()}
    table = Table("pattern", *COLUMNS, box=None)
    for name in sorted(costs, key=lambda n: -costs[n]["scan us"] - costs[n]["confirm us"])[: options.top]:
        table.add_row(name, *(f"{costs[name][column]:.2f}" for column in COLUMNS))
    table.add_row("all", *(f"{sum(c[column] for c in costs.values()):.1f}" for column in COLUMNS))
    Console().print(table)


if __name__ == "__main__":
    main()
