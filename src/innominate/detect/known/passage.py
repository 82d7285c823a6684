"""A text made ready for all matchers at once."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from innominate.text.accents import strip_accents

_WORD = re.compile(r"[^\W\d_]+")
_SEAM = re.compile(r"[a-z](?=[A-Z])|[A-Z](?=[A-Z][a-z])")  # MmeChristiansen, DRRochat
_SQUEEZED = re.compile(r"[^0-9a-z]+")


class Hit(NamedTuple):
    """A place where something known stands: what it is, and whether it is sure by itself or only beside another."""

    start: int
    end: int
    kind: str
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Passage:
    """A text, the same without accents (`bare`) and in lower case too (`low`), and its words. Those have the same offsets."""

    text: str = field(repr=False)
    bare: str = field(repr=False)
    low: str = field(repr=False)
    squeezed: str = field(repr=False)  # letters and digits of `low` only: numbers stand together, whatever separates digits
    words: list[str] = field(repr=False)
    spans: list[tuple[int, int]] = field(repr=False)
    index: dict[str, list[tuple[int, int]]] = field(repr=False)  # where each word stands, parts of joined words included

    @classmethod
    def of(cls, text: str) -> Passage:
        """Look over a text.

        >>> sorted(Passage.of("MmeChristiansen née").index)
        ['christiansen', 'mme', 'mmechristiansen', 'nee']
        """
        plain = strip_accents(text)
        low = plain.lower()
        spans = [found.span() for found in _WORD.finditer(low)]
        words = [low[start:end] for start, end in spans]
        index: dict[str, list[tuple[int, int]]] = {}
        for word, span in zip(words, spans, strict=True):
            index.setdefault(word, []).append(span)
        for start, end in _pieces(plain, spans):
            index.setdefault(low[start:end], []).append((start, end))
        return cls(text, plain, low, _SQUEEZED.sub("", low), words, spans, index)

    def is_capital(self, start: int) -> bool:
        """Say whether a capital letter stands there."""
        return self.bare[start].isupper()

    def is_caps(self, start: int, end: int) -> bool:
        """Say whether the stretch is all capitals."""
        return self.bare[start:end].isupper()


def _pieces(plain: str, spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the pieces of words that are glued together, cut where a capital follows a small letter."""
    seams: dict[tuple[int, int], list[int]] = {}
    for seam in _SEAM.finditer(plain):
        word = spans[bisect_right(spans, (seam.start(), len(plain))) - 1]
        seams.setdefault(word, [word[0]]).append(seam.end())
    for word, cuts in seams.items():
        yield from pairwise([*cuts, word[1]])
