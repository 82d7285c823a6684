from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innominate.core import Document, FormatError, Rejected
from innominate.formats import MemoryFile, read, read_documents
from innominate.formats.decoding import decode, decode_recorded, text_bytes

NOTE = (
    "Née à Genève, habite à Besançon. L'hôpital a noté 38.5°C. José Muñoz, 41 años. Åsa Öberg från Malmö.\r\nZürich: œdème.\n"
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "cp1252"])
def test_a_note_is_read_whatever_its_encoding(encoding: str):
    assert decode(NOTE.encode(encoding), "n") == NOTE


@pytest.mark.parametrize("encoding", ["cp1252", "iso8859-15", "cp850", "mac-roman"])
def test_old_encodings_are_told_apart(encoding: str):
    note = NOTE.replace("œ", "oe")
    assert decode_recorded(note.encode(encoding), "n").text == note


@pytest.mark.parametrize("strays", [b"l\x92asthme", b"N\xe9e", b"\xabbien\xbb", "Åsa, Öberg".encode("cp1252")])
def test_some_stray_bytes_leave_the_rest_of_a_note_utf_8(strays: bytes):
    assert decode_recorded(NOTE.encode() + strays, "n").text == NOTE + strays.decode("cp1252")
    assert decode("Łódź: ".encode() + strays, "n") == "Łódź: " + strays.decode("cp1252")


@pytest.mark.parametrize("doubtful", ["Née".encode("cp850"), b"\x81", b"\x1a\x9d"])
def test_stray_bytes_that_give_no_letter_make_a_note_doubtful(doubtful: bytes):
    with pytest.raises(FormatError, match=r"^n: parts of it are UTF-8 and parts are not"):
        decode(NOTE.encode() + doubtful, "n")


def test_a_stray_byte_in_a_table_is_read_and_a_doubtful_one_costs_its_row_alone():
    lines = ["id,text\n1,Née à Genève\n".encode(), b"2,l\x92asthme\n", b"3,N\x82e\n", "4,Zoé dort\n".encode()]
    read_rows = list(read(MemoryFile("t.csv", b"".join(lines), "t")))
    assert [row.text for row in read_rows if isinstance(row, Document)] == ["Née à Genève", "l’asthme", "Zoé dort"]
    assert [row.id for row in read_rows if isinstance(row, Rejected)] == ["3"]


@pytest.mark.parametrize("bom", [b"\xff\xfe", b"\xfe\xff"])
def test_byte_order_marks_of_utf16(bom: bytes):
    encoding = "utf-16-le" if bom == b"\xff\xfe" else "utf-16-be"
    assert decode(bom + "Eva 🙂".encode(encoding), "n") == "Eva 🙂"


@given(st.text())
def test_what_is_written_is_read_again(text: str):
    assert decode(text_bytes(text), "n") == text


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.7 ...",
        b"PK\x03\x04rest",
        b"{\\rtf1 M\\'fcller}",
        b"\x89PNG\r\n\x1a\n\0\0",
        b"\xff\xfeE\0v",
        bytes(range(256)),
        b"\xc3\x28\x00\x01\x02",
    ],
)
def test_what_is_not_text_is_refused(data: bytes):
    with pytest.raises(FormatError) as caught:
        decode(data, "n.txt")
    assert str(caught.value).startswith("n.txt: ")
    assert caught.value.__cause__ is None  # a UnicodeDecodeError would carry the whole note along


def test_half_a_surrogate_pair_cannot_be_written():
    with pytest.raises(FormatError, match="character 3"):
        text_bytes("Eva\ud83d")


def test_the_guess_is_recorded(tmp_path: Path):
    (tmp_path / "n.txt").write_bytes("Née".encode("cp1252"))
    (document,) = read_documents(tmp_path)
    assert document.meta == {"encoding": "cp1252"}


@pytest.mark.parametrize("start", [0, 1])
def test_offsets_of_brat_may_count_the_mark_or_not(tmp_path: Path, start: int):
    (tmp_path / "n.txt").write_bytes("\ufeffEva slept".encode())
    (tmp_path / "n.ann").write_text(f"T1\tNAME {start} {start + 3}\tEva\n")
    (document,) = read_documents(tmp_path)
    assert document.spans[0].of(document.text) == "Eva"
    assert document.text.startswith("\ufeff") == (start == 1)
