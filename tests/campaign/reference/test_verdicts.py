"""Votes, corrections, the decision queue and weighted votes."""

import json

import pytest
from continuums import continuum, shared
from hypothesis import example, given, settings
from hypothesis import strategies as st

from innominate.campaign.agreement.alignment import Continuum, MarkedUnit
from innominate.campaign.agreement.gamma import Parameters, compute_gamma
from innominate.campaign.records import Sample
from innominate.campaign.reference.decisions import apply_corrections, check_queue_place, parse_corrections, queue_decisions
from innominate.campaign.reference.verdicts import count_votes, vote_on_sample
from innominate.campaign.reference.weighted_votes import estimate_by_dawid_skene, weigh_votes, weights_by_quality
from innominate.core import Span, UsageError, annotated
from innominate.evaluate.counts import covered

CASES, MAJORITY = shared("continuums.json"), shared("expected.json").get("majority_reference", {})
QUICK = Parameters(samples=2, precision=None)


def voted(*sentences, sample="n1"):
    """The record of one sample, from what a, b, c ... marked in it."""
    documents = [annotated(sentence) for sentence in sentences]
    assert len({document.text for document in documents}) == 1
    some = Continuum.of({chr(ord("a") + number): document.spans for number, document in enumerate(documents)})
    several = some.size and len(some.annotators) > 1
    text = Sample(sample, "note", 0, len(documents[0].text), documents[0].text)
    return vote_on_sample(sample, some, compute_gamma(some, QUICK) if several else None), {sample: text}


def told(entry, samples):
    return parse_corrections([json.dumps(entry, ensure_ascii=False)], samples)


@pytest.mark.skipif(not MAJORITY, reason="skipped: ../shared/oracles not found")
@pytest.mark.parametrize("name", MAJORITY)
def test_oracle(name):
    some = continuum(CASES[name]["annotators"])
    found, expected = vote_on_sample(name, some, compute_gamma(some, QUICK)), MAJORITY[name]
    votes = {frozenset((who, tuple(unit)) for who, unit in one["units"].items() if unit): one for one in expected["votes"]}
    assert len(found.aligned) == len(votes)
    for aligned in found.aligned:
        one = votes[frozenset((who, tuple(unit)) for who, unit in aligned.units.items())]
        for side, verdict in (("segment", aligned.segment), ("category", aligned.category)):
            value = list(verdict.value) if isinstance(verdict.value, tuple) else verdict.value
            assert (verdict.known, verdict.vote.most) == (one[side]["decided"], one[side]["votes"])
            assert value == (one[side]["value"] if one[side]["decided"] else None)
    assert [[span.start, span.end, span.label] for span in found.spans] == sorted(expected["reference"])


def test_a_tie_decides_nothing():
    votes = count_votes({"a": MarkedUnit(0, 3, "NAME")}, ["a", "b"])
    assert not votes.segment.decided
    assert not votes.category.decided


def test_a_majority_for_nothing_is_a_decision():
    found, _ = voted("[Eva](NAME) dort", "Eva dort", "Eva dort")
    (aligned,) = found.aligned
    assert (aligned.segment.known, aligned.segment.value, aligned.span) == (True, None, None)


def test_one_annotator_and_none_are_kept_apart():
    single, _ = voted("[Eva](NAME) dort")
    empty, _ = voted("Eva dort", "Eva dort")
    assert (single.kind, single.agreement, len(single.spans)) == ("single", None, 1)
    assert (empty.kind, empty.agreement, empty.spans) == ("empty", 1.0, ())


def test_a_correction_takes_precedence_over_a_majority():
    found, samples = voted("[Eva](NAME) dort", "Eva dort", "Eva dort")
    given, problems = told({"sample": "n1", "at": [0, 3], "segment": [0, 3], "category": "NAME", "by": "mk"}, samples)
    (after,), unknown = apply_corrections([found], given)
    assert (problems, unknown) == ([], [])
    assert after.spans == (Span(0, 3, "NAME"),)
    assert after.spans[0].source == "correction"
    assert after.aligned[0].by == "mk"


def test_one_side_alone_may_be_corrected():
    found, samples = voted("[lit A](ROOM)", "lit [A](ROOM)", "lit A")
    given, _ = told({"sample": "n1", "at": [4, 5], "segment": [0, 5]}, samples)
    (after,), _ = apply_corrections([found], given)
    assert after.spans == (Span(0, 5, "ROOM"),)
    assert not after.aligned[0].category.corrected


def test_null_says_that_nothing_is_there():
    found, samples = voted("[Eva](NAME) dort", "[Eva](NAME) dort")
    given, _ = told({"sample": "n1", "at": [0, 3], "category": None}, samples)
    (after,), _ = apply_corrections([found], given)
    assert after.spans == ()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not a JSON object"),
        ("[1]", "not a JSON object"),
        ('{"sample": "n2", "at": [0, 3], "segment": null}', "sample 'n2' is not part of the campaign"),
        ('{"sample": "n1", "segment": null}', "`at` is"),
        ('{"sample": "n1", "at": [0, 3]}', "neither a segment nor a category"),
        ('{"sample": "n1", "at": [0, 3], "segment": [0, 99]}', "within the 8 characters"),
        ('{"sample": "n1", "at": [0, 3], "segment": [3, 3]}', "within the 8 characters"),
        ('{"sample": "n1", "at": [0, 3], "category": "NAMME"}', "'NAMME' is not in the taxonomy"),
        ('{"sample": "n1", "at": [0, 3], "segment": null, "decision": "maybe"}', "keep, drop or empty"),
    ],
)
def test_a_line_that_is_no_correction_is_listed_and_the_rest_goes_on(line, reason):
    found, samples = voted("[Eva](NAME) dort", "Eva dort")
    good = '{"sample": "n1", "at": [0, 3], "segment": [0, 3], "category": "NAME"}'
    given, problems = parse_corrections(["", line, good], samples, ["NAME"])
    assert [problem.line for problem in problems] == [2]
    assert reason in str(problems[0])
    (after,), _ = apply_corrections([found], given)
    assert len(after.spans) == 1


def test_a_correction_that_names_no_alignment_is_listed_with_its_line_and_changes_nothing():
    found, samples = voted("[Eva](NAME) dort", "Eva dort")
    given, _ = told({"sample": "n1", "at": [4, 8], "segment": [4, 8], "category": "NAME"}, samples)
    after, problems = apply_corrections([found], given)
    assert after == [found]
    assert [str(problem) for problem in problems] == ["line 1: correction: 4..8 of sample 'n1' names no alignment"]


def test_two_labels_on_one_span_need_the_label():
    some = continuum({"a": [[0, 3, "NAME"], [0, 3, "KIN"]], "b": [[0, 3, "NAME"]], "c": []})
    found = vote_on_sample("n1", some, compute_gamma(some, QUICK))
    samples = {"n1": Sample("n1", "note", 0, 8, "Eva dort")}
    vague, _ = told({"sample": "n1", "at": [0, 3], "segment": None}, samples)
    _, problems = apply_corrections([found], vague)
    assert "names 2 alignments; add the label" in str(problems[0])
    exact, _ = told({"sample": "n1", "at": [0, 3, "KIN"], "segment": [0, 3], "category": "KIN"}, samples)
    (after,), problems = apply_corrections([found], exact)
    assert (problems, set(after.spans)) == ([], {Span(0, 3, "KIN"), Span(0, 3, "NAME")})


def test_what_one_of_three_saw_waits_for_a_decision():
    found, samples = voted("[Eva](NAME) voit [Ola](NAME)", "[Eva](NAME) voit Ola", "[Eva](NAME) voit Ola")
    (pending,) = queue_decisions([found], samples)
    assert (pending.cause, pending.at, pending.votes, pending.of) == ("minority", (9, 12, "NAME"), 1, 3)
    assert json.loads(pending.as_line(samples["n1"].text))["text"] == "Ola"


def test_limits_that_leave_out_letters_wait_and_a_comma_does_not():
    found, samples = voted("[Eva Ek](NAME), [5 mai](DATE)", "[Eva](NAME) Ek, [5 mai](DATE)", "[Eva](NAME) Ek, [5 mai](DATE)")
    (pending,) = queue_decisions([found], samples)
    assert (pending.cause, pending.segment, pending.otherwise) == ("limits", (0, 6), (0, 3, "NAME"))
    comma, samples = voted("[Eva,](NAME) dort", "[Eva](NAME), dort", "[Eva](NAME), dort")
    assert queue_decisions([comma], samples) == []


@pytest.mark.parametrize(
    ("decision", "spans"),
    [("keep", (Span(0, 6, "NAME"),)), ("drop", (Span(0, 3, "NAME"),)), ("", (Span(0, 3, "NAME"),))],
)
def test_a_line_of_the_queue_becomes_a_correction(decision, spans):
    found, samples = voted("[Eva Ek](NAME) dort", "[Eva](NAME) Ek dort", "[Eva](NAME) Ek dort")
    (pending,) = queue_decisions([found], samples)
    line = json.dumps({**json.loads(pending.as_line()), "decision": decision, "by": "mk"})
    given, problems = parse_corrections([line], samples, ["NAME"])
    (after,), _ = apply_corrections([found], given)
    assert (problems, after.spans) == ([], spans)
    assert len(queue_decisions([after], samples)) == (1 if decision == "" else 0)


def test_decisions_are_never_written_over(tmp_path):
    place = tmp_path / "queue.jsonl"
    found, samples = voted("[Eva](NAME) dort", "Eva dort")
    (pending,) = queue_decisions([found], samples)
    check_queue_place(place, [])
    place.write_text(pending.as_line() + "\n", encoding="utf-8")
    check_queue_place(place, [])
    with pytest.raises(UsageError, match="both given and to be written"):
        check_queue_place(place, [place])
    place.write_text(pending.as_line().replace('"decision": ""', '"decision": "keep"') + "\n", encoding="utf-8")
    with pytest.raises(UsageError, match="somebody has decided here"):
        check_queue_place(place, [])


marks = st.lists(st.tuples(st.integers(0, 16), st.integers(1, 6), st.sampled_from(["NAME", "DATE"])), max_size=3)


@settings(max_examples=60)
@given(st.lists(marks, min_size=1, max_size=4))
@example([[], [(0, 1, "NAME"), (1, 1, "NAME")]])  # whatever is drawn by chance agrees
def test_nothing_that_anybody_marked_is_lost_without_waiting(everybody):
    """Every character that an annotator marked is in the reference or in the queue."""
    text = "abcdefghijklmnopqrstuvwx"
    units = {f"a{n}": [Span(s, s + length, label) for s, length, label in some] for n, some in enumerate(everybody)}
    some = Continuum.of(units)
    found = vote_on_sample("n1", some, compute_gamma(some, QUICK) if some.size and len(units) > 1 else None)
    pending = queue_decisions([found], {"n1": Sample("n1", "note", 0, len(text), text)})
    waiting = {one.at for one in pending}
    kept = covered(found.spans)
    for aligned in found.aligned:
        seen = covered([Span(int(unit.start), int(unit.end), unit.label) for unit in aligned.units.values()])
        named = {(int(unit.start), int(unit.end), unit.label) for unit in aligned.units.values()}
        assert not seen & ~kept or named & waiting


def crowd(careless):
    """Twenty samples of three annotators, of whom the third is careless in some."""
    right, wrong = "[Eva](NAME) dort", "Eva [dort](DATE)"
    return [voted(right, right, wrong if n < careless else right, sample=f"n{n}")[0] for n in range(20)]


def test_the_index_weighs_votes():
    weights = weights_by_quality(crowd(10))
    assert weights["a"] == weights["b"] == 1
    assert weights["c"] < 1
    two, _ = voted("[Eva](NAME) dort", "[Eva](NAME) dort", "Eva dort", sample="last")
    after, chances = weigh_votes([*crowd(10), two], "index")
    assert chances == {}
    assert after[-1].spans == (Span(0, 3, "NAME"),)


def test_a_good_annotator_outvotes_a_bad_one_under_weights():
    records = [*crowd(19), voted("[Eva](NAME) dort", "Eva dort", sample="tie")[0]]
    renamed = records[-1].aligned[0]
    assert not renamed.category.known
    pair = Continuum({"a": [MarkedUnit(0, 3, "NAME")], "c": []})
    tie = vote_on_sample("tie", pair, compute_gamma(pair, QUICK))
    after, _ = weigh_votes([*crowd(19), tie], "index")
    assert after[-1].spans == (Span(0, 3, "NAME"),)
    assert after[-1].aligned[0].category.vote.counts == {"NAME": 1, None: 1}  # heads stay as they were


def test_dawid_and_skene_find_the_careless_one_and_order_the_queue():
    pair = Continuum({"a": [MarkedUnit(0, 3, "NAME")], "c": []})
    other = Continuum({"a": [], "c": [MarkedUnit(4, 8, "DATE")]})
    ties = [
        vote_on_sample("good", pair, compute_gamma(pair, QUICK)),
        vote_on_sample("bad", other, compute_gamma(other, QUICK)),
    ]
    after, chances = weigh_votes([*crowd(15), *ties], "dawid-skene")
    assert chances["good", (0, 3)] > 0.9
    assert chances["bad", (4, 8)] < 0.5
    samples = {one.sample: Sample(one.sample, "note", 0, 8, "Eva dort") for one in after}
    waiting = [one.sample for one in queue_decisions(after, samples, chances)]
    assert "bad" in waiting
    assert after[-2].spans == (Span(0, 3, "NAME"),)


def test_dawid_and_skene_recover_known_accuracies():
    from random import Random

    rng, accuracy = Random(5), {"a": 0.95, "b": 0.9, "c": 0.7}
    items, truth = [], []
    for _ in range(1500):
        label = rng.choice(["NAME", "DATE", None])
        wrong = [other for other in ("NAME", "DATE", None) if other != label]
        items.append([(who, label if rng.random() < share else rng.choice(wrong)) for who, share in accuracy.items()])
        truth.append(label)
    found = estimate_by_dawid_skene(items)
    assert found.accuracy == pytest.approx(accuracy, abs=0.03)
    right = sum(max(guess, key=guess.get) == label for guess, label in zip(found.categories, truth, strict=True))
    assert right / len(items) > 0.95
