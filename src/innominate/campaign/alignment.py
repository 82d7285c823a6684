"""Best alignments of what several annotators marked in one text (Mathet et al. 2015, section 4).

A unit is a segment with a category. A unitary alignment takes at most one unit of each annotator; an alignment puts every unit
into exactly one of them. The best alignment is the one with the least disorder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from innominate.campaign.alignment_partition import Owned, partition
from innominate.core import Span, UsageError


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


@dataclass(frozen=True, slots=True)
class Continuum:
    """The units of every annotator of one text; somebody who marked nothing takes part with no unit.

    >>> Continuum({"eva": [Unit(0, 3, "NAME")], "ola": []}).annotators
    ('eva', 'ola')
    """

    units: Mapping[str, tuple[Unit, ...]]

    def __init__(self, units: Mapping[str, Iterable[Unit]]) -> None:
        object.__setattr__(self, "units", {who: tuple(sorted(set(units[who]))) for who in sorted(units)})

    @classmethod
    def of(cls, spans: Mapping[str, Iterable[Span]]) -> Continuum:
        """From the spans of each annotator."""
        return cls({who: [Unit(span.start, span.end, span.label) for span in some] for who, some in spans.items()})

    @property
    def annotators(self) -> tuple[str, ...]:
        """Who took part, by name."""
        return tuple(self.units)

    @property
    def size(self) -> int:
        """How many units there are."""
        return sum(map(len, self.units.values()))

    def owned(self) -> list[Owned]:
        """All units by place, each with the number of its annotator."""
        return sorted((*unit, who) for who, units in enumerate(self.units.values()) for unit in units)


@dataclass(frozen=True, slots=True)
class Unitary:
    """Units that are taken to mean the same thing, at most one of each annotator."""

    units: Mapping[str, Unit]
    disorder: float

    @property
    def place(self) -> tuple[int, int]:
        """From the first to the last character that anybody marked."""
        return int(min(unit.start for unit in self.units.values())), int(max(unit.end for unit in self.units.values()))


@dataclass(frozen=True, slots=True)
class Alignment:
    """The best alignment. `exact` is false only for continuums too large to search through, where it is a good one."""

    unitary: tuple[Unitary, ...]
    disorder: float
    exact: bool = True


def best_alignment(continuum: Continuum, dissimilarity: Dissimilarity | None = None) -> Alignment:
    """Align the units of a continuum with the least disorder.

    >>> alignment = best_alignment(Continuum({"eva": [Unit(10, 20, "NAME")], "ola": [Unit(8, 20, "NAME")], "siv": []}))
    >>> len(alignment.unitary), round(alignment.disorder, 6)
    (1, 1.004132)
    """
    owned, names = continuum.owned(), continuum.annotators
    if len(names) < 2 or not owned:
        raise UsageError("an alignment needs at least two annotators and one unit")
    found = partition(owned, len(names), dissimilarity or Dissimilarity())
    pairs = len(names) * (len(names) - 1) / 2
    unitary = [
        Unitary({names[owned[unit][3]]: Unit(*owned[unit][:3]) for unit in members}, cost / pairs)
        for members, cost in zip(found.clusters, found.costs, strict=True)
    ]
    ordered = tuple(sorted(unitary, key=lambda one: (one.place, sorted(one.units))))
    return Alignment(ordered, disorder_of(found.cost, len(owned), len(names)), found.exact)


def disorder_of(cost: float, units: int, annotators: int) -> float:
    """The sum of unitary disorders over the mean number of units of an annotator."""
    return cost / (annotators * (annotators - 1) / 2) / (units / annotators)
