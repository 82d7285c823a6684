"""Votes, unions and averages of opinions: what holds for any opinions, and a few that are worth a sentence."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from innominate.core import Score, Span, annotated
from innominate.detect.combine.ensemble.build import choose_weighing, score_by_label, score_strictly, weigh_members
from innominate.detect.combine.ensemble.detector import (
    EnsembleBallot,
    EnsembleCard,
    average_marginals,
    combine_opinions,
    count_votes,
)
from innominate.detect.dial.threshold import Marginals, runs

TEXT = "Vu par Dr Rochat avec Eva Lind a Nyon"
LABELS = frozenset({"DOCTOR", "PATIENT", "CITY"})


@st.composite
def opinion(draw):
    """Spans that do not overlap, as detectors give them."""
    ends = sorted(draw(st.sets(st.integers(0, len(TEXT)), max_size=8)))
    pairs = zip(ends[::2], ends[1::2], strict=False)
    return [Span(a, b, draw(st.sampled_from(sorted(LABELS))), draw(st.floats(0.01, 1)), "m") for a, b in pairs]


def covered(spans):
    return {place for span in spans for place in range(span.start, span.end) if TEXT[place].isalnum()}


def combined(how, opinions, **ballot):
    card = EnsembleCard(how, "fr", "chuv", (), tuple(LABELS), **ballot)
    return combine_opinions(card, [LABELS] * len(opinions), TEXT, opinions)


@given(st.lists(opinion(), min_size=2, max_size=4), opinion())
def test_the_union_misses_nothing_that_any_member_finds(opinions, gold):
    found = combined("union", opinions)
    assert covered(found) == set().union(*map(covered, opinions))
    for mine in opinions:  # recall of characters and of whole identifiers, whatever the gold
        assert len(covered(gold) & covered(found)) >= len(covered(gold) & covered(mine))
        assert sum(covered([one]) <= covered(found) for one in gold) >= sum(covered([one]) <= covered(mine) for one in gold)


@given(opinion(), st.integers(1, 4), st.sampled_from(["union", "majority", "weighted"]))
def test_where_all_agree_that_is_the_answer(mine, count, how):
    expected = [span for span in mine if any(map(str.isalnum, TEXT[span.start : span.end]))]
    found = combined(how, [mine] * count)
    assert [span for span in found if any(map(str.isalnum, TEXT[span.start : span.end]))] == expected


@given(st.lists(opinion(), min_size=3, max_size=5), st.randoms())
def test_a_majority_is_covered_and_what_nobody_sees_is_not_and_order_does_not_matter(opinions, rng):
    found = combined("majority", opinions)
    for place in range(len(TEXT)):
        votes = sum(place in covered(mine) for mine in opinions)
        if votes > len(opinions) / 2:
            assert place in covered(found)
        if not votes:
            assert place not in covered(found)
    assert all(not a.overlaps(b) for a in found for b in found if a != b)
    shuffled = list(opinions)
    rng.shuffle(shuffled)
    assert {(s.start, s.end, s.label) for s in combined("majority", shuffled)} == {(s.start, s.end, s.label) for s in found}


def spans(sentence):
    return list(annotated(sentence).spans)


@pytest.mark.parametrize(
    ("opinions", "answer"),
    [
        (["[Dr Rochat](DOCTOR)", "[Dr Rochat](DOCTOR)", "Dr [Rochat](DOCTOR)"], "[Dr Rochat](DOCTOR)"),
        (["[Dr Rochat](DOCTOR)", "Dr [Rochat](DOCTOR)", "Dr Rochat"], "Dr [Rochat](DOCTOR)"),
        (["Dr [Rochat](DOCTOR)", "Dr [Rochat](PATIENT)", "Dr Rochat"], "Dr [Rochat](DOCTOR)"),
        (["Dr [Rochat](DOCTOR)", "Dr [Rochat](PATIENT)", "Dr [Rochat](PATIENT)"], "Dr [Rochat](PATIENT)"),
        (["Dr [Rochat](DOCTOR)", "Dr Rochat", "Dr Rochat"], "Dr Rochat"),
        (["[Eva](PATIENT) [Lind](PATIENT)", "[Eva Lind](PATIENT)", "Eva Lind"], "[Eva](PATIENT) [Lind](PATIENT)"),
    ],
)
def test_how_a_majority_settles_overlaps(opinions, answer):
    wanted = annotated(answer)
    assert list(count_votes(wanted.text, [spans(one) for one in opinions], EnsembleBallot([LABELS] * 3))) == list(wanted.spans)


def test_a_member_that_does_not_know_a_label_has_no_vote_on_it():
    blind = EnsembleBallot([LABELS, frozenset({"CITY"}), frozenset({"CITY"})])
    assert count_votes("Eva", [[Span(0, 3, "PATIENT")], [], []], blind) == (Span(0, 3, "PATIENT"),)
    assert not count_votes("Eva", [[Span(0, 3, "CITY")], [], []], blind)


def test_the_word_of_a_member_that_is_good_at_a_label_weighs_more():
    opinions = [[Span(0, 3, "PATIENT")], [], []]
    weights = {"PATIENT": [0.99, 0.2, 0.2], "CITY": [0.1, 0.9, 0.9]}
    assert count_votes("Eva", opinions, EnsembleBallot([LABELS] * 3, weights)) == (Span(0, 3, "PATIENT"),)
    assert not count_votes("Eva", [[Span(0, 3, "CITY")], [], []], EnsembleBallot([LABELS] * 3, weights))


def test_weights_are_rates_on_dev_and_few_mentions_count_less():
    gold = [annotated("[Eva](PATIENT) [Rom](CITY)", str(i)) for i in range(9)]
    good = [[Span(0, 3, "PATIENT")]] * 9
    weights = weigh_members(gold, [good, [[]] * 9], "recall")
    assert weights == {"CITY": [0.05, 0.05], "PATIENT": [0.95, 0.05]}
    few = weigh_members(gold[:1], [good[:1], [[]]], "recall")
    assert few["PATIENT"] == [0.75, 0.25]
    assert score_by_label(gold, good)["CITY"] == Score(0, 0, 9)


def test_the_way_to_weigh_is_chosen_on_notes_that_took_no_part_in_their_weights():
    """A member that invents cities and two that never see them: precision must tell them apart."""
    gold = [annotated("[Eva](PATIENT) [Rom](CITY) Bern", f"n{i}") for i in range(12)]
    right = [[Span(0, 3, "PATIENT"), Span(4, 7, "CITY")]] * 12
    wrong = [[Span(0, 3, "PATIENT"), Span(8, 12, "CITY")]] * 12
    chosen = choose_weighing(gold, [right, wrong, wrong], [LABELS] * 3)
    assert chosen.held_out.f() == 1
    assert chosen.weights["CITY"][0] > 5 * chosen.weights["CITY"][1]
    assert score_strictly(gold, right).f() == 1


TAGS = ("O", "B-CITY", "I-CITY", "B-PATIENT", "I-PATIENT")


def cut(seed, tags=TAGS):
    """A belief about the text with cuts of its own, with gaps."""
    rng = np.random.default_rng(seed)
    places = np.unique(rng.integers(0, len(TEXT) + 1, 9)).tolist()
    pairs = [pair for pair in pairwise(places) if rng.random() < 0.9]
    probabilities = rng.dirichlet(np.full(len(tags), 0.5), len(pairs)).astype(np.float32).reshape(-1, len(tags))
    best = probabilities.argmax(1) if pairs else np.zeros(0, np.intp)
    return Marginals(TEXT, [a for a, _ in pairs], [b for _, b in pairs], tags, probabilities, best)


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=4))
def test_an_average_reads_what_anyone_reads_and_its_tags_can_follow_each_other(seeds):
    beliefs = [cut(seed) for seed in seeds]
    found = average_marginals(beliefs)
    read = {place for one in beliefs for a, b in zip(one.starts, one.ends, strict=True) for place in range(a, b)}
    assert read == {place for a, b in zip(found.starts, found.ends, strict=True) for place in range(a, b)}
    assert np.allclose(found.probabilities.sum(1), 1, atol=1e-4)
    before = "O"
    for number in found.best.tolist():
        assert found.tags[number][0] != "I" or before[2:] == found.tags[number][2:]
        before = found.tags[number]


@given(st.integers(0, 10_000), st.integers(1, 3))
def test_the_average_of_one_opinion_is_that_opinion(seed, count):
    one = cut(seed)
    found = average_marginals([one] * count)
    rows = [found.starts.index(start) for start in one.starts]
    assert np.allclose(found.probabilities[rows], one.probabilities, atol=1e-5)


def test_models_that_know_different_labels_are_averaged_by_those_who_know():
    first = Marginals("Eva", [0], [3], ("O", "B-CITY", "I-CITY"), np.array([[0.9, 0.1, 0]], np.float32), np.array([0]))
    second = Marginals("Eva", [0], [3], ("O", "B-PATIENT", "I-PATIENT"), np.array([[0.1, 0.9, 0]], np.float32), np.array([1]))
    found = average_marginals([first, second])
    assert [found.tags[number] for number in found.best] == ["B-PATIENT"]
    assert runs([found.tags[number] for number in found.best]) == [(0, 1, "PATIENT")]


def test_an_average_over_nothing_is_nothing():
    empty = Marginals("", [], [], TAGS, np.zeros((0, 5), np.float32), np.zeros(0, np.intp))
    assert len(average_marginals([empty, empty]).best) == 0


def test_a_card_comes_back_as_it_was_written(tmp_path):
    from innominate.detect.combine.ensemble.detector import read_card

    card = EnsembleCard("weighted", "fr", "chuv", ("rules", "../a b"), ("ÂGE",), "f1", {"ÂGE": [0.5, 1.0]}, 0.4, {"notes": 3})
    card.write(tmp_path)
    assert read_card(tmp_path) == card
