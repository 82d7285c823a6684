"""Best alignments of what several annotators marked in one text (Mathet et al. 2015, sections 3 and 4), exactly.

A unit is a segment with a category. A unitary alignment takes at most one unit of each annotator; an alignment puts every unit
into exactly one of them. The best alignment is the one with the least disorder.

With n annotators a cluster of units costs n(n-1)/2 deltas, less (delta - d) for every pair of units in it: this is the sum
over pairs of annotators that defines a unitary disorder. In the best partition no unit would rather be alone, so d summed over
the others of its cluster is at most n(n-1)/2 + (n-1) deltas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from innominate.campaign.agreement.clusters import Distances, Prices, grow_clusters, search_clusters, table_of_distances
from innominate.campaign.agreement.cover import MANY, cover_by_price
from innominate.core import Span, UsageError

Owned = tuple[float, float, str, int]  # start, end, label, number of the annotator


class MarkedUnit(NamedTuple):
    """From where to where, and what. Whole numbers in texts; other numbers occur in chance continuums only."""

    start: float
    end: float
    label: str


@dataclass(frozen=True, slots=True)
class Dissimilarity:
    """How unlike two units are: `alpha` weighs the place, `beta` the category, `delta` is the price of a missing unit.

    With `groups` (label -> group), two labels of one group are only `within` as unlike as others.

    >>> Dissimilarity().between(MarkedUnit(10, 20, "NAME"), MarkedUnit(8, 20, "NAME"))  # (2 / 22) squared
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

    def between(self, one: MarkedUnit, other: MarkedUnit) -> float:
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

    >>> Continuum({"eva": [MarkedUnit(0, 3, "NAME")], "ola": []}).annotators
    ('eva', 'ola')
    """

    units: Mapping[str, tuple[MarkedUnit, ...]]

    def __init__(self, units: Mapping[str, Iterable[MarkedUnit]]) -> None:
        object.__setattr__(self, "units", {who: tuple(sorted(set(units[who]))) for who in sorted(units)})

    @classmethod
    def of(cls, spans: Mapping[str, Iterable[Span]]) -> Continuum:
        """From the spans of each annotator."""
        return cls({who: [MarkedUnit(span.start, span.end, span.label) for span in some] for who, some in spans.items()})

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

    units: Mapping[str, MarkedUnit]
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

    >>> eva, ola = MarkedUnit(10, 20, "NAME"), MarkedUnit(8, 20, "NAME")
    >>> alignment = best_alignment(Continuum({"eva": [eva], "ola": [ola], "siv": []}))
    >>> len(alignment.unitary), round(alignment.disorder, 6)
    (1, 1.004132)
    """
    owned, names = continuum.owned(), continuum.annotators
    if len(names) < 2 or not owned:
        raise UsageError("an alignment needs at least two annotators and one unit")
    found = partition_units(owned, len(names), dissimilarity or Dissimilarity())
    pairs = len(names) * (len(names) - 1) / 2
    unitary = [
        Unitary({names[owned[unit][3]]: MarkedUnit(*owned[unit][:3]) for unit in members}, cost / pairs)
        for members, cost in zip(found.clusters, found.costs, strict=True)
    ]
    ordered = tuple(sorted(unitary, key=lambda one: (one.place, sorted(one.units))))
    return Alignment(ordered, disorder_of(found.cost, len(owned), len(names)), found.exact)


def disorder_of(cost: float, units: int, annotators: int) -> float:
    """The sum of unitary disorders over the mean number of units of an annotator."""
    return cost / (annotators * (annotators - 1) / 2) / (units / annotators)


@dataclass(frozen=True, slots=True)
class Partition:
    """Clusters of unit numbers, what each costs, and whether no better partition exists."""

    clusters: tuple[tuple[int, ...], ...]
    costs: tuple[float, ...]
    exact: bool

    @property
    def cost(self) -> float:
        """Of all clusters together."""
        return sum(self.costs)


def partition_units(units: Sequence[Owned], annotators: int, dissimilarity: Dissimilarity, many: int = MANY) -> Partition:
    """Find the least costly clusters of units that are sorted by place. `many` bounds the work, and with it what is exact."""
    prices = Prices.of(annotators, dissimilarity.delta)
    near = _near(units, prices.limit, dissimilarity)
    clusters: list[tuple[int, ...]] = []
    exact = True
    for stretch in _components(near):
        if _belongs_together(stretch, near, prices):
            clusters.append(tuple(stretch))
            continue
        chosen, sure = _best(stretch, near, prices, many)
        clusters += chosen
        exact = exact and sure
    costs = tuple(prices.cost(members, near) for members in clusters)
    return Partition(tuple(clusters), costs, exact)


def _near(units: Sequence[Owned], limit: float, dissimilarity: Dissimilarity) -> Distances:
    """Which units are alike enough to share a cluster. Units further away than the longest reach are not looked at."""
    near: Distances = [{} for _ in units]
    alpha, delta = dissimilarity.alpha, dissimilarity.delta
    longest = max(end - start for start, end, _, _ in units)
    reach = (limit / (alpha * delta)) ** 0.5 if alpha else float("inf")
    labels: dict[tuple[str, str], float] = {}
    for one, (start, end, label, owner) in enumerate(units):
        length, row = end - start, near[one]
        furthest = start + reach * (length + longest)
        for other in range(one + 1, len(units)):
            start2, end2, label2, owner2 = units[other]
            if start2 > furthest:
                break
            if owner2 == owner:
                continue
            apart = (start2 - start + abs(end2 - end)) / (length + end2 - start2)
            d = alpha * delta * apart * apart
            if label2 != label:
                if (label, label2) not in labels:
                    labels[label, label2] = delta * dissimilarity.of_labels(label, label2)
                d += labels[label, label2]
            if d <= limit:
                row[other] = near[other][one] = d
    return near


def _components(near: Distances) -> Iterator[list[int]]:
    """Stretches that have nothing to do with each other, each in the order of the text."""
    seen: set[int] = set()
    for first in range(len(near)):
        if first in seen:
            continue
        seen.add(first)
        reached, waiting = [first], [first]
        while waiting:
            fresh = [unit for unit in near[waiting.pop()] if unit not in seen]
            seen.update(fresh)
            reached += fresh
            waiting += fresh
        yield sorted(reached)


def _belongs_together(stretch: Sequence[int], near: Distances, prices: Prices) -> bool:
    """Whether one cluster is surely best: every annotator has one unit, and joining any two parts costs less than it saves.

    Two parts of k units have at most k * k // 4 pairs between them.
    """
    size = len(stretch)
    if any(len(near[unit]) < size - 1 for unit in stretch):
        return False
    most = max((d for unit in stretch for d in near[unit].values()), default=0.0)
    return (most - prices.delta) * (size * size // 4) <= prices.alone


def _best(stretch: Sequence[int], near: Distances, prices: Prices, many: int) -> tuple[list[tuple[int, ...]], bool]:
    """The best clusters of one stretch, and whether that is certain."""
    apart = table_of_distances(stretch, near)
    clusters = grow_clusters(apart, prices)
    if clusters is None:  # what a good partition costs tells which of them matter
        good = search_clusters(stretch, near, prices)
        clusters = grow_clusters(apart, prices, known=sum(prices.cost(members, near) for members in good))
        if clusters is None:
            return good, False
    chosen, sure = cover_by_price(clusters, many)
    return [tuple([stretch[place] for place in members]) for members in chosen], sure
