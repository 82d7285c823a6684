"""The chain against all paths, written out."""

from itertools import pairwise, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from innominate.detect.crf.chain import Layout, _search_all, _search_possible, best_paths, marginals


@given(
    st.integers(0, 10**6),
    st.integers(2, 4),
    st.lists(st.integers(1, 5), min_size=1, max_size=4),
    st.sampled_from([0.1, 3, 30]),
)
def test_marginals_sums_and_best_paths_are_those_of_all_paths(seed, tags, lengths, spread):
    rng = np.random.default_rng(seed)
    scores = (spread * rng.normal(size=(sum(lengths), tags))).astype(np.float32)
    transitions = (spread * rng.normal(size=(tags, tags))).astype(np.float32)
    layout = Layout.of(np.cumsum(lengths))
    found, logs = marginals(scores, transitions, layout)
    paths = best_paths(scores, transitions, layout, (found, logs))
    begin = 0
    for length in lengths:
        rows = slice(begin, begin + length)
        expected, total, best = by_enumeration(scores[rows].astype(float), transitions.astype(float))
        assert np.abs(found[rows] - expected).max() < 1e-4
        assert abs(logs[layout.starts.tolist().index(begin)] - total) < 1e-3 * max(1, abs(total))
        path = paths[rows]
        score = scores[rows][np.arange(length), path].sum() + transitions[path[:-1], path[1:]].sum()
        assert abs(score - best) < 1e-3 * max(1, abs(best))  # another path may be as good, none is better
        begin += length


def by_enumeration(scores, transitions):
    length, tags = scores.shape
    paths = list(product(range(tags), repeat=length))
    values = np.array(
        [sum(scores[i, p[i]] for i in range(length)) + sum(transitions[a, b] for a, b in pairwise(p)) for p in paths]
    )
    weights = np.exp(values - values.max())
    expected = np.zeros((length, tags))
    for path, weight in zip(paths, weights / weights.sum(), strict=True):
        expected[np.arange(length), path] += weight
    return expected, values.max() + np.log(weights.sum()), values.max()


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 9))
def test_a_search_over_all_tags_finds_what_the_search_over_possible_ones_finds(seed, length, tags):
    rng = np.random.default_rng(seed)
    scores, transitions = rng.normal(size=(length, tags)), rng.normal(size=(tags, tags))
    everything = np.ones((length, tags), bool)
    assert _search_all(scores, transitions).tolist() == _search_possible(scores, transitions.tolist(), everything)
