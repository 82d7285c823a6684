"""A price for every unit such that no cluster is worth more than it costs: the dual of covering all units once.

What a cluster costs above the prices of its units is what a cover loses by taking it. With the best prices, by the simplex
method on those clusters that matter so far, nearly every best partition loses nothing, so that it is found and proven at once.
"""

from __future__ import annotations

import numpy as np

from innominate.campaign.agreement.clusters import Clusters, Numbers

FIRST, MORE = 6, 4  # clusters looked at for each unit: at the beginning, and more in every round
MOST_ROUNDS, MOST_STEPS = 30, 600
_EPSILON = 1e-9
_UNEVEN = 1e-5  # units count slightly differently for the search, or it would go round in circles among equals


def costs_above_prices(clusters: Clusters) -> Numbers:
    """What each cluster costs above the prices of its units; never less than 0.

    >>> both = Clusters(np.array([[1, 0], [0, 1], [1, 1]], dtype=bool), np.array([1.0, 1.0, 0.5]))
    >>> float(costs_above_prices(both)[2])
    0.0
    """
    members, costs = clusters.members.astype(float), clusters.costs
    shares = np.where(clusters.members, (costs / members.sum(axis=1))[:, None], np.inf).min(axis=0)
    above: Numbers = costs - _worth(
        members, shares
    )  # plain prices: the least that a unit pays if all of a cluster pay the same
    chosen = above <= _smallest(above, FIRST * len(shares))
    search = _Simplex(costs[: len(shares)])
    for _ in range(MOST_ROUNDS):
        search.improve(members[chosen], costs[chosen])
        found = costs - _worth(members, search.prices)
        cheap = (found < -_EPSILON) & (found <= _smallest(found, MORE * len(shares)))
        if not cheap.any():
            above = found
            break
        chosen |= cheap
    return above.clip(min=0.0)


def _worth(members: Numbers, prices: Numbers) -> Numbers:
    """The prices of all units of each cluster. `@` would wake a thread on every core for it, which takes longer."""
    worth: Numbers = np.einsum("cu,u->c", members, prices)
    return worth


def _smallest(values: Numbers, number: int) -> float:
    """The value of which `number` others are not greater."""
    place = min(number, len(values) - 1)
    return float(np.partition(values, place)[place])


class _Simplex:
    """The revised simplex method, beginning with every unit in a cluster of its own."""

    def __init__(self, alone: Numbers) -> None:
        units = len(alone)
        self._inverse = np.eye(units)
        self._amounts = 1 + _UNEVEN * (np.arange(units) * 0.618 % 1)
        self._costs = alone.copy()
        self.prices = alone.copy()

    def improve(self, members: Numbers, costs: Numbers) -> None:
        """Find the best prices for some clusters, from where the search stands."""
        for _ in range(MOST_STEPS):
            above = costs - members @ self.prices
            best = int(above.argmin())
            if above[best] > -_EPSILON:
                return
            self._take(members[best], costs[best])

    def _take(self, cluster: Numbers, cost: float) -> None:
        direction = self._inverse @ cluster
        ratios = np.full(len(direction), np.inf)
        np.divide(self._amounts, direction, out=ratios, where=direction > _EPSILON)
        out = int(ratios.argmin())
        self._amounts -= ratios[out] * direction
        self._amounts[out] = ratios[out]
        row = self._inverse[out] / direction[out]
        self._inverse -= direction[:, None] * row
        self._inverse[out] = row
        self._costs[out] = cost
        self.prices = self._costs @ self._inverse
