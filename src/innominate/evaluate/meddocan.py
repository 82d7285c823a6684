"""The MEDDOCAN 2019 scorer: entities, spans, merged spans and leak.

Rule: `PlanTL-GOB-ES/MEDDOCAN-Evaluation-Script`, revision 843152c (Marimon et al. 2019). Merged is inflated by construction: a
correct pair of neighbours counts as two single hits and one merged hit, so compare merged with merged only.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from innominate.core import Document, Score
from innominate.evaluate.counts import Pair, compared, rates, total

Place = tuple[int, int]  # half-open
NOT_AVAILABLE = "NA"  # the leak of documents whose number of sentences is not known


def score(pairs: Iterable[Pair], sentences: Mapping[str, int] | None = None) -> dict[str, Any]:
    """NER (label and position), spans, and merged spans; the leak needs the number of sentences of each document.

    >>> from innominate.core import annotated
    >>> gold = annotated("[Ana](NOMBRE_SUJETO_ASISTENCIA) [Gil](NOMBRE_SUJETO_ASISTENCIA)", "n1")
    >>> score([(gold, gold)])["span_merged"]["micro"]["tp"]  # two names and the two names as one
    3
    """
    pairs = list(pairs)
    return {
        "ner": _with_leak(_level(pairs, ner), sentences or {}),
        "span_strict": _level(pairs, span_strict),
        "span_merged": _level(pairs, span_merged),
    }


def ner(gold: Document, system: Document) -> Score:
    """Sub-track 1: label, start and end."""
    return compared(set(gold.spans), set(system.spans))


def span_strict(gold: Document, system: Document) -> Score:
    """Sub-track 2, strict: start and end."""
    return compared(places(gold), places(system))


def span_merged(gold: Document, system: Document) -> Score:
    """Sub-track 2, merged: spans with nothing alphanumeric between them are one, and an error inside a hit is none."""
    golds, systems = places(gold), places(system)
    hits = (golds & systems) | (merged(golds, gold.text) & merged(systems, gold.text))
    inside = _inside(hits)
    return Score(
        len(hits), sum(not inside(place) for place in systems - golds), sum(not inside(place) for place in golds - systems)
    )


def places(document: Document) -> set[Place]:
    """Where the spans of a document are, each place once."""
    return {(span.start, span.end) for span in document.spans}


def merged(spans: Iterable[Place], text: str) -> set[Place]:
    """Join each span to the one before it if no letter or digit lies between; "º" and "ª" are alphanumeric.

    The end is that of the later span even where it lies inside the earlier one, so that nesting can shrink a span.
    """
    joined: list[Place] = []
    for start, end in sorted(spans):
        if joined and not any(map(str.isalnum, text[joined[-1][1] : start])):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return set(joined)


def _inside(hits: Iterable[Place]) -> Callable[[Place], bool]:
    """Make a test whether a place lies within one of the hits: of those that start no later, one ends no earlier."""
    ordered = sorted(hits)
    starts = [start for start, _ in ordered]
    furthest = list(accumulate((end for _, end in ordered), max))

    def inside(place: Place) -> bool:
        index = bisect_right(starts, place[0])
        return index > 0 and furthest[index - 1] >= place[1]

    return inside


def _level(pairs: Sequence[Pair], count: Callable[[Document, Document], Score]) -> dict[str, Any]:
    scores = {gold.id: count(gold, system) for gold, system in pairs}
    return {
        "micro": rates(total(scores.values())),
        "per_document": {id: rates(found) for id, found in scores.items()},
    }


def _with_leak(level: dict[str, Any], sentences: Mapping[str, int]) -> dict[str, Any]:
    """Add the leak, the misses per sentence; one unknown number of sentences makes the whole unknown."""
    for id, row in level["per_document"].items():
        row["sentences"] = sentences.get(id)
        row["leak"] = _leak(row["fn"], row["sentences"])
    counts = [row["sentences"] for row in level["per_document"].values()]
    pooled = None if None in counts else sum(count or 0 for count in counts)
    return {**level, "leak": _leak(level["micro"]["fn"], pooled)}


def _leak(misses: int, sentences: int | None) -> float | str:
    return misses / sentences if sentences else NOT_AVAILABLE
