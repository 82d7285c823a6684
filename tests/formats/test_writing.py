from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest

from innominate.core import Document, FormatError, Span, UsageError, annotated
from innominate.formats import files_of, format_named, open_writer, read, read_documents, read_spans, write

NOTES = [annotated(f"[Eva](NAME) note {number}", id=f"n{number}") for number in range(5)]


def test_the_output_has_its_name_only_when_it_is_complete(tmp_path: Path):
    writer = open_writer(format_named("jsonl"), tmp_path / "out.jsonl")
    writer.write(NOTES[0])
    assert os.listdir(tmp_path) == ["out.jsonl.partial"]
    writer.close()
    assert os.listdir(tmp_path) == ["out.jsonl"]


def test_commit_says_how_long_the_file_is(tmp_path: Path):
    writer = open_writer(format_named("jsonl"), tmp_path / "out.jsonl")
    writer.write(NOTES[0])
    assert writer.commit() == {"offset": (tmp_path / "out.jsonl.partial").stat().st_size}
    writer.close()


def test_a_note_that_cannot_be_written_leaves_no_trace(tmp_path: Path):
    writer = open_writer(format_named("jsonl"), tmp_path / "out.jsonl")
    writer.write(NOTES[0])
    with pytest.raises(FormatError, match="JSON cannot hold"):
        writer.write(Document("bad", "text", meta={"x": object()}))
    writer.write(NOTES[1])
    writer.close()
    assert [document.id for document in read_documents(tmp_path / "out.jsonl")] == ["n0", "n1"]


def test_an_error_while_writing_leaves_only_a_partial_file(tmp_path: Path):
    with pytest.raises(FormatError):
        write([NOTES[0], Document("bad", "x", meta={"x": object()})], tmp_path / "out.jsonl", "jsonl")
    assert os.listdir(tmp_path) == ["out.jsonl.partial"]


def test_resuming_needs_what_was_committed(tmp_path: Path):
    with pytest.raises(UsageError, match="cannot resume"):
        open_writer(format_named("jsonl"), tmp_path / "out.jsonl", resume_at={"offset": 10})


def test_a_file_is_not_written_over_a_folder_nor_a_folder_over_a_file(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="is a folder"):
        open_writer(format_named("jsonl"), tmp_path)
    with pytest.raises(UsageError, match="name a folder"):
        open_writer(format_named("brat"), tmp_path / "file")
    with pytest.raises(UsageError, match="not compressed"):
        open_writer(format_named("jsonl"), tmp_path / "out.jsonl.gz")


def test_standard_output_takes_formats_of_one_file(monkeypatch: pytest.MonkeyPatch):
    bytes_out = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(bytes_out))
    assert write(NOTES[:2], "-", "jsonl") == 2
    assert [json.loads(line)["id"] for line in bytes_out.getvalue().splitlines()] == ["n0", "n1"]
    with pytest.raises(UsageError, match="one file per note"):
        write(NOTES, "-", "brat")
    with pytest.raises(UsageError, match="standard output"):
        write(NOTES, "-", "text", lines=True)  # it has spans, and they would be lost


def test_files_of_a_folder_get_their_names_at_the_commit(tmp_path: Path):
    writer = open_writer(format_named("brat"), tmp_path)
    writer.write(NOTES[0])
    assert all(name.startswith(".") for name in os.listdir(tmp_path))
    writer.commit()
    assert sorted(os.listdir(tmp_path)) == ["n0.ann", "n0.txt"]


def test_what_was_not_committed_is_gone_after_resuming(tmp_path: Path):
    writer = open_writer(format_named("brat"), tmp_path)
    writer.write(NOTES[0])
    position = writer.commit()
    writer.write(NOTES[1])
    resumed = open_writer(format_named("brat"), tmp_path, resume_at=position)
    resumed.close()  # the second note failed this time and was quarantined
    assert sorted(os.listdir(tmp_path)) == ["n0.ann", "n0.txt"]


def test_spans_lie_beside_what_cannot_hold_them_and_are_found_again(tmp_path: Path):
    notes = [Document("a/1", "Eva", (Span(0, 3, "NAME", 0.5, "crf"),)), Document("b", "nobody")]
    write(notes, tmp_path / "out", "text")
    assert sorted(os.listdir(tmp_path)) == ["out", "out.spans.jsonl"]
    assert json.loads((tmp_path / "out.spans.jsonl").read_text()) == {
        "id": "a/1",
        "spans": [{"start": 0, "end": 3, "label": "NAME", "score": 0.5, "source": "crf"}],
    }
    found = {document.id: document for document in read_documents(tmp_path / "out")}
    assert found["a/1"].spans[0].source == "crf"
    assert found["b"].spans == ()


def test_without_spans_nothing_lies_beside_and_old_spans_go(tmp_path: Path):
    write(NOTES, tmp_path / "out", "text")
    write([note.with_spans(()) for note in NOTES], tmp_path / "out", "text")
    assert os.listdir(tmp_path) == ["out"]


def test_a_file_of_spans_is_no_document_of_its_own(tmp_path: Path):
    write(NOTES, tmp_path / "out", "text")
    assert {file.id for file in files_of(tmp_path)} == {f"out/n{number}" for number in range(5)}


@pytest.mark.parametrize(
    "line", ["{", '{"id": "n0"}', "[]", '{"id": "n0", "spans": [{"start": 0, "end": 99, "label": "NAME"}]}']
)
def test_broken_spans_reject_the_notes_they_belong_to(tmp_path: Path, line: str):
    write(NOTES[:1], tmp_path / "out", "text")
    (tmp_path / "out.spans.jsonl").write_text(line)
    (item,) = read(tmp_path / "out")
    assert "spans beside" in item.reason


def test_spans_of_lines_are_found_by_line(tmp_path: Path):
    write([Document("x", "none here"), *NOTES], tmp_path / "out.txt", "text", lines=True)
    found = list(read_documents(tmp_path / "out.txt", "text", lines=True))
    assert [document.text for document in found][:2] == ["none here", NOTES[0].text]
    assert [document.spans for document in found] == [(), *(note.spans for note in NOTES)]
    assert set(read_spans(tmp_path / "out.spans.jsonl")) == {f"out:{number}" for number in range(2, 7)}


@pytest.mark.parametrize("text", ["", "two\nlines", " ", "end\r"])
def test_one_note_per_line_refuses_what_it_would_tear_apart(tmp_path: Path, text: str):
    with pytest.raises(FormatError, match="one note per line"):
        write([Document("x", text)], tmp_path / "out.txt", "text", lines=True)


def test_a_resumed_json_array_is_one_array(tmp_path: Path):
    format = format_named("label-studio")
    writer = open_writer(format, tmp_path / "out.json")
    writer.write(NOTES[0])
    position = writer.commit()
    writer.write(NOTES[1])
    writer.abandon()
    writer = open_writer(format, tmp_path / "out.json", resume_at=position)
    writer.write(NOTES[2])
    writer.close()
    assert len(json.loads((tmp_path / "out.json").read_text())) == 2


@pytest.mark.parametrize("notes", [[], NOTES[:1]])
def test_an_array_of_none_or_one_is_valid(tmp_path: Path, notes: list[Document]):
    write(notes, tmp_path / "out.json", "label-studio")
    assert len(json.loads((tmp_path / "out.json").read_text())) == len(notes)
