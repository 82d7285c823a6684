"""Errors of an annotator by any standard: the truth of a simulation, or a reference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from operator import add
from typing import ClassVar

from innominate.core import Span


@dataclass(frozen=True, slots=True)
class Errors:
    """Counts over all chunks of somebody."""

    RATES: ClassVar[tuple[str, ...]] = ("missed", "confused", "slipped", "invented")

    expected: int = 0  # identifiers of the standard
    said: int = 0
    missed: int = 0  # nothing was marked there
    confused: int = 0  # another label
    slipped: int = 0  # other limits
    invented: int = 0  # marks that touch no identifier

    def __add__(self, other: Errors) -> Errors:
        return Errors(*map(add, astuple(self), astuple(other)))

    def rate(self, name: str) -> float:
        """One of `RATES`: of the identifiers, or, for what was invented, of the marks."""
        of = self.said if name == "invented" else self.expected
        return float(getattr(self, name)) / of if of else 0.0

    @property
    def segment_penalty(self) -> float:
        """The share of places, identifiers and inventions, where the limits are wrong."""
        return (self.missed + self.slipped + self.invented) / max(1, self.expected + self.invented)

    @property
    def category_penalty(self) -> float:
        """The share of places where the label is wrong."""
        return (self.missed + self.confused + self.invented) / max(1, self.expected + self.invented)

    @property
    def index(self) -> float:
        """The quality index that somebody would have by this standard."""
        return 1 - (self.segment_penalty + self.category_penalty) / 2


def count_errors(pairs: Iterable[tuple[Sequence[Span], Sequence[Span]]]) -> Errors:
    """Count the errors in pairs of (standard, said).

    >>> found = count_errors([([Span(0, 3, "DATE"), Span(9, 12, "RUE")], [Span(0, 4, "ÂGE")])])
    >>> found.missed, found.confused, found.slipped, found.segment_penalty
    (1, 1, 1, 1.0)
    """
    total = Errors()
    for standard, said in pairs:
        total += _of_one(standard, said)
    return total


def _of_one(standard: Sequence[Span], said: Sequence[Span]) -> Errors:
    left = list(said)
    missed = confused = slipped = 0
    for span in standard:
        touching = [one for one in left if one.start < span.end and span.start < one.end]
        if not touching:
            missed += 1
            continue
        best = max(
            touching,
            key=lambda one: (one == span, min(one.end, span.end) - max(one.start, span.start), one.label == span.label),
        )
        left.remove(best)
        confused += best.label != span.label
        slipped += (best.start, best.end) != (span.start, span.end)
    return Errors(len(standard), len(said), missed, confused, slipped, len(left))
