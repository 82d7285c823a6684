"""Exports: in every format, chunk by chunk or as the original notes, and never a note that nobody has read to its end."""

import pytest
from store_cases import NOW

from innominate.campaign import exports
from innominate.campaign.imports import import_file
from innominate.campaign.planning.config import Campaign
from innominate.campaign.planning.notes import prepare_note
from innominate.campaign.records import Annotator, Answer
from innominate.campaign.store import create_store
from innominate.core import Document, Span, annotated
from innominate.core.plugins import available
from innominate.formats import DiskFile, read_documents, write

HTML = annotated("<p>🙂 Vu le [3&nbsp;mai](DATE)</p><p>par Dr <b>[Rochat](PERSONNEL_MÉDICAL)</b>, à [10h30](TEMPS)</p>", "n1")
PLAIN = annotated("Vu le [4 mai](DATE)\nTA stable", "n2")
EVA, OLA = Annotator("eva", "A"), Annotator("ola", "B")


@pytest.fixture
def store(tmp_path):
    """Eva has marked everything right, Ola only the first chunk of each note."""
    campaign = Campaign("c", "chuv")
    notes = [prepare_note(document, campaign) for document in (HTML, PLAIN)]
    with create_store(tmp_path / "c.db", campaign, NOW, annotators=(EVA, OLA), notes=notes) as made:
        given = [
            Answer(f"{person}{sample.id}", sample.id, person, tuple(note.from_original(sample, note.document.spans)), at=NOW)
            for note in notes
            for number, sample in enumerate(note.samples)
            for person in ("eva", "ola")
            if person == "eva" or number == 0
        ]
        made.import_answers([*given, Answer("r", "n2#2", "ola", decision="reject", at=NOW)], NOW)
        yield made


def test_whole_notes_have_spans_in_the_offsets_of_the_original(store):
    made = exports.join_chunks(store.notes(), exports.gather_accepted_spans(store.answers(), "eva"))
    assert made.left_out == 0
    assert [(one.id, one.text, one.spans) for one in made.documents] == [
        (one.id, one.text, one.spans) for one in (HTML, PLAIN)
    ]


def test_a_note_with_a_chunk_that_nobody_accepted_is_left_out_or_says_so(store):
    spans = exports.gather_accepted_spans(store.answers(), "ola")
    assert exports.join_chunks(store.notes(), spans) == exports.Together((), 2)
    partial = exports.join_chunks(store.notes(), spans, partial=True)
    assert [one.meta["chunks_without_answer"] for one in partial.documents] == [1, 1]
    assert [[span.of(one.text) for span in one.spans] for one in partial.documents] == [["3&nbsp;mai"], ["4 mai"]]


@pytest.mark.parametrize("format", sorted(available("formats").keys() - {"database", "mimic"}))
def test_chunks_and_notes_go_through_every_format(store, format, tmp_path):
    chunks = list(exports.gather_accepted_chunks(store.answers(), store.samples(), EVA))
    whole = exports.join_chunks(store.notes(), exports.gather_accepted_spans(store.answers(), "eva")).documents
    for number, documents in enumerate((chunks, whole)):
        assert write(documents, tmp_path / f"out{number}", format) == len(documents)
        back = {one.id: (one.text, one.spans) for one in read_documents(tmp_path / f"out{number}", format)}
        assert back == {one.id: (one.text, one.spans) for one in documents}


def test_what_prodigy_would_have_written_comes_back_as_the_same_answers(store, tmp_path):
    for person in (EVA, OLA):
        tasks = exports.prodigy_tasks(store.answers(), store.samples(), person)
        write(tasks, tmp_path / f"{person.id}.jsonl", "prodigy")
    campaign = store.campaign()
    notes = [prepare_note(document, campaign) for document in (HTML, PLAIN)]
    with create_store(tmp_path / "again.db", campaign, NOW, annotators=(EVA, OLA), notes=notes) as again:
        for person in (EVA, OLA):
            report = import_file(again, DiskFile(tmp_path / f"{person.id}.jsonl", person.id), NOW)
            assert report.problems == ()

        def said(one):
            return (one.sample, one.annotator, one.spans, one.decision, one.at)

        assert sorted(map(said, again.answers())) == sorted(map(said, store.answers()))


def test_tasks_for_another_tool(store):
    (first, *_) = exports.tasks_as_documents(store.samples(), {"n1#1": [Span(0, 1, "DATE")]})
    assert first == Document("n1#1", "🙂 Vu le 3 mai", (Span(0, 1, "DATE"),), {"document": "n1", "start": 0, "end": 13})
