"""The seven steps of Loftsson 2022, section 5.1, and the variant with rare categories first."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from innominate.campaign.reference.splits import (
    METHODS,
    Piece,
    SetShares,
    compare_splits,
    group_pieces,
    split_pieces,
    target_counts,
)
from innominate.core import Document, Span, UsageError

LABELS = ["DATE", "RUE", "PAYS", "IPP"]


def corpus(n=400, seed=1):
    """Samples of a contest: frequent and rare categories, one to eight annotators, better gammas where more agree."""
    rng = Random(seed)
    pieces = []
    for number in range(n):
        counts = Counter(rng.choices(LABELS, weights=[60, 20, 8, 4], k=rng.choice([0, 0, 1, 1, 2, 3])))
        people = rng.choice([1, 1, 1, 2, 3, 5, 8])
        gamma = None if people == 1 else 1.0 if not counts else min(1.0, rng.gauss(0.85, 0.15))
        pieces.append(Piece((f"s{number}",), dict(counts), gamma, people))
    return pieces


pieces = st.lists(
    st.builds(
        lambda counts, gamma, people: (counts, gamma, people),
        st.dictionaries(st.sampled_from(LABELS), st.integers(1, 3), max_size=3),
        st.none() | st.floats(-0.5, 1),
        st.integers(1, 8),
    ),
    min_size=10,
    max_size=60,
).map(lambda some: [Piece((str(number),), *one) for number, one in enumerate(some)])


def test_the_seven_steps_by_hand():
    best = Piece(("best",), {"DATE": 1}, 1.0, 4)
    crowded = Piece(("crowded",), {"DATE": 3}, 0.98, 8)  # the same bin, more annotators, but above the target of 1
    good = Piece(("good",), {"DATE": 1}, 0.9, 2)
    rest = [Piece((f"r{n}",), {"DATE": 1}, 0.5, 2) for n in range(5)]
    empty = [Piece(("e1",), {}, 1.0, 5), Piece(("e2",), {}, None, 1)]
    found = split_pieces([*rest, good, crowded, best, *empty], "stratified", SetShares(0.1, 0.1))
    assert found.samples("test") == {"best"}
    assert found.samples("validation") == {"good"}
    assert "crowded" in found.samples("training")


def test_empty_samples_complete_a_set_the_best_first():
    marked = [Piece((f"m{n}",), {"DATE": 1}, 1.0, 2) for n in range(10)]
    empty = [Piece((f"e{n}",), {}, 1.0, n + 1) for n in range(10)]
    found = split_pieces([*marked, *empty], "stratified", SetShares(0.2, 0.2))
    assert found.samples("test") == {"m0", "m1", "e9", "e8"}
    assert found.samples("validation") == {"m2", "m3", "e7", "e6"}


@pytest.mark.parametrize("method", ["stratified", "rare-first"])
def test_test_and_validation_are_better_than_training(method):
    _, result = compare_splits(corpus(), method)
    sets = result["methods"][method]["sets"]
    for name in ("test", "validation"):
        assert sets[name]["gamma"] > sets["training"]["gamma"]
        assert sets[name]["gamma_of_marked"] > sets["training"]["gamma_of_marked"]
        assert sets[name]["annotators"] > sets["training"]["annotators"]
    assert sets["test"]["annotators"] > sets["validation"]["annotators"]


def test_random_is_further_from_the_targets():
    _, result = compare_splits(corpus(), "rare-first")
    distance = {method: one["distance"]["test"] for method, one in result["methods"].items()}
    assert distance["rare-first"] <= distance["stratified"] < distance["random"]
    assert not result["methods"]["rare-first"]["sets"]["test"]["below"]


@given(pieces)
@settings(max_examples=60)
def test_nothing_is_lost_or_doubled(some):
    for method in METHODS:
        found = split_pieces(some, method, seed=3)
        ids = [id for name in found.sets for piece in found.sets[name] for id in piece.samples]
        assert sorted(ids) == sorted(id for piece in some for id in piece.samples)


@given(pieces)
@settings(max_examples=60)
def test_the_seven_steps_never_exceed_a_target(some):
    wanted, found = target_counts(some, SetShares()), split_pieces(some, "stratified")
    for name in ("test", "validation"):
        counts = Counter()
        for piece in found.sets[name]:
            counts.update(piece.counts)
        assert all(counts[label] <= wanted[name][label] for label in counts)


@given(pieces)
@settings(max_examples=60)
def test_rare_first_is_never_below_a_target_while_there_is_enough(some):
    wanted, found = target_counts(some, SetShares()), split_pieces(some, "rare-first")
    left = Counter()
    for piece in some:
        left.update(piece.counts)
    for name in ("test", "validation"):
        counts = Counter()
        for piece in found.sets[name]:
            counts.update(piece.counts)
        assert all(counts[label] >= min(target, left[label]) for label, target in wanted[name].items())
        left -= counts


def test_patients_are_not_torn_apart():
    documents = [
        Document(f"n{n}#1", "3 mai", (Span(0, 5, "DATE"),), {"patient": f"p{n // 4}", "gamma": n / 40, "n_annotators": 2})
        for n in range(40)
    ]
    found = split_pieces(group_pieces(documents, "patient"), "rare-first", SetShares(0.2, 0.2))
    homes = {}
    for name in found.sets:
        for id in found.samples(name):
            homes.setdefault(int(id[1:-2]) // 4, set()).add(name)
    assert all(len(names) == 1 for names in homes.values())
    assert len(found.samples("test")) == 8


def test_shares_must_leave_something_for_training():
    with pytest.raises(UsageError, match="training"):
        SetShares(0.5, 0.5)
