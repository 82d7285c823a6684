"""Counts as the official scorers write them: six numbers, under the names that all of them use."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from collections.abc import Set as AbstractSet
from typing import Any

from innominate.core import Document, Score

Pair = tuple[Document, Document]  # gold, system: the same note, two opinions


def rates(score: Score) -> dict[str, Any]:
    """Counts and rates under the official names.

    >>> rates(Score(3, 1, 0))["precision"]
    0.75
    """
    return {
        "tp": score.tp,
        "fp": score.fp,
        "fn": score.fn,
        "precision": score.precision,
        "recall": score.recall,
        "f1": score.f(),
    }


def compared(gold: AbstractSet[Hashable], system: AbstractSet[Hashable]) -> Score:
    """Count what two sets share and what only one of them has."""
    hits = len(gold & system)
    return Score(hits, len(system) - hits, len(gold) - hits)


def total(scores: Iterable[Score]) -> Score:
    """Pool counts. `sum` would do, but builds a Score for every document."""
    scores = scores if isinstance(scores, Collection) else list(scores)
    return Score(sum(s.tp for s in scores), sum(s.fp for s in scores), sum(s.fn for s in scores))
