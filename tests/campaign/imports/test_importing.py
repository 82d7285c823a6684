"""Exports of other tools: what is right goes in, what is wrong is listed with its line, and nothing stored changes."""

import json

import pytest
from store_cases import NOW

from innominate.campaign.imports import import_file
from innominate.campaign.imports.importing import AnnotatorNames
from innominate.campaign.planning.config import Campaign
from innominate.campaign.planning.notes import prepare_note
from innominate.campaign.records import Annotator
from innominate.campaign.store import create_store
from innominate.core import Document, FormatError, Span, UsageError
from innominate.formats import MemoryFile

TEXT = "🙂 Vu par Dr Rochat\nle 3 mai\nTA stable\nTA stable"
PEOPLE = [
    Annotator("jeff_bezos", "farfalle", email="jeff@hospital.example"),
    Annotator("linguine", "gnocchi", also=("3",)),
]


@pytest.fixture
def store(tmp_path):
    campaign = Campaign("c", "chuv")
    with create_store(
        tmp_path / "c.db", campaign, NOW, annotators=PEOPLE, notes=[prepare_note(Document("n", TEXT), campaign)]
    ) as made:
        yield made


def lines(*records):
    return "".join((record if isinstance(record, str) else json.dumps(record)) + "\n" for record in records).encode()


def task(text="le 3 mai", spans=((3, 8, "DATE"),), session="contest-jeff_bezos_farfalle", at=100.0, answer="accept", **more):
    shown = [{"start": start, "end": end, "label": label} for start, end, label in spans]
    return {"text": text, "spans": shown, "_session_id": session, "_timestamp": at, "answer": answer, **more}


def imported(store, data, name="export.jsonl", id="export", **options):
    return import_file(store, MemoryFile(name, data, id), NOW, **options)


def found(store):
    return [
        (one.sample, one.annotator, one.decision, one.at, [(span.start, span.end, span.label) for span in one.spans])
        for one in store.answers(latest=False)
    ]


def reasons(report):
    return {problem.line: problem.reason for problem in report.problems}


def test_prodigy_sessions_times_and_decisions(store):
    report = imported(
        store,
        lines(
            task(session="linguine_gnocchi", at=7.5, spans=[(3, 8, "TEMPORAL:DATE")]),
            task("🙂 Vu par Dr Rochat", [(12, 18, "PERSONNEL_MÉDICAL")], at=8),
            task("TA stable", [], at=9, answer="ignore"),
        ),
    )
    assert (report.tool, report.stored, report.problems) == ("prodigy", 3, ())
    assert sorted(found(store)) == [
        ("n#1", "jeff_bezos", "accept", 8.0, [(12, 18, "PERSONNEL_MÉDICAL")]),
        ("n#2", "linguine", "accept", 7.5, [(3, 8, "DATE")]),
        ("n#3", "jeff_bezos", "ignore", 9.0, []),
    ]


def test_the_same_export_again_changes_nothing_and_a_longer_one_adds_what_is_new(store):
    first = [task(), task("TA stable", [], at=101), task("TA stable", [], at=102)]
    assert imported(store, lines(*first)).stored == 3
    before = store.answers(latest=False)
    again = imported(store, lines(*first))
    assert (again.stored, again.repeated, again.problems) == (0, 3, ())
    assert store.answers(latest=False) == before
    more = imported(store, lines(*first, task("🙂 Vu par Dr Rochat", [], at=103)))
    assert (more.stored, more.repeated) == (1, 3)
    assert store.answers(latest=False)[:3] == before


def test_texts_that_stand_in_the_note_twice_are_two_samples(store):
    imported(store, lines(task("TA stable", [], at=1), task("TA stable", [], at=2)))
    assert {one.sample for one in store.answers()} == {"n#3", "n#4"}


def test_a_task_that_was_done_twice_is_another_revision(store):
    imported(store, lines(task(at=1), task(at=2, spans=[])))
    assert [(one.revision, one.at) for one in store.answers(latest=False)] == [(0, 1.0), (1, 2.0)]
    assert [one.at for one in store.answers()] == [2.0]


def test_everything_wrong_is_listed_with_its_line_and_the_rest_goes_on(store):
    data = lines(
        task(),
        task(session="nobody_farfalle"),
        task(session="jeff_bezos_gnocchi"),
        task(spans=[(3, 80, "DATE")], at=2),
        task(spans=[(3, 8, "DATUM")], at=3),
        task("le 4 mai", [], at=4),
        task(id="n#1", at=5),
        "{ not json",
        "",
        task(spans=[], at=100.0),
        task(answer="perhaps", at=6),
        task(session=None, at=7),
        task("TA stable", [(5, 5, "DATE")], at=8),
        "[1]",
        task("TA stable", [], at=9),
    )
    report = imported(store, data)
    assert reasons(report) == {
        2: "the annotator 'nobody_farfalle' is not registered",
        3: "the session 'jeff_bezos_gnocchi' names another team than the registration",
        4: "a span ends after the 8 characters of the text",
        5: "span 3..8 has a label that taxonomy 'chuv' does not have",
        6: "its text is not that of any sample",
        7: "its text differs from sample 'n#1'",
        8: "not JSON at character 2",
        10: "a second answer with the id of that on line 1",
        11: "the answer is not accept, reject or ignore",
        12: "does not say who annotated; name the person with --annotator",
        13: "a span needs 0 <= start < end, not 5..5",
        14: "not a JSON object",
    }
    assert report.stored == 2
    assert [at for _, _, _, at, _ in found(store)] == [100.0, 9.0]
    (event,) = [event for event in store.events() if event.kind == "imported"]
    assert event.data["stored"] == 2
    assert len(event.data["problems"]) == 12
    assert not any("mai" in reason or "stable" in reason for reason in reasons(report).values())


def test_an_answer_that_changed_under_its_id_is_kept_out_and_the_first_stays(store):
    imported(store, lines(task()))
    before = store.answers(latest=False)
    report = imported(store, lines(task("TA stable", [], at=1), task(spans=[])))
    assert reasons(report) == {2: "another answer with the same id is in the store"}
    assert store.answers(latest=False)[:1] == before
    assert report.stored == 1


def test_doccano_is_named_after_the_person_and_does_not_say_what_was_looked_at(store):
    data = lines(
        {"id": 1, "text": "le 3 mai", "label": [[3, 8, "DATE"]], "Comments": ["sûr"]},
        {"id": 2, "text": "TA stable", "label": []},
        {"id": 3, "text": "TA stable", "label": [[0, 2, "DATE"]], "username": "jeff_bezos"},
        {"id": 1, "text": "le 3 mai", "label": [[0, 2, "DATE"]]},
        {"id": 9, "text": "le 3 mai", "label": [[0, 99, "DATE"]]},
    )
    report = imported(store, data, "linguine.jsonl", "linguine")
    assert (report.tool, report.stored, report.empty) == ("doccano", 2, 1)
    assert set(reasons(report)) == {4, 5}
    assert reasons(report)[4] == "a second answer with the id of that on line 1"
    assert {(one.annotator, one.at, one.comment) for one in store.answers()} == {
        ("linguine", 0.0, "sûr"),
        ("jeff_bezos", 0.0, ""),
    }
    assert imported(store, data, "linguine.jsonl", "linguine", empty=True).stored == 1


def test_doccano_labels_that_were_changed_and_exported_again_are_a_revision(store):
    for end in (5, 8, 8):
        imported(store, lines({"id": 1, "text": "le 3 mai", "label": [[3, end, "DATE"]]}), annotator="linguine")
    assert [one.spans[0].end for one in store.answers(latest=False)] == [5, 8]


def studio(id, person, *results, **more):
    regions = [
        {"type": "labels", "value": {"start": start, "end": end, "text": text, "labels": [label]}}
        for start, end, text, label in results
    ]
    return {"id": id, "completed_by": person, "result": regions, "updated_at": "2022-03-13T10:54:11.5Z", **more}


def test_label_studio_has_several_people_per_task_and_counts_in_utf16(store):
    tasks = [
        {
            "id": 1,
            "data": {"text": "🙂 Vu par Dr Rochat"},
            "annotations": [
                studio(1, {"id": 1, "email": "jeff@hospital.example"}, (13, 19, "Rochat", "PERSONNEL_MÉDICAL"), lead_time=4.5),
                studio(2, 3, was_cancelled=True),
                studio(3, 4),
                studio(4, 3, (13, 18, "Rochat", "PERSONNEL_MÉDICAL")),
            ],
        },
        {"id": 2, "data": {"text": "le 3 mai"}, "annotations": [studio(5, 3), studio(5, 3, (3, 8, "3 mai", "DATE"))]},
        {"id": 3, "data": {"text": "TA stable"}, "annotations": []},
        {"id": 4, "data": {"text": "TA stable"}},
        {"id": 5, "data": {"text": "TA stable"}, "annotations": [studio(6, 3, updated_at="yesterday")]},
    ]
    data = ("[\n" + ",\n".join(json.dumps(one) for one in tasks) + "\n]").encode()
    report = imported(store, data, "export.json")
    assert (report.tool, report.stored) == ("label-studio", 3)
    assert [(problem.line, problem.reason) for problem in report.problems] == [
        (2, "task 1, annotation 3: the annotator '4' is not registered"),
        (2, "task 1, annotation 4: the text given is not the text at 13..18, counted in UTF-16 code units"),
        (3, "task 2, annotation 5: a second answer with the id of that on line 3"),
        (5, "task 4 has no list of annotations"),
        (6, "task 5, annotation 6: the time is not written as ISO 8601 says"),
    ]
    assert sorted(found(store)) == [
        ("n#1", "jeff_bezos", "accept", 1647168851.5, [(12, 18, "PERSONNEL_MÉDICAL")]),
        ("n#1", "linguine", "ignore", 1647168851.5, []),
        ("n#2", "linguine", "accept", 1647168851.5, []),
    ]
    assert store.answers()[0].meta["seconds"] == 4.5


def test_label_studio_keeps_what_was_suggested_and_later_changes(store):
    prediction = {"result": [{"type": "labels", "value": {"start": 3, "end": 4, "labels": ["DATE"]}}]}
    for moment in ("2022-03-13T10:00:00Z", "2022-03-14T10:00:00Z"):
        one = studio(5, 3, (3, 8, "3 mai", "DATE"), updated_at=moment, prediction=prediction)
        imported(store, json.dumps([{"id": 2, "data": {"text": "le 3 mai"}, "annotations": [one]}]).encode(), "e.json")
    assert [one.revision for one in store.answers(latest=False)] == [0, 1]
    assert store.answers()[0].suggested == (Span(3, 4, "DATE"),)


def test_an_array_that_is_cut_off_is_read_as_far_as_it_goes(store):
    whole = json.dumps([{"id": 2, "data": {"text": "le 3 mai"}, "annotations": [studio(5, 3)]}, {"id": 3}])
    report = imported(store, whole[:-8].encode(), "e.json")
    assert report.stored == 1
    assert "the rest of the file was not read" in report.problems[0].reason


def test_a_name_that_two_people_have_is_nobodys():
    people = AnnotatorNames([Annotator("a_b", "c"), Annotator("a", "b_c"), Annotator("d", "c", also=("a_b",))])
    for name in ("a_b_c", "a_b"):
        with pytest.raises(FormatError, match=" or "):
            people.named([name])
    assert people.named(["d_c"]).id == "d"


def test_another_kind_of_file_is_refused(store):
    with pytest.raises(UsageError, match="no export of prodigy"):
        imported(store, b"Eva dort.", "note.txt")
    with pytest.raises(UsageError, match="no tool is called"):
        imported(store, b"", tool="brat")
