"""Counts as the official scorers write them, six numbers under the names that all of them use; and sets of characters.

A set of characters is a whole number: bit n stands for character n. Counting what is left uncovered is then one operation.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from collections.abc import Set as AbstractSet
from typing import Any

from innominate.core import Document, Score, Span

Pair = tuple[Document, Document]  # gold, system: the same note, two opinions
_DIGITS = bytes.maketrans(b"\0\1", b"01")


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


def covered(spans: Iterable[Span]) -> int:
    """The characters under spans.

    >>> bin(covered([Span(0, 2, "A"), Span(4, 5, "B")]))
    '0b10011'
    """
    characters = 0
    for span in spans:
        characters |= stretch(span.start, span.end)
    return characters


def stretch(start: int, end: int) -> int:
    """The characters from start to end."""
    return ((1 << (end - start)) - 1) << start


def letters(text: str) -> int:
    """The letters and digits of a text. Only they count: a bare comma identifies nobody.

    >>> bin(letters("a, b"))
    '0b1001'
    """
    return int(bytes(map(str.isalnum, reversed(text))).translate(_DIGITS) or b"0", 2)
