"""Feedback: the worked examples of Loftsson 2022, figures 3.5 and 3.6, literally, and the pages."""

import json
from datetime import datetime

import pytest

from innominate.campaign.agreement.gamma import Parameters
from innominate.campaign.analysis.analysis import AnalysisChoices, analyse
from innominate.campaign.analysis.scoreboard import Entry, Work
from innominate.campaign.feedback.feedback import (
    Comment,
    Feedback,
    collect_comments,
    list_corrections,
    make_feedback,
    read_comments,
)
from innominate.campaign.records import Annotator, Answer, Sample
from innominate.campaign.reference.decisions import Correction
from innominate.campaign.reference.verdicts import Judgement, Quality, judge_records, measure_qualities
from innominate.core import Span, annotated
from innominate.labels import taxonomy
from innominate.report.feedback import render_feedback, write_feedback

LABELS = {label.name: f"{label.category}:{label.name}" for label in taxonomy("chuv").labels.values()}
NOW = datetime(2022, 3, 13, 10, 54, 11)
QUICK = AnalysisChoices(gamma=Parameters(samples=2, precision=None), pooled=Parameters(samples=2, precision=None))


def contest(*sentences, corrections=(), who="linguine"):
    """One sample; the first sentence is what linguine marked, the others are of p1, p2 ..."""
    documents = [annotated(sentence) for sentence in sentences]
    names = [who, *(f"p{number}" for number in range(1, len(documents)))]
    people = [Annotator(name, "gnocchi" if name == who else "farfalle") for name in names]
    sample = Sample("n1", "note", 0, len(documents[0].text), documents[0].text)
    answers = [
        Answer(f"{name}-1", "n1", name, document.spans, at=100.0) for name, document in zip(names, documents, strict=True)
    ]
    return analyse([sample], people, answers, list(corrections), choices=QUICK)


def shown(analysis, who="linguine"):
    report = next(one for one in make_feedback(analysis, NOW) if one.annotator.id == who)
    assert len(report.items) == 1
    return write_feedback(report, LABELS).rstrip("\n").rpartition("\n\n")[2]


def rights(analysis):
    return {one.annotator: (one.segment_right, one.category_right) for one in analysis.judgements}


def test_example_1_the_majority_is_that_nothing_should_be_marked():
    plain, marked = "aux soins continus de médecine", "aux [soins continus de médecine](STRUCTURE_RÉFÉRENCE)"
    analysis = contest(marked, marked, plain, plain, plain)
    assert shown(analysis) == (
        "Text span: «soins continus de médecine»\n"
        "~~~~~ TEXT ~~~~~\n"
        "Reference: None ✓\n"
        "(3/5): None ✓ (2/5): «soins continus de médecine» ✗\n"
        "linguine: «soins continus de médecine» ✗\n"
        "~~~~~ CATEGORY ~~~~~\n"
        "Reference: None ✓\n"
        "(3/5): None ✓ (2/5): CHUV:STRUCTURE_RÉFÉRENCE ✗\n"
        "linguine: CHUV:STRUCTURE_RÉFÉRENCE ✗"
    )
    assert rights(analysis)["linguine"] == (False, False)
    assert rights(analysis)["p4"] == (True, True)


def test_example_2_no_majority_but_a_correction_of_both():
    plain, marked = "vu à 12h", "vu à [12h](TEMPS)"
    fix = Correction(1, "n1", (5, 8), None, True, (5, 8), True, "TEMPS", "manager")
    analysis = contest(marked, marked, plain, plain, corrections=[fix])
    assert shown(analysis) == (
        "Text span: «12h»\n"
        "~~~~~ TEXT ~~~~~\n"
        "Reference: «12h» ✓\n"
        "(2/4): «12h» ✓ (2/4): None ✗\n"
        "linguine: «12h» ✓\n"
        "~~~~~ CATEGORY ~~~~~\n"
        "Reference: TEMPORAL:TEMPS ✓\n"
        "(2/4): TEMPORAL:TEMPS ✓ (2/4): None ✗\n"
        "linguine: TEMPORAL:TEMPS ✓"
    )
    assert rights(analysis) == {
        "linguine": (True, True), "p1": (True, True), "p2": (False, False), "p3": (False, False)
    }  # fmt: skip


def test_example_3_no_majority_for_the_segment_but_for_the_category():
    plain, whole, short = (
        "au lit A", "au [lit A](BÂTIMENT_CHAMBRE_OU_LIT)", "au lit [A](BÂTIMENT_CHAMBRE_OU_LIT)"
    )  # fmt: skip
    analysis = contest(short, short, whole, whole, whole, plain, plain, plain)
    assert shown(analysis) == (
        "Text span: «lit A»\n"
        "~~~~~ TEXT ~~~~~\n"
        "No reference available\n"
        "(3/8): None (3/8): «lit A» (2/8): «A»\n"
        "linguine: «A»\n"
        "~~~~~ CATEGORY ~~~~~\n"
        "Reference: CHUV:BÂTIMENT_CHAMBRE_OU_LIT ✓\n"
        "(5/8): CHUV:BÂTIMENT_CHAMBRE_OU_LIT ✓ (3/8): None ✗\n"
        "linguine: CHUV:BÂTIMENT_CHAMBRE_OU_LIT ✓"
    )
    assert rights(analysis)["linguine"] == (None, True)
    assert rights(analysis)["p7"] == (None, False)
    assert analysis.records[0].spans == ()  # no reference unit without both


def test_example_4_no_majority_and_no_correction():
    plain, marked = "à 02:00", "à [02:00](TEMPS)"
    analysis = contest(marked, marked, plain, plain)
    assert shown(analysis) == (
        "Text span: «02:00»\n"
        "~~~~~ TEXT ~~~~~\n"
        "No reference available\n"
        "(2/4): None (2/4): «02:00»\n"
        "linguine: «02:00»\n"
        "~~~~~ CATEGORY ~~~~~\n"
        "No reference available\n"
        "(2/4): None (2/4): TEMPORAL:TEMPS\n"
        "linguine: TEMPORAL:TEMPS"
    )
    assert set(rights(analysis).values()) == {(None, None)}
    assert analysis.board.of("linguine").work.quality.index is None


def test_the_header_of_figure_3_5():
    quality = Quality(968, 1000, 968, 1000, 60)
    work = Work(tasks=1029, marked=677, timed=61, seconds=600.0, quality=quality)
    ranks = {"tasks": 5, "annotations": 5, "tasks_per_minute": 10, "quality": 4}
    entry = Entry("linguine", "gnocchi", work, ranks, 5.6, 4, 17)
    counts = {None: 17, "ORGANISATION": 3, "LIEN_DE_PARENTÉ": 3, "TEMPS": 2}
    report = Feedback(Annotator("linguine", "gnocchi"), NOW, entry, counts, ())
    whole = write_feedback(report, {**LABELS, "ORGANISATION": "ORGANISATION"})
    assert whole.partition("\n\n~")[0] == (
        "Annotation Contest Feedback\n"
        "Auto-Generated Report\n"
        "13.03.2022 10:54:11\n\n"
        "Annotator: linguine\n"
        "Team: gnocchi\n\n"
        "Number of tasks: 1029\n"
        "Tasks per minute: 6.1\n"
        "Quality index: 96.8%\n\n"
        "Rank\n"
        "-----\n"
        "[20%] Number of tasks: 5/17\n"
        "[20%] Number of annotations: 5/17\n"
        "[20%] Tasks per minute: 10/17\n"
        "[40%] Quality index: 4/17\n"
        "-----\n"
        "Total rank: 4/17\n\n"
        "Number of disagreements: 60"
    )
    assert "None: 17\nORGANISATION: 3\nPERSONNES:LIEN_DE_PARENTÉ: 3\nTEMPORAL:TEMPS: 2\n" in whole


def long_contest():
    """Three annotators, four samples; linguine is wrong in the second and third."""
    right, wrong = "vu à [12h](TEMPS)", "vu à 12h"
    texts = {f"n{n}": annotated(right).text for n in range(4)}
    samples = [Sample(id, "note", 0, len(text), text) for id, text in texts.items()]
    people = [Annotator("linguine", "gnocchi"), Annotator("zarp", "farfalle"), Annotator("gogi", "farfalle")]
    answers = [
        Answer(
            f"{person.id}-{n}",
            f"n{n}",
            person.id,
            annotated(wrong if person.id == "linguine" and n in (1, 2) else right).spans,
            at=100.0 + 10 * n,
            comment="12h is an hour, I missed it" if (person.id, n) == ("linguine", 1) else "",
        )
        for person in people
        for n in range(4)
    ]
    return analyse(samples, people, answers, choices=QUICK)


def test_disagreements_come_most_recent_first_and_what_all_agree_on_does_not_come():
    reports = {one.annotator.id: one for one in make_feedback(long_contest(), NOW)}
    assert [item.aligned.sample for item in reports["linguine"].items] == ["n2", "n1"]
    assert reports["linguine"].distribution == {None: 2}
    assert reports["linguine"].entry.work.quality.disagreements == 2
    assert [item.judgement.penalty for item in reports["zarp"].items] == [0, 0]
    text = write_feedback(reports["linguine"], LABELS)
    assert text.count("Text span: «12h»") == 2
    assert "None: 2\n" in text


def test_without_words_nothing_of_the_notes_is_in_a_report():
    report = next(one for one in make_feedback(long_contest(), NOW) if one.annotator.id == "linguine")
    for written in (write_feedback(report, LABELS, words=False), render_feedback(report, LABELS, words=False)):
        assert "12h" not in written
        assert "5–8" in written


def test_the_page_escapes_what_notes_hold():
    analysis = contest("[<script>alert(1)</script>](TEMPS) !", "<script>alert(1)</script> !")
    page = render_feedback(make_feedback(analysis, NOW)[0], LABELS)
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_comments_become_corrections_that_wait():
    analysis = long_contest()
    lines, problems = list_corrections(analysis, collect_comments(analysis))
    assert problems == []
    (line,) = map(json.loads, lines)
    assert (line["sample"], line["annotator"], line["decision"]) == ("n1", "linguine", "")
    assert line["segment"] is None  # what linguine says is there
    assert line["otherwise"] == [5, 8, "TEMPS"]
    assert line["comment"].startswith("12h is an hour")


def test_a_comment_about_nothing_is_named(tmp_path):
    file = tmp_path / "comments.jsonl"
    file.write_text(
        '{"annotator": "zarp", "sample": "n2", "at": [5, 8], "comment": "really?"}\n'
        '{"annotator": "zarp", "sample": "n2", "at": [0, 2], "comment": "no"}\n'
        '{"annotator": "zarp"}\n'
        '{"annotator": "zarp", "sample": "n0", "comment": "all agree here"}\n'
    )
    given, broken = read_comments(file)
    assert [problem.line for problem in broken] == [3]
    lines, problems = list_corrections(long_contest(), given)
    assert len(lines) == 1
    assert [problem.line for problem in problems] == [2, 4]
    assert given[0] == Comment("zarp", "n2", "really?", (5, 8), 1)


def test_a_single_annotator_is_not_judged_unless_corrected():
    alone = contest("vu à [12h](TEMPS)")
    assert alone.judgements == ()
    fix = Correction(1, "n1", (5, 8), None, True, None, True, None)
    (judged,) = contest("vu à [12h](TEMPS)", corrections=[fix]).judgements
    assert judged.penalty == 1


@pytest.mark.parametrize(
    ("segment", "category", "penalty"),
    [(True, True, 0), (False, True, 1), (True, False, 1), (False, False, 1), (None, False, 1), (None, None, 0)],
)
def test_a_penalty_is_single(segment, category, penalty):
    (aligned,) = contest("vu à [12h](TEMPS)", "vu à 12h").records[0].aligned
    one = Judgement("linguine", aligned, segment, category)
    assert one.penalty == penalty
    assert one.penalty_of("segment") == (None if segment is None else int(not segment))


def test_qualities_add_up():
    found = measure_qualities(judge_records(long_contest().records))
    assert found["linguine"] == Quality(2, 4, 2, 4, 2)
    assert found["linguine"].index == 0.5
    assert found["zarp"].index == 1.0
    assert Span(5, 8, "TEMPS") in long_contest().records[0].spans
