"""Units, which annotators marked in one text, and how unlike two of them are (Mathet et al. 2015, section 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from innominate.core import UsageError


class Unit(NamedTuple):
    """From where to where, and what. Whole numbers in texts; other numbers occur in chance continuums only."""

    start: float
    end: float
    label: str


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
