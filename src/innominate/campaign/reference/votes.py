"""What the annotators of one alignment say about its segment and its category, counted apart (Loftsson 2022, section 3.3).

Everybody who did the sample has a vote, also those who marked nothing there: their vote is None. A value is decided when it
has more than half of all votes; a tie decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from innominate.campaign.agreement.alignment import MarkedUnit

Segment = tuple[int, int]
V = TypeVar("V", Segment, str)
_SLACK = 1e-9  # weights are not whole numbers


@dataclass(frozen=True, slots=True)
class Vote(Generic[V]):
    """How many, or how much weight, for each value; None stands for "nothing here"."""

    counts: Mapping[V | None, float]

    @property
    def total(self) -> float:
        """All votes."""
        return sum(self.counts.values())

    @property
    def most(self) -> float:
        """The votes of the strongest value."""
        return max(self.counts.values())

    @property
    def decided(self) -> bool:
        """Whether one value has more than half."""
        return self.most > self.total / 2 + _SLACK

    @property
    def value(self) -> V | None:
        """The decided value; None may mean that nothing is there, or that nothing is decided."""
        return max(self.counts, key=lambda value: self.counts[value]) if self.decided else None


@dataclass(frozen=True, slots=True)
class AlignmentVotes:
    """Both votes of one alignment."""

    segment: Vote[Segment]
    category: Vote[str]


def count_votes(
    units: Mapping[str, MarkedUnit], annotators: Sequence[str], weights: Mapping[str, float] | None = None
) -> AlignmentVotes:
    """Count the votes of all annotators of a sample on one of its alignments.

    >>> found = count_votes({"eva": MarkedUnit(0, 5, "BED"), "ola": MarkedUnit(4, 5, "BED")}, ["eva", "ola", "siv"])
    >>> found.category.value, found.segment.decided
    ('BED', False)
    """
    segments: dict[Segment | None, float] = {}
    categories: dict[str | None, float] = {}
    for who in annotators:
        unit, weight = units.get(who), (weights or {}).get(who, 1.0)
        segment = (int(unit.start), int(unit.end)) if unit else None
        label = unit.label if unit else None
        segments[segment] = segments.get(segment, 0.0) + weight
        categories[label] = categories.get(label, 0.0) + weight
    return AlignmentVotes(Vote(segments), Vote(categories))
