"""Gamma: the library's seeded values, the large samples of the oracle, and what must hold for any continuum."""

import json
import os
from itertools import islice

import pytest
from continuums import LIBRARY, continuum, shared, small_continuums
from hypothesis import given, settings

from innominate.campaign.agreement.alignment import Continuum, Dissimilarity
from innominate.campaign.agreement.gamma import Parameters, compute_gamma, disorders_by_chance, mean_and_deviation
from innominate.campaign.agreement.library import library_gammas
from innominate.core import UsageError, annotated

CASES = shared("continuums.json")
EXPECTED = shared("expected.json").get("continuums", {})
WITH_GAMMA = [name for name in CASES if name != "g15_all_empty"]
RECORDED = json.loads(LIBRARY.read_text(encoding="utf-8"))["cases"]
slow = pytest.mark.skipif("INNOMINATE_SLOW" not in os.environ, reason="slow: set INNOMINATE_SLOW=1")
oracle = pytest.mark.skipif(not CASES, reason="skipped: ../shared/oracles not found")


def of_sentences(sentences):
    return Continuum.of({f"a{number}": annotated(sentence).spans for number, sentence in enumerate(sentences)})


@pytest.mark.parametrize("name", RECORDED)
def test_the_same_seed_gives_the_value_of_the_library(name):
    found, expected = compute_gamma(of_sentences(RECORDED[name]["sentences"])), RECORDED[name]["gamma"]
    assert found.value == pytest.approx(expected["value"], abs=1e-6)
    assert found.observed == pytest.approx(expected["observed"], abs=1e-6)
    assert found.expected == pytest.approx(expected["expected"], abs=1e-6)
    assert found.samples == expected["samples"]


@oracle
@pytest.mark.parametrize("name", WITH_GAMMA)
def test_oracle_seeded(name):
    expected = EXPECTED[name]["gamma_seeded"]
    some = continuum(CASES[name]["annotators"])
    how = Parameters(seed=expected["seed"], samples=expected["n_samples"], precision=expected["precision_level"])
    found = compute_gamma(some, how)
    assert found.value == pytest.approx(expected["gamma"], abs=1e-5)
    if found.observed:
        assert (found.samples, found.expected) == (expected["n_samples_used"], pytest.approx(expected["expected_disorder"]))
    else:  # nothing needs to be drawn for a gamma of 1, so the draws are looked at by themselves
        drawn = list(islice(disorders_by_chance(some, how, Dissimilarity()), expected["n_samples_used"]))
        assert mean_and_deviation(drawn)[0] == pytest.approx(expected["expected_disorder"], abs=1e-5)


@oracle
@pytest.mark.parametrize("name", WITH_GAMMA)
def test_oracle_with_random_numbers_of_its_own(name):
    """Another seed: within four standard errors of both."""
    expected = EXPECTED[name]["gamma_large"]
    found = compute_gamma(continuum(CASES[name]["annotators"]), Parameters(seed=99, samples=200, precision=None))
    if found.expected is None:
        assert found.value == expected["gamma"] == 1
        return
    error = (found.deviation**2 / found.samples + expected["expected_disorder_standard_error"] ** 2) ** 0.5
    assert abs(found.value - expected["gamma"]) <= 4 * found.observed / found.expected**2 * error


@oracle
@pytest.mark.parametrize("annotators", [{"A": [], "B": []}, {"A": [[0, 3, "NAME"]]}])
def test_where_the_library_raises_so_do_we(annotators):
    with pytest.raises(UsageError):
        compute_gamma(continuum(annotators))


@settings(max_examples=30)
@given(small_continuums())
def test_gamma_is_at_most_one_and_one_only_for_full_agreement(some):
    found = compute_gamma(some, Parameters(samples=5, precision=None))
    same = len(set(some.units.values())) == 1
    assert found.value == 1 if same else found.value < 1


@slow
def test_the_library_itself():
    cases = {name: of_sentences(case["sentences"]) for name, case in RECORDED.items()}
    found = library_gammas(cases, Parameters())
    for name, case in RECORDED.items():
        assert found[name] == pytest.approx(case["gamma"], abs=1e-6)


def test_the_library_is_asked_only_what_it_gets_right():
    with pytest.raises(UsageError, match="delta = 1"):
        library_gammas({}, Parameters(delta=2.0))
