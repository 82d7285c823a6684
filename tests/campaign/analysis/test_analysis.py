"""The eight steps on small campaigns, and a campaign whose truth is known."""

import json
from datetime import datetime
from random import Random

import pytest

from innominate.campaign.agreement.gamma import Parameters
from innominate.campaign.analysis.analysis import AnalysisChoices, analyse
from innominate.campaign.analysis.result import summarise_analysis
from innominate.campaign.analysis.tasks import select_tasks
from innominate.campaign.records import Annotator, Answer, Sample
from innominate.core import Score, Span
from innominate.report.campaign import render_analysis

EVA, OLA = Annotator("eva", "gnocchi", goal=10), Annotator("ola", "farfalle")
SAMPLES = {f"n{n}": Sample(f"n{n}", "note", 0, 8, "Eva dort") for n in range(6)}
NAME = (Span(0, 3, "NAME"),)


def tasks(*answers):
    return select_tasks(answers, SAMPLES, {"eva": EVA, "ola": OLA})


def test_durations_run_over_ignored_answers_and_stop_at_breaks():
    found = tasks(
        Answer("1", "n0", "eva", at=100),
        Answer("2", "n1", "eva", at=106),
        Answer("3", "n2", "eva", at=116, decision="ignore"),
        Answer("4", "n3", "eva", at=120),
        Answer("5", "n4", "eva", at=120 + 301),
        Answer("6", "n5", "eva", at=120 + 601),
        Answer("7", "n0", "ola", at=107),
    )
    assert [task.seconds for task in found.tasks] == [None, 6, None, 4, None, 300]
    assert found.dropped == {"duplicate": 0, "ignored": 1}
    assert found.unknown_durations == 3


def test_rejected_training_and_repeated_answers_do_not_count():
    samples = {**SAMPLES, "t1": Sample("t1", "note", 0, 8, "Eva dort", training=True)}
    answers = [
        Answer("0", "t1", "eva", NAME, at=1),
        Answer("1", "n0", "eva", (), at=10),
        Answer("2", "n0", "eva", NAME, at=12, revision=1),
        Answer("3", "n1", "eva", NAME, at=20),
        Answer("4", "n1", "eva", NAME, at=21, revision=1, decision="reject"),
    ]
    found = select_tasks(answers, samples, {"eva": EVA})
    assert [(task.answer.id, task.seconds) for task in found.tasks] == [("2", 9)]  # the last word, the first clock
    assert found.dropped == {"training": 1, "duplicate": 2, "rejected": 1}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer("9", "n0", "siv"), "annotator 'siv' is not registered"),
        (Answer("9", "n0", "eva", meta={"team": "farfalle"}), "registered in team 'gnocchi', not 'farfalle'"),
        (Answer("9", "n9", "eva"), "sample 'n9' is not part of the campaign"),
        (Answer("9", "n0", "eva", (Span(5, 9, "NAME"),)), "ends at 9, after the 8 characters"),
        (Answer("1", "n0", "eva"), "its id has been used before"),
    ],
)
def test_an_impossible_answer_is_listed_and_the_rest_goes_on(answer, reason):
    found = tasks(Answer("1", "n0", "ola", NAME), answer, Answer("2", "n1", "eva"))
    assert [task.answer.id for task in found.tasks] == ["1", "2"]
    assert [reason in str(problem) for problem in found.problems] == [True]
    assert "Eva" not in str(found.problems[0])


def test_the_two_ways_of_counting():
    """One sample in full agreement, one in none, one empty, one of one person."""
    answers = [
        *(Answer(f"{who}0", "n0", who, NAME) for who in ("eva", "ola")),
        Answer("e1", "n1", "eva", NAME),
        Answer("o1", "n1", "ola", ()),
        *(Answer(f"{who}2", "n2", who) for who in ("eva", "ola")),
        Answer("e3", "n3", "eva", NAME),
    ]
    analysis = analyse(SAMPLES.values(), [EVA, OLA], answers, choices=AnalysisChoices(goal=20))
    result = summarise_analysis(analysis)
    bad = analysis.record_of("n1").gamma.value
    assert result["samples"] == {"several": 2, "empty": 1, "single": 1}
    assert (result["agreement"]["n"], result["agreement"]["n_with_empty"]) == (2, 3)
    assert result["agreement"]["mean"] == pytest.approx((1 + bad) / 2)
    assert result["agreement"]["mean_with_empty"] == pytest.approx((1 + bad + 1) / 3)
    assert result["scoreboard"]["goal"] == {"tasks": 7, "of": 30, "progress": pytest.approx(7 / 30)}
    assert analysis.record_of("n3").spans == NAME


def simulated(samples=160, people=6, seed=3):
    """Annotators of known care; everybody's errors are drawn apart."""
    rng = Random(seed)
    annotators = [Annotator(f"p{n}", f"team{n % 2}") for n in range(people)]
    miss = {person.id: 0.02 + 0.03 * n for n, person in enumerate(annotators)}
    texts, truth, answers = [], {}, []
    for n in range(samples):
        text = "abcdefghij " * 8
        truth[f"s{n}"] = [Span(p, p + 6, rng.choice("ABC")) for p in (3, 25, 50) if rng.random() < 0.6]
        texts.append(Sample(f"s{n}", "note", 0, len(text), text))
        for person in rng.sample(annotators, 3):
            spans = tuple(span for span in truth[f"s{n}"] if rng.random() >= miss[person.id])
            answers.append(Answer(f"a{len(answers)}", f"s{n}", person.id, spans, at=1000.0 + 5 * len(answers)))
    return texts, annotators, answers, truth, miss


def test_a_known_truth_is_recovered_and_nothing_is_lost():
    samples, annotators, answers, truth, miss = simulated()
    quick = Parameters(samples=5, precision=None)
    analysis = analyse(samples, annotators, answers, choices=AnalysisChoices(gamma=quick, pooled=quick))
    score = Score()
    for record in analysis.records:
        right = set(truth[record.sample])
        score += Score(len(right & set(record.spans)), len(set(record.spans) - right), len(right - set(record.spans)))
    assert score.precision == 1
    assert score.recall > 0.97
    found = {span for record in analysis.records for span in ((record.sample, span) for span in record.spans)}
    waiting = {(one.sample, Span(*one.at)) for one in analysis.pending}
    seen = {(answer.sample, span) for answer in answers for span in answer.spans}
    assert seen == found | waiting  # what anybody saw is in the reference or waits
    quality = {entry.name: entry.work.quality.index for entry in analysis.board.individuals}
    for who, share in miss.items():
        assert quality[who] == pytest.approx(1 - share, abs=0.05)


def test_the_result_holds_no_word_of_a_note_and_becomes_a_page():
    samples, annotators, answers, *_ = simulated(samples=20)
    quick = Parameters(samples=2, precision=None)
    result = summarise_analysis(analyse(samples, annotators, answers, choices=AnalysisChoices(gamma=quick, pooled=quick)))
    assert "abcdefghij" not in json.dumps(result)
    page = render_analysis(result, datetime(2022, 3, 13), "Contest")
    assert "Gamma per sample" in page
    assert "abcdefghij" not in page


def test_the_order_of_answers_does_not_matter():
    samples, annotators, answers, *_ = simulated(samples=30)
    quick = AnalysisChoices(gamma=Parameters(samples=2, precision=None), pooled=Parameters(samples=2, precision=None))
    shuffled = Random(1).sample(answers, len(answers))
    assert summarise_analysis(analyse(samples, annotators, answers, choices=quick)) == summarise_analysis(
        analyse(samples, annotators, shuffled, choices=quick)
    )
