"""Clusters for stretches with too many possibilities: join what saves most, then move units while that helps.

Dozens of annotators with many units side by side come here; the result is good, and said not to be exact.
"""

from __future__ import annotations

from collections.abc import Sequence

from innominate.campaign.agreement.units import Distances, Prices

MOST_ROUNDS = 100


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
    for _ in range(MOST_ROUNDS):
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
