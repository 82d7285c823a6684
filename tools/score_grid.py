"""Official MEDDOCAN scores of what tools/train_grid.py found.

    .venv/bin/python tools/score_grid.py DEV.jsonl OUT/NAME.spans.json ...

One line for each result, NER and span strict F1, and with two or more also one for the majority of them: a span that more than
half have found; of two that overlap the one with more votes, then the first.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from innominate.core import Document, Span
from innominate.evaluate.meddocan import score
from innominate.formats import read_documents

Found = dict[str, set[tuple[int, int, str]]]


def read(path: Path) -> Found:
    rows = json.loads(path.read_text(encoding="utf-8"))
    return {note: {(start, end, label) for start, end, label in spans} for note, spans in rows.items()}


def majority(results: Sequence[Found]) -> Found:
    """What more than half of the results have."""
    found: Found = {}
    for note in results[0]:
        votes = Counter(span for result in results for span in result[note])
        kept: list[tuple[int, int, str]] = []
        for span, count in sorted(votes.items(), key=lambda item: (-item[1], item[0])):
            if 2 * count > len(results) and all(span[1] <= other[0] or other[1] <= span[0] for other in kept):
                kept.append(span)
        found[note] = set(kept)
    return found


def line(name: str, gold: Sequence[Document], found: Found) -> str:
    pairs = [(note, note.with_spans(tuple(Span(*span) for span in sorted(found[note.id])))) for note in gold]
    scores = score(pairs)
    return f"{scores['ner']['micro']['f1']:.4f} / {scores['span_strict']['micro']['f1']:.4f}  {name}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dev")
    parser.add_argument("results", type=Path, nargs="+")
    given = parser.parse_args()
    gold = list(read_documents(given.dev))
    results = [read(path) for path in given.results]
    for path, found in zip(given.results, results, strict=True):
        print(line(path.name, gold, found))
    if len(results) > 1:
        print(line("majority of all", gold, majority(results)))


if __name__ == "__main__":
    main()
