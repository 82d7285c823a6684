"""Two systems on one gold, and the statistics behind it."""

from math import comb, isclose, isnan
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innominate.core import UsageError, annotated
from innominate.evaluate import compare
from innominate.evaluate.stats import (
    McNemar,
    beta_quantile,
    binomial_cdf,
    bootstrap,
    bootstrap_pairs,
    clopper_pearson,
    incomplete_beta,
    student,
    t_cdf,
    t_quantile,
)

GOLD = [annotated(f"[Eva](NAME) and [Ada](NAME) met on [{day} May](DATE).", f"n{day}") for day in range(1, 21)]


def masking(share):
    """A system that finds this share of the spans of each document."""
    return [document.with_spans(document.spans[: round(share * len(document.spans))]) for document in GOLD]


def pairs(share):
    return list(zip(GOLD, masking(share), strict=True))


def test_the_better_system_is_better_and_the_tests_say_so():
    found = compare.score({"good": pairs(1), "weak": pairs(1 / 3)}, times=200)
    assert found["table"]["good"]["strict"]["f1"] == 1
    (pair,) = found["pairs"]
    assert pair["any_label_recall"]["difference"] == pytest.approx(2 / 3)
    assert pair["strict_f1"]["p_two_sided"] < 0.02
    assert pair["mcnemar_tokens"]["first_only"] == 60  # Ada, the day and the month, 20 times
    assert pair["mcnemar_tokens"]["second_only"] == 0
    assert len(pair["differ"]) == 40
    assert pair["differ"][0] == {"document": "n1", "start": 8, "end": 11, "label": "NAME", "masked_by": "first"}


def test_a_system_does_not_differ_from_itself():
    (pair,) = compare.score({"a": pairs(2 / 3), "b": pairs(2 / 3)}, times=50)["pairs"]
    assert pair["strict_f1"] == {"difference": 0, "ci95": [0, 0], "p_two_sided": 1}
    assert pair["mcnemar_tokens"]["p_two_sided"] == 1
    assert pair["differ"] == []


def test_three_systems_are_compared_pair_by_pair():
    found = compare.score({"a": pairs(1), "b": pairs(2 / 3), "c": pairs(0)}, times=20)
    assert [(pair["first"], pair["second"]) for pair in found["pairs"]] == [("a", "b"), ("a", "c"), ("b", "c")]


def test_systems_on_different_documents_are_refused():
    with pytest.raises(UsageError, match="same documents"):
        compare.score({"a": pairs(1), "b": pairs(1)[1:]})


@given(st.integers(0, 40), st.integers(1, 40), st.floats(0.01, 0.99))
def test_the_binomial_distribution_is_the_sum_of_its_terms(k, n, p):
    k = min(k, n)
    exact = sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1))
    assert isclose(binomial_cdf(k, n, p), exact, rel_tol=1e-10, abs_tol=1e-14)


@given(st.floats(0.001, 0.999), st.floats(0.3, 400), st.floats(0.3, 400))
def test_the_quantile_is_the_inverse(probability, a, b):
    assert isclose(incomplete_beta(a, b, beta_quantile(probability, a, b)), probability, rel_tol=1e-6)


@given(st.integers(0, 200), st.integers(1, 200))
def test_a_bound_holds_the_rate_and_is_symmetric(k, n):
    k = min(k, n)
    low, high = clopper_pearson(k, n)
    assert low <= k / n <= high
    mirrored = clopper_pearson(n - k, n)
    assert isclose(1 - low, mirrored.high, rel_tol=1e-12)
    assert high >= clopper_pearson(k, n, 0.8).high


def test_a_rate_above_one_is_refused():
    with pytest.raises(UsageError):
        clopper_pearson(3, 2)


def test_t_distribution_known_values():
    assert t_cdf(0, 5) == 0.5
    assert isclose(t_quantile(0.975, 10), 2.2281388519862744, rel_tol=1e-12)
    assert isnan(t_cdf(float("nan"), 3))


def test_a_large_offset_does_no_harm():
    a, b = [1.0, 2.0, 3.5], [2.0, 4.0, 6.5]
    far = student([x + 1e9 for x in a], [x + 1e9 for x in b])
    assert isclose(far.t, student(a, b).t, rel_tol=1e-6)


def test_mcnemar_by_hand():
    assert McNemar(0, 0).p == 1
    assert McNemar(10, 0).p == pytest.approx(2 / 2**10)
    assert McNemar(3, 8).p == McNemar(8, 3).p


def test_bootstraps_are_repeatable():
    rows = [(i % 3, 3) for i in range(30)]
    share = {"share": lambda sums: sums[0] / sums[1]}
    assert bootstrap(rows, share, Random(3)) == bootstrap(rows, share, Random(3))
    assert bootstrap([], share, Random(3))["share"] == (0, 1)
    worse = [(0, 3) for _ in rows]
    assert bootstrap_pairs(rows, worse, share["share"], Random(3), times=100).p == pytest.approx(2 / 101)
