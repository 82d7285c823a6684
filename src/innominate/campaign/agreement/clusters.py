"""Clusters of units that could be in a best partition: all of them, grown side by side in arrays, or good ones by a search.

Stretches with many annotators have tens of thousands of them; one by one they took most of the time of an analysis. Where
dozens of annotators have many units side by side there are too many to try: then what saves most is joined, and units are
moved while that helps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Distances = list[dict[int, float]]  # for each unit those it may share a cluster with, and how unlike they are
_MOST_MOVES = 100  # rounds in which units are moved
MOST_CLUSTERS = 100_000  # of one stretch of text; more are not tried
_SLACK = 1e-9


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


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """What is in each cluster, and what it costs. Those of a single unit come first, in the order of the units."""

    members: NDArray[np.bool_]  # clusters x units
    costs: Numbers


def table_of_distances(stretch: Sequence[int], near: Distances) -> Numbers:
    """How unlike the units of a stretch are; infinite where two cannot share a cluster."""
    places = {unit: place for place, unit in enumerate(stretch)}
    table = np.full((len(stretch), len(stretch)), np.inf)
    for unit, place in places.items():
        table[place, place] = 0.0
        for other, d in near[unit].items():
            table[place, places[other]] = d
    return table


def grow_clusters(apart: Numbers, prices: Prices, known: float = np.inf) -> Clusters | None:
    """Every cluster in which no unit would rather be alone, or None if they are too many.

    `strain` of a unit is its distance to all members together. That of a member only grows when the cluster does, so a
    cluster in which one is above the limit is not grown further. Members join in the order of the text. Where a partition
    is `known` to cost so much, clusters that cannot be in a better one are left out.

    >>> found = grow_clusters(np.array([[0, 0.1, 0.9], [0.1, 0, np.inf], [0.9, np.inf, 0]]), Prices(3.0, 1.0, 5.0))
    >>> found.members.astype(int).tolist(), found.costs.round(1).tolist()
    ([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1]], [3.0, 3.0, 3.0, 2.1, 2.9])
    """
    alone, delta, limit = prices
    units = np.arange(len(apart))
    # What each unit pays at least, wherever it is: its part of a cluster with its nearest, and half of the way to each
    sizes = units + 1
    least: Numbers = (alone / sizes + (np.sort(apart, axis=1).cumsum(axis=1) - units * delta) / 2).min(axis=1)
    spare = known - least.sum() + _SLACK
    strain, members, costs, last = apart, np.eye(len(apart), dtype=bool), np.full(len(apart), alone), units
    found = [Clusters(members, costs)]
    total = len(apart)
    for size in count(2):
        cluster, unit = np.nonzero((strain <= limit) & (units > last[:, None]))
        if not len(cluster):
            break
        if total + len(cluster) > MOST_CLUSTERS:
            return None
        costs = costs[cluster] + strain[cluster, unit] - (size - 1) * delta
        strain, members = strain[cluster] + apart[unit], members[cluster]
        members[np.arange(len(unit)), unit] = True
        worst = np.where(members, strain, 0.0).max(axis=1)
        stable, grows = worst <= alone + (size - 1) * delta + _SLACK, worst <= limit
        if known < np.inf:
            stable &= costs - members @ least <= spare
            # a unit pays half of its strain at least, however large the cluster: others save no more than its part of `alone`
            grows &= np.where(members, np.maximum(strain / 2 - least, 0.0), 0.0).sum(axis=1) <= spare
        found.append(Clusters(members[stable], costs[stable]))
        total += int(stable.sum())
        strain, members, costs, last = strain[grows], members[grows], costs[grows], unit[grows]
    return Clusters(np.concatenate([one.members for one in found]), np.concatenate([one.costs for one in found]))


def search_clusters(stretch: Sequence[int], near: Distances, prices: Prices) -> list[tuple[int, ...]]:
    """Find clusters of little cost.

    >>> search_clusters([0, 1, 2], [{1: 0.1, 2: 0.9}, {0: 0.1}, {0: 0.9}], Prices(3.0, 1.0, 5.0))
    [(0, 1), (2,)]
    """
    clusters: list[set[int]] = [{unit} for unit in stretch]
    home = {unit: clusters[place] for place, unit in enumerate(stretch)}
    pairs = sorted((d, one, other) for one in stretch for other, d in near[one].items() if one < other)
    for _, one, other in pairs:
        first, second = home[one], home[other]
        if first is second:
            continue
        joined = [near[a].get(b) for a in first for b in second]
        distances = [d for d in joined if d is not None]
        if len(distances) == len(joined) and sum(distances) - prices.delta * len(distances) < prices.alone:
            first |= second
            home.update(dict.fromkeys(second, first))
    for _ in range(_MOST_MOVES):
        moved = [_move(unit, home, near, prices) for unit in stretch]  # all of them, not the first only
        if not any(moved):
            break
    unique = {id(cluster): cluster for cluster in home.values()}
    return sorted(tuple(sorted(cluster)) for cluster in unique.values())


def _move(unit: int, home: dict[int, set[int]], near: Distances, prices: Prices) -> bool:
    """Move a unit to the cluster where it costs least, if that is less than where it is."""
    alone, delta, _ = prices
    current = home[unit]
    stays = sum(near[unit][other] - delta for other in current if other != unit) if len(current) > 1 else alone
    best, target = alone, None  # a cluster of its own
    for other in near[unit]:
        cluster = home[other]
        if cluster is not current and all(member in near[unit] for member in cluster):
            cost = sum(near[unit][member] - delta for member in cluster)
            if cost < best:
                best, target = cost, cluster
    if best >= stays - 1e-9:
        return False
    current.discard(unit)
    home[unit] = target if target is not None else set()
    home[unit].add(unit)
    return True
