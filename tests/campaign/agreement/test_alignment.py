"""Best alignments: hand-made cases, all partitions one by one, and the oracle."""

from itertools import combinations

import pytest
from continuums import continuum, shared, small_continuums
from hypothesis import given, settings
from hypothesis import strategies as st

from innominate.campaign.agreement.alignment import Continuum, Dissimilarity, best_alignment
from innominate.core import UsageError

CASES = shared("continuums.json")
EXPECTED = shared("expected.json")
WEIGHTS = {"alpha1_beta1": 1.0, "alpha3_beta1": 3.0}


def members(alignment):
    return {frozenset((who, tuple(unit)) for who, unit in one.units.items()) for one in alignment.unitary}


def test_a_boundary_and_an_omission():
    found = best_alignment(continuum({"eva": [[10, 20, "NAME"], [30, 40, "DATE"]], "ola": [[8, 20, "NAME"]]}))
    assert members(found) == {
        frozenset({("eva", (10, 20, "NAME")), ("ola", (8, 20, "NAME"))}),
        frozenset({("eva", (30, 40, "DATE"))}),
    }
    assert [one.disorder for one in found.unitary] == pytest.approx([(2 / 22) ** 2, 1.0])
    assert found.disorder == pytest.approx(((2 / 22) ** 2 + 1) / 1.5)


def test_somebody_who_marked_nothing_counts_among_the_pairs():
    found = best_alignment(continuum({"eva": [[0, 5, "NAME"]], "ola": [[0, 5, "NAME"]], "siv": []}))
    assert found.unitary[0].disorder == pytest.approx(2 / 3)
    assert found.disorder == pytest.approx((2 / 3) / (2 / 3))


def test_labels_of_one_group_are_less_unlike():
    two = continuum({"eva": [[0, 5, "CITY"]], "ola": [[0, 5, "STREET"]]})
    near = Dissimilarity(within=0.5, groups={"CITY": "PLACE", "STREET": "PLACE"})
    assert best_alignment(two).disorder == 1.0
    assert best_alignment(two, near).disorder == 0.5


@pytest.mark.parametrize("annotators", [{"eva": [[0, 5, "NAME"]]}, {"eva": [], "ola": []}, {}])
def test_what_cannot_be_aligned_is_refused(annotators):
    with pytest.raises(UsageError, match="two annotators and one unit"):
        best_alignment(continuum(annotators))


def all_partitions(units):
    """Every way of grouping units so that nobody has two in a group."""
    if not units:
        yield []
        return
    first, rest = units[0], units[1:]
    for size in range(len(rest) + 1):
        for others in combinations(rest, size):
            group = (first, *others)
            if len({owner for owner, _ in group}) == len(group):
                left = [unit for unit in rest if unit not in others]
                yield from ([group, *more] for more in all_partitions(left))


def disorder_by_hand(groups, annotators, dissimilarity):
    pairs = annotators * (annotators - 1) / 2
    total = 0.0
    for group in groups:
        present = sum(dissimilarity.between(a, b) for (_, a), (_, b) in combinations(group, 2))
        total += (present + (pairs - len(group) * (len(group) - 1) / 2) * dissimilarity.delta) / pairs
    return total


@pytest.mark.parametrize("most", [100_000, 4], ids=["all clusters", "known cost"])
@settings(max_examples=40)
@given(small_continuums(), st.sampled_from([0.5, 1.0, 3.0]), st.sampled_from([0.0, 1.0, 2.0]))
def test_no_partition_is_better(most, found, alpha, beta):
    """With all clusters, and with those alone that may be in a better partition than a good one."""
    how = Dissimilarity(alpha, beta)
    units = [(who, unit) for who, units in found.units.items() for unit in units]
    n = len(found.annotators)
    best = min(disorder_by_hand(groups, n, how) for groups in all_partitions(units)) / (len(units) / n)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("innominate.campaign.agreement.clusters.MOST_CLUSTERS", most)
        alignment = best_alignment(found, how)
    assert alignment.exact or most == 4
    if alignment.exact:
        assert alignment.disorder == pytest.approx(best, abs=1e-9)
    assert sorted(unit for one in alignment.unitary for unit in one.units.items()) == sorted(units)


@settings(max_examples=40)
@given(small_continuums())
def test_names_of_annotators_do_not_matter(found):
    renamed = Continuum({f"z{9 - place}": units for place, units in enumerate(found.units.values())})
    assert best_alignment(renamed).disorder == pytest.approx(best_alignment(found).disorder, abs=1e-12)


def test_a_crowd_is_aligned_too_and_said_to_be_approximate(monkeypatch):
    crowd = {f"a{n:02}": [[10, 20 + n % 3, "NAME"], [24, 30 + n % 2, "DATE"], [40, 44, "AGE"]] for n in range(20)}
    monkeypatch.setattr("innominate.campaign.agreement.clusters.MOST_CLUSTERS", 50)
    found = best_alignment(continuum(crowd))
    assert not found.exact
    assert sorted(len(one.units) for one in found.unitary) == [20, 20, 20]


@pytest.mark.skipif(not CASES, reason="skipped: ../shared/oracles not found")
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", [name for name in CASES if name != "g15_all_empty"])
def test_oracle(name, weights):
    expected = EXPECTED["continuums"][name][weights]
    found = best_alignment(continuum(CASES[name]["annotators"]), Dissimilarity(alpha=WEIGHTS[weights]))
    assert found.exact
    assert found.disorder == pytest.approx(expected["disorder_float64"], abs=1e-9)
    if expected["unique"]:
        wanted = {
            frozenset((who, tuple(unit)) for who, unit in one["units"].items() if unit): one["disorder"]
            for one in expected["unitary_alignments"]
        }
        assert members(found) == wanted.keys()
        for one in found.unitary:
            key = frozenset((who, tuple(unit)) for who, unit in one.units.items())
            assert one.disorder == pytest.approx(wanted[key], abs=1e-5)
