"""Choosing clusters that cover every unit once, at the least cost: one sweep along the text.

Of the covers of the same units only the cheapest is remembered. Where clusters are many, what they cost above the prices of
their units is looked at instead of what they cost: a first, narrow sweep finds a good cover, and what costs more above the
prices than this one in all is in no better cover. Most often that leaves nothing to look for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from innominate.campaign.agreement.clusters import Clusters, Numbers
from innominate.campaign.agreement.prices import costs_above_prices

Cluster = tuple[float, tuple[int, ...]]  # cost, units in the order of the text
_Priced = tuple[float, int, tuple[int, ...]]  # cost, units as bits, units
_Chain = tuple[tuple[int, ...], "_Chain | None"]  # the clusters so far, last first
FEW, MANY = 100, 50_000  # partial covers remembered in the narrow and in the wide sweep; with more it is not exact
AT_FIRST = 20  # clusters for each unit in the narrow sweep
_EPSILON = 1e-12
_PROVEN = 1e-9
_cost_of = itemgetter(0)


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
                if known is None or cost < known[0] - _EPSILON:
                    following[done] = (cost, chain)
                continue
            for price, bits, members in clusters:
                total = cost + price
                if total > bound:
                    break
                if bits & done:
                    continue
                known = following.get(done | bits)
                if known is None or total < known[0] - _EPSILON:
                    following[done | bits] = (total, (members, chain))
        if len(following) > width:
            complete = False
            following = dict(sorted(following.items(), key=lambda item: item[1][0])[:width])
        covers = following
    cost, chain = min(covers.values(), key=_cost_of, default=(inf, None))
    return cost, _clusters(chain), complete


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


def _clusters(chain: _Chain | None) -> list[tuple[int, ...]]:
    chosen = []
    while chain:
        members, chain = chain
        chosen.append(members)
    return chosen[::-1]


def _by_first(units: int, candidates: Iterable[Cluster]) -> list[list[_Priced]]:
    """Clusters by their first unit, the cheapest first."""
    by_first: list[list[_Priced]] = [[] for _ in range(units)]
    for cost, members in candidates:
        by_first[members[0]].append((cost, sum(1 << unit for unit in members), members))
    for some in by_first:
        some.sort(key=_cost_of)  # stable: of equals the earlier candidate stays first
    return by_first
