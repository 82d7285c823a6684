"""Covers of a stretch: prices, sweeps, and the search for crowds."""

from itertools import combinations

import numpy as np
import pytest
from continuums import small_continuums
from hypothesis import given, settings
from hypothesis import strategies as st

from innominate.campaign.agreement.alignment import Dissimilarity, MarkedUnit, partition_units
from innominate.campaign.agreement.clusters import Clusters, Prices, grow_clusters, search_clusters
from innominate.campaign.agreement.cover import costs_above_prices, cover_by_price, cover_units


@settings(max_examples=40)
@given(small_continuums())
def test_the_search_for_crowds_is_a_partition_and_never_beats_the_best(found):
    units, n = found.owned(), len(found.annotators)
    prices, how = Prices.of(n, 1.0), Dissimilarity()
    near = [
        {j: how.between(MarkedUnit(*a[:3]), MarkedUnit(*b[:3])) for j, b in enumerate(units) if a[3] != b[3]}
        for i, a in enumerate(units)
    ]
    clusters = search_clusters(range(len(units)), near, prices)
    assert sorted(unit for cluster in clusters for unit in cluster) == list(range(len(units)))
    assert all(len({units[unit][3] for unit in cluster}) == len(cluster) for cluster in clusters)
    cost = sum(prices.alone + sum(near[a][b] - 1 for a, b in combinations(cluster, 2)) for cluster in clusters)
    assert cost >= partition_units(units, n, how).cost - 1e-9


def clusters_from(units, rows):
    members = np.zeros((len(rows), units), dtype=bool)
    for place, (_, row) in enumerate(rows):
        members[place, list(row)] = True
    return Clusters(members, np.array([cost for cost, _ in rows]))


def test_where_prices_alone_do_not_decide(monkeypatch):
    """Half of each pair would be cheapest, so something is lost; remembering one cover, a sweep begins with a wrong pair."""
    monkeypatch.setattr("innominate.campaign.agreement.cover.FEW", 1)
    rows = [(10.0, (unit,)) for unit in range(3)] + [(1.0, (0, 1)), (1.2, (1, 2)), (1.1, (0, 2))]
    rows[0] = (9.0, (0,))
    assert cover_by_price(clusters_from(3, rows)) == ([(0,), (1, 2)], True)


@st.composite
def dense_stretches(draw):
    """Five annotators with up to three units each, all close to each other: hundreds of clusters."""
    owners = [who for who in range(5) for _ in range(draw(st.integers(1, 3)))]
    places = np.array(draw(st.lists(st.integers(0, 60), min_size=len(owners), max_size=len(owners))))
    apart = ((places[:, None] - places) / 10.0) ** 2
    same = np.array(owners)[:, None] == np.array(owners)
    return np.where(same & ~np.eye(len(owners), dtype=bool), np.inf, apart)


@settings(max_examples=40)
@given(dense_stretches())
def test_prices_find_what_a_sweep_through_everything_finds(apart):
    clusters = grow_clusters(apart, Prices.of(5, 1.0))
    rows = [
        (float(cost), tuple(np.flatnonzero(row).tolist())) for cost, row in zip(clusters.costs, clusters.members, strict=True)
    ]
    best, _, complete = cover_units(len(apart), rows)
    chosen, sure = cover_by_price(clusters)
    costs = {members: cost for cost, members in rows}
    assert complete
    assert sure
    assert sum(costs[members] for members in chosen) == pytest.approx(best, abs=1e-9)
    known = grow_clusters(apart, Prices.of(5, 1.0), known=best)
    assert len(known.costs) <= len(rows)
    assert {tuple(np.flatnonzero(row).tolist()) for row in known.members} >= set(chosen)
    assert costs_above_prices(clusters).min() >= 0
