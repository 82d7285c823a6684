"""Units, which annotators marked in one text, and how unlike two of them are (Mathet et al. 2015, section 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from innominate.core import UsageError

Distances = list[dict[int, float]]  # for each unit those it may share a cluster with, and how unlike they are
_SLACK = 1e-9


class Unit(NamedTuple):
    """From where to where, and what. Whole numbers in texts; other numbers occur in chance continuums only."""

    start: float
    end: float
    label: str


class Prices(NamedTuple):
    """What clusters of units cost, where there are so many annotators."""

    alone: float  # a cluster of one unit: all pairs of annotators lack one
    delta: float  # a missing unit
    limit: float  # the most that the distances of a unit to the others of its cluster may sum up to

    @classmethod
    def of(cls, annotators: int, delta: float) -> Prices:
        """In the best partition no unit would rather be alone, which sets the limit."""
        alone = annotators * (annotators - 1) / 2 * delta
        return cls(alone, delta, alone + (annotators - 1) * delta + _SLACK)

    def cost(self, members: Sequence[int], near: Distances) -> float:
        """What a cluster costs: that of one unit, less what each pair of its units saves."""
        pairs = (near[one][other] - self.delta for place, one in enumerate(members) for other in members[place + 1 :])
        return self.alone + sum(pairs)


@dataclass(frozen=True, slots=True)
class Dissimilarity:
    """How unlike two units are: `alpha` weighs the place, `beta` the category, `delta` is the price of a missing unit.

    With `groups` (label -> group), two labels of one group are only `within` as unlike as others.

    >>> Dissimilarity().between(Unit(10, 20, "NAME"), Unit(8, 20, "NAME"))  # (2 / 22) squared
    0.008264462809917356
    """

    alpha: float = 1.0
    beta: float = 1.0
    delta: float = 1.0
    within: float = 1.0
    groups: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if min(self.alpha, self.beta) < 0 or self.delta <= 0:
            raise UsageError("alpha and beta cannot be negative, and delta is above 0")

    def between(self, one: Unit, other: Unit) -> float:
        """The dissimilarity of two units."""
        apart = (abs(one.start - other.start) + abs(one.end - other.end)) / (one.end - one.start + other.end - other.start)
        return self.delta * (self.alpha * apart * apart + self.of_labels(one.label, other.label))

    def of_labels(self, one: str, other: str) -> float:
        """The part of the categories, before it is weighed with delta."""
        if one == other:
            return 0.0
        group = self.groups.get(one)
        return self.beta * (self.within if group is not None and group == self.groups.get(other) else 1.0)
