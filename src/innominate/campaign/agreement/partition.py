"""The least costly way of putting units into clusters with at most one unit of each annotator, exactly.

With n annotators a cluster costs n(n-1)/2 deltas, less (delta - d) for every pair of units in it: this is the sum over pairs
of annotators that defines a unitary disorder. In the best partition no unit would rather be alone, so d summed over the others
of its cluster is at most n(n-1)/2 + (n-1) deltas. A few such clusters are found and chosen one by one, many in arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from innominate.campaign.agreement.clusters import clusters_of, distances
from innominate.campaign.agreement.search import improve
from innominate.campaign.agreement.sweep import MANY, Cluster, cover, cover_by_price
from innominate.campaign.agreement.units import Dissimilarity

Owned = tuple[float, float, str, int]  # start, end, label, number of the annotator
Distances = list[dict[int, float]]  # for each unit those it may share a cluster with, and how unlike they are
SIMPLE = 60  # so few clusters are quicker found and chosen one by one than in arrays
_SLACK = 1e-9
Prices = tuple[float, float, float]  # of a cluster of one, of the most that a unit bears, of a missing unit


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


def partition(units: Sequence[Owned], annotators: int, dissimilarity: Dissimilarity, many: int = MANY) -> Partition:
    """Find the least costly clusters of units that are sorted by place. `many` bounds the work, and with it what is exact."""
    alone = annotators * (annotators - 1) / 2 * dissimilarity.delta
    limit = alone + (annotators - 1) * dissimilarity.delta + _SLACK
    near = _near(units, limit, dissimilarity)
    clusters: list[tuple[int, ...]] = []
    exact = True
    for stretch in _components(near):
        if _belongs_together(stretch, near, alone, dissimilarity.delta):
            clusters.append(tuple(stretch))
            continue
        chosen, sure = _best(stretch, near, (alone, limit, dissimilarity.delta), many)
        clusters += chosen
        exact = exact and sure
    costs = tuple(_cost(members, near, alone, dissimilarity.delta) for members in clusters)
    return Partition(tuple(clusters), costs, exact)


def _cost(members: Sequence[int], near: Distances, alone: float, delta: float) -> float:
    return alone + sum(near[one][other] - delta for place, one in enumerate(members) for other in members[place + 1 :])


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


def _belongs_together(stretch: Sequence[int], near: Distances, alone: float, delta: float) -> bool:
    """Whether one cluster is surely best: every annotator has one unit, and joining any two parts costs less than it saves.

    Two parts of k units have at most k * k // 4 pairs between them.
    """
    size = len(stretch)
    if any(len(near[unit]) < size - 1 for unit in stretch):
        return False
    most = max((d for unit in stretch for d in near[unit].values()), default=0.0)
    return (most - delta) * (size * size // 4) <= alone


def _best(stretch: Sequence[int], near: Distances, prices: Prices, many: int) -> tuple[list[tuple[int, ...]], bool]:
    """The best clusters of one stretch, and whether that is certain."""
    alone, limit, delta = prices
    few = _candidates(stretch, near, prices)
    if few is not None:
        _, chosen, sure = cover(stretch, few, many)
        return chosen, sure
    apart = distances(stretch, near)
    clusters = clusters_of(apart, alone, limit, delta)
    if clusters is None:  # what a good partition costs tells which of them matter
        good = improve(stretch, near, alone, delta)
        known = sum(_cost(members, near, alone, delta) for members in good)
        clusters = clusters_of(apart, alone, limit, delta, known)
        if clusters is None:
            return good, False
    chosen, sure = cover_by_price(clusters, many)
    return [tuple([stretch[place] for place in members]) for members in chosen], sure


def _candidates(stretch: Sequence[int], near: Distances, prices: Prices) -> list[Cluster] | None:
    """All clusters that could be in the best partition, or None if they are more than a few (as in `clusters_of`).

    Two units of one annotator are never near each other, so at most one of each gets in.
    """
    alone, limit, delta = prices
    found: list[Cluster] = []
    for first in stretch:
        later = [unit for unit in sorted(near[first]) if unit > first]
        stack: list[tuple[tuple[int, ...], list[float], float, list[int]]] = [((first,), [0.0], alone, later)]
        while stack:
            members, strains, cost, others = stack.pop()
            size = len(members)
            if max(strains) <= alone + (size - 1) * delta + _SLACK:
                found.append((cost, members))
                if len(found) > SIMPLE:
                    return None
            for place, unit in enumerate(others, start=1):
                row = near[unit]
                distances = [row[member] for member in members]
                strain = sum(distances)
                if strain > limit:
                    continue
                grown = [a + b for a, b in zip(strains, distances, strict=True)]
                if max(grown) > limit:
                    continue
                grown.append(strain)
                remaining = [other for other in others[place:] if other in row]
                stack.append(((*members, unit), grown, cost + strain - size * delta, remaining))
    return found
