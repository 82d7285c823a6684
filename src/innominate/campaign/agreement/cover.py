"""Choosing clusters that cover every unit once, at the least cost: prices for the units, then one sweep along the text.

A unit has a price such that no cluster is worth more than it costs: the dual of covering all units once. What a cluster costs
above the prices of its units is what a cover loses by taking it. With the best prices, by the simplex method on those clusters
that matter so far, nearly every best partition loses nothing, so that it is found and proven at once. Otherwise a first,
narrow sweep finds a good cover, and what costs more above the prices than this one in all is in no better cover. Of the covers
of the same units a sweep remembers only the cheapest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from innominate.campaign.agreement.clusters import Clusters, Numbers

FIRST, MORE = 6, 4  # clusters looked at for each unit: at the beginning, and more in every round
MOST_ROUNDS, MOST_STEPS = 30, 600
_EPSILON = 1e-9
_UNEVEN = 1e-5  # units count slightly differently for the search, or it would go round in circles among equals
Cluster = tuple[float, tuple[int, ...]]  # cost, units in the order of the text
_Priced = tuple[float, int, tuple[int, ...]]  # cost, units as bits, units
_Chain = tuple[tuple[int, ...], "_Chain | None"]  # the clusters so far, last first
AT_FIRST = 20  # clusters for each unit in the narrow sweep
_EQUAL = 1e-12
_PROVEN = 1e-9
_cost_of = itemgetter(0)


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


FEW, MANY = 100, 50_000  # partial covers remembered in the narrow and in the wide sweep; with more it is not exact


def cover_units(
    units: int, candidates: Iterable[Cluster], width: int = MANY, bound: float = inf
) -> tuple[float, list[tuple[int, ...]], bool]:
    """What the cheapest clusters that hold each unit once cost, which they are, and whether this is certain.

    >>> cover_units(3, [(1.0, (0,)), (1.0, (1,)), (1.0, (2,)), (0.2, (0, 1)), (0.5, (1, 2))])
    (1.2, [(0, 1), (2,)], True)
    """
    covers: dict[int, tuple[float, _Chain | None]] = {0: (0.0, None)}
    complete = True
    for place, clusters in enumerate(_by_first(units, candidates)):
        bit, following = 1 << place, dict[int, tuple[float, _Chain | None]]()
        for done, (cost, chain) in covers.items():
            if done & bit:
                known = following.get(done)
                if known is None or cost < known[0] - _EQUAL:
                    following[done] = (cost, chain)
                continue
            for price, bits, members in clusters:
                total = cost + price
                if total > bound:
                    break
                if bits & done:
                    continue
                known = following.get(done | bits)
                if known is None or total < known[0] - _EQUAL:
                    following[done | bits] = (total, (members, chain))
        if len(following) > width:
            complete = False
            following = dict(sorted(following.items(), key=lambda item: item[1][0])[:width])
        covers = following
    cost, chain = min(covers.values(), key=_cost_of, default=(inf, None))
    chosen = []
    while chain:
        members, chain = chain
        chosen.append(members)
    return cost, chosen[::-1], complete


def cover_by_price(clusters: Clusters, width: int = MANY) -> tuple[list[tuple[int, ...]], bool]:
    """The cheapest of many clusters that hold every unit once, and whether this is certain.

    >>> members = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1]], dtype=bool)
    >>> cover_by_price(Clusters(members, np.array([1, 1, 1, 0.2, 0.5])))
    ([(0, 1), (2,)], True)
    """
    units = clusters.members.shape[1]
    above = costs_above_prices(clusters).round(12)  # equal ones keep their order whatever the processor
    free = above <= _PROVEN
    cost, chosen, _ = cover_units(units, _rows(clusters, above, free), width, _PROVEN)
    if cost <= _PROVEN:
        return chosen, True
    good = above <= np.sort(above)[: AT_FIRST * units][-1]
    good[:units] = True  # single units, so that there is a cover
    cost, chosen, _ = cover_units(units, _rows(clusters, above, good), FEW)
    bound = cost + _PROVEN
    _, chosen, complete = cover_units(units, _rows(clusters, above, above <= bound), width, bound)
    return chosen, complete


def _rows(clusters: Clusters, above: Numbers, which: NDArray[np.bool_]) -> Iterator[Cluster]:
    for cost, members in zip(above[which].tolist(), clusters.members[which], strict=True):
        yield cost, tuple(members.nonzero()[0].tolist())


def _by_first(units: int, candidates: Iterable[Cluster]) -> list[list[_Priced]]:
    """Clusters by their first unit, the cheapest first."""
    by_first: list[list[_Priced]] = [[] for _ in range(units)]
    for cost, members in candidates:
        by_first[members[0]].append((cost, sum(1 << unit for unit in members), members))
    for some in by_first:
        some.sort(key=_cost_of)  # stable: of equals the earlier candidate stays first
    return by_first
