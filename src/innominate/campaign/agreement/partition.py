"""The least costly way of putting units into clusters with at most one unit of each annotator, exactly.

With n annotators a cluster costs n(n-1)/2 deltas, less (delta - d) for every pair of units in it: this is the sum over pairs
of annotators that defines a unitary disorder. In the best partition no unit would rather be alone, so d summed over the others
of its cluster is at most n(n-1)/2 + (n-1) deltas.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from innominate.campaign.agreement.clusters import grow_clusters, table_of_distances
from innominate.campaign.agreement.cover import MANY, cover_by_price
from innominate.campaign.agreement.search import search_clusters
from innominate.campaign.agreement.units import Dissimilarity, Distances, Prices

Owned = tuple[float, float, str, int]  # start, end, label, number of the annotator


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
