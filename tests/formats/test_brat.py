from __future__ import annotations

from pathlib import Path

import pytest

from innominate.core import Document, FormatError, Rejected, Span
from innominate.formats import files_of, read, read_documents, recognise, write
from innominate.formats.brat import BratFormat


def pair(folder: Path, text: str, annotations: str, name: str = "n") -> Path:
    (folder / f"{name}.txt").write_bytes(text.encode())
    (folder / f"{name}.ann").write_bytes(annotations.encode())
    return folder


def test_newlines_and_emoji_before_a_name_count_as_they_are(tmp_path: Path):
    text = "🙂\r\nVu par\r\nEva\r\n"
    (document,) = read_documents(pair(tmp_path, text, "T1\tNAME 11 14\tEva\r\n"))
    assert document.text == text
    assert document.spans == (Span(11, 14, "NAME"),)


def test_a_span_over_lines_is_written_with_spaces_and_read_again(tmp_path: Path):
    document = Document("n", "Eva\r\nBerg\tX\u2028Y", (Span(0, 13, "NAME"),))
    write([document], tmp_path / "out", "brat")
    assert (tmp_path / "out" / "n.ann").read_bytes() == b"T1\tNAME 0 13\tEva  Berg X Y\n"
    assert list(read_documents(tmp_path / "out")) == [document]


def test_fragments_become_spans_that_say_where_they_belong(tmp_path: Path):
    (document,) = read_documents(pair(tmp_path, "Eva and Bo Berg", "T3\tNAME 0 3;11 15\tEva Berg\n"))
    assert document.spans == (Span(0, 3, "NAME"), Span(11, 15, "NAME"))
    assert [span.source for span in document.spans] == ["T3 part 1 of 2", "T3 part 2 of 2"]


def test_other_lines_are_counted(tmp_path: Path):
    other = "R1\tRel Arg1:T1 Arg2:T1\nE1\tX:T1\nA1\tNeg T1\n#1\tAnnotatorNotes T1\tx\n*\tEquiv T1 T1\n"
    (document,) = read_documents(pair(tmp_path, "Eva", "T1\tNAME 0 3\tEva\n" + other))
    assert document.spans == (Span(0, 3, "NAME"),)
    assert document.meta == {"brat_other_lines": 5}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("T2\tNAME 0 3\tBob", "not the text at these offsets"),
        ("T2\tNAME 0 4\tEva!", "outside the 3 characters"),
        ("T2\tNAME 2 2\t", "empty"),
        ("T2\tNAME zero 3\tEva", "not an annotation"),
        ("T2 Eva", "not an annotation"),
        ("T2\tNAME 0 " + "9" * 5000 + "\tEva", "could not be read"),
    ],
)
def test_a_bad_annotation_rejects_the_note_and_names_the_line(tmp_path: Path, line: str, reason: str):
    pair(tmp_path, "Eva", f"T1\tNAME 0 3\tEva\n{line}\n")
    pair(tmp_path, "Bo", "", "other")
    bad, good = read(tmp_path)
    assert isinstance(bad, Rejected)
    assert reason in bad.reason
    assert "Eva" not in str(bad)
    assert "Bob" not in str(bad)
    assert good.id == "other"
    if reason != "could not be read":
        assert (Path(bad.source).name, bad.line) == ("n.ann", 2)


def test_annotations_are_not_read_as_a_note_of_their_own(tmp_path: Path):
    pair(tmp_path, "Eva", "T1\tNAME 0 3\tEva\n")
    for source in (tmp_path, tmp_path / "n.txt", tmp_path / "n.ann", f"{tmp_path}/*", f"{tmp_path}/*.ann"):
        assert [document.id for document in read_documents(source)] == ["n"]


def test_a_text_without_annotations_is_text_and_annotations_without_text_are_rejected(tmp_path: Path):
    (tmp_path / "a.txt").write_text("Eva")
    (tmp_path / "b.ann").write_text("T1\tNAME 0 3\tEva\n")
    assert [recognise(file).name for file in files_of(tmp_path)] == ["text", "brat"]
    first, second = read(tmp_path)
    assert isinstance(first, Document)
    assert "no .txt" in second.reason
    assert "no .ann" in next(read(tmp_path / "a.txt", "brat")).reason


def test_a_label_that_brat_cannot_hold_is_refused():
    with pytest.raises(FormatError, match="label"):
        BratFormat().files(Document("n", "Eva", (Span(0, 3, "TWO WORDS"),)))
