"""All clusters of units that could be in a best partition, grown side by side in arrays.

Stretches with many annotators have tens of thousands of them; one by one they took most of the time of an analysis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from innominate.campaign.agreement.units import Distances, Prices

Numbers = NDArray[np.float64]
MOST_CLUSTERS = 100_000  # of one stretch of text; more are not tried
_SLACK = 1e-9


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
    least = _least(apart, alone, delta)
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


def _least(apart: Numbers, alone: float, delta: float) -> Numbers:
    """What each unit pays at least, wherever it is: its part of a cluster with its nearest, and half of the way to each."""
    sizes = np.arange(1, len(apart) + 1)
    least: Numbers = (alone / sizes + (np.sort(apart, axis=1).cumsum(axis=1) - (sizes - 1) * delta) / 2).min(axis=1)
    return least
