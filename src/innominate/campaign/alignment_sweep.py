"""Choosing clusters that cover every unit once, at the least cost: one sweep along the text.

Every unit gets a price such that no cluster is worth more than it costs (the dual of the covering problem). Only what a
cluster costs above the prices of its units then counts, and most good clusters cost nothing above them, so that the sweep has
few partial covers to remember. Nothing is lost: covers are only given up when they already cost more than a known whole one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from operator import itemgetter

Cluster = tuple[float, tuple[int, ...]]  # cost, units in the order of the text
_Priced = tuple[float, int, tuple[int, ...]]  # cost above the prices, units as bits, units
_Chain = tuple[tuple[int, ...], "_Chain | None"]  # the clusters so far, last first
SIMPLE = 60  # so few clusters need no prices
FEW, MANY = 8, 50_000  # partial covers remembered in the first, quick sweep, and in the second; with more it is not exact
_EPSILON = 1e-12
_cost_of = itemgetter(0)


def cover(stretch: Sequence[int], candidates: Sequence[Cluster], many: int = MANY) -> tuple[list[tuple[int, ...]], bool]:
    """The cheapest clusters that hold each unit of the stretch once, and whether this is certain.

    >>> cover([0, 1, 2], [(1.0, (0,)), (1.0, (1,)), (1.0, (2,)), (0.2, (0, 1)), (0.5, (1, 2))])
    ([(0, 1), (2,)], True)
    """
    places = {unit: place for place, unit in enumerate(stretch)}
    if len(candidates) <= SIMPLE:
        _, chain, complete = _sweep(_by_first(places, candidates, [cost for cost, _ in candidates]), many, inf)
    else:
        by_first = _by_first(places, candidates, _above_prices(places, candidates))
        cost, chain, complete = _sweep(by_first, FEW, inf)
        if not complete:  # the quick sweep has found a cover, which tells the second one what is too expensive
            _, chain, complete = _sweep(by_first, many, cost + _EPSILON * 1000)
    chosen = []
    while chain:
        members, chain = chain
        chosen.append(members)
    return chosen[::-1], complete


def _above_prices(places: dict[int, int], candidates: Sequence[Cluster]) -> list[float]:
    """What each cluster costs above the prices of its units."""
    price = [inf] * len(places)
    members = [[places[unit] for unit in cluster] for _, cluster in candidates]
    for (cost, _), units in zip(candidates, members, strict=True):
        share = cost / len(units)
        for unit in units:
            price[unit] = min(price[unit], share)
    above = [cost - sum([price[unit] for unit in units]) for (cost, _), units in zip(candidates, members, strict=True)]
    holding: list[list[int]] = [[] for _ in places]
    for number, units in enumerate(members):
        for unit in units:
            holding[unit].append(number)
    for numbers in holding:  # raise the price of one unit after the other as far as its clusters allow
        least = min([above[number] for number in numbers])
        if least > _EPSILON:
            for number in numbers:
                above[number] -= least
    return above


def _by_first(places: dict[int, int], candidates: Sequence[Cluster], costs: Sequence[float]) -> list[list[_Priced]]:
    """Clusters by their first unit, the cheapest first."""
    by_first: list[list[_Priced]] = [[] for _ in places]
    for (_, members), cost in zip(candidates, costs, strict=True):
        bits = 0
        for unit in members:
            bits |= 1 << places[unit]
        by_first[places[members[0]]].append((cost, bits, members))
    for some in by_first:
        some.sort(key=_cost_of)  # stable: of equals the earlier candidate stays first
    return by_first


def _sweep(by_first: list[list[_Priced]], width: int, bound: float) -> tuple[float, _Chain | None, bool]:
    """Cover one unit after the other; of the covers with the same units only the cheapest is worth remembering."""
    covers: dict[int, tuple[float, _Chain | None]] = {0: (0.0, None)}
    complete = True
    for place, clusters in enumerate(by_first):
        bit, following = 1 << place, dict[int, tuple[float, _Chain | None]]()
        for done, (cost, chain) in covers.items():
            if done & bit:
                known = following.get(done)
                if known is None or cost < known[0] - _EPSILON:
                    following[done] = (cost, chain)
                continue
            for above, units, members in clusters:
                total = cost + above
                if total > bound:
                    break
                if units & done:
                    continue
                known = following.get(done | units)
                if known is None or total < known[0] - _EPSILON:
                    following[done | units] = (total, (members, chain))
        if len(following) > width:
            complete = False
            following = dict(sorted(following.items(), key=lambda item: item[1][0])[:width])
        covers = following
    (cost, chain), *_ = sorted(covers.values(), key=lambda found: found[0])
    return cost, chain, complete
