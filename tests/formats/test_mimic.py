"""MIMIC placeholders: what they stand for, and what is left of a name after writing."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from innominate.core import Document, Span, annotated
from innominate.formats.mimic import MimicFormat, _table
from innominate.formats.sources import MemoryFile
from innominate.labels import taxonomy


def read(data):
    (document,) = MimicFormat().read(MemoryFile("n1.txt", data if isinstance(data, bytes) else data.encode(), "n1"))
    return document


def written(document):
    return MimicFormat().files(document)[".txt"].decode()


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("Known lastname 1829", "PATIENT"),
        ("Known firstname", "PATIENT"),
        ("Name", "PATIENT"),
        ("Last Name (un) ", "PATIENT"),
        ("First Name8 (NamePattern2) ", "PATIENT"),
        ("Initials (NamePattern4) ", "PATIENT"),
        ("Name13 (STitle) ", "DOCTOR"),
        ("Doctor Last Name 12", "DOCTOR"),
        ("Attending Info ", "DOCTOR"),
        ("2151-7-16", "DATE"),
        ("7-16", "DATE"),
        ("5-/2150", "DATE"),
        ("Month/Day (1) 12", "DATE"),
        ("Year (4 digits) 22", "DATE"),
        ("Date range (1) 12", "DATE"),
        ("Holiday 2", "DATE"),
        ("Hospital1 18", "HOSPITAL"),
        ("Hospital Ward Name 517", "DEPARTMENT"),
        ("Hospital Unit Name 10", "DEPARTMENT"),
        ("Location (un) 86", "LOCATION-OTHER"),
        ("Street Address(2) 12", "STREET"),
        ("State/Zipcode 12", "ZIP"),
        ("State", "STATE"),
        ("Country 9958", "COUNTRY"),
        ("PO Box 1", "STREET"),
        ("University/College 1", "ORGANIZATION"),
        ("Company 3", "ORGANIZATION"),
        ("Telephone/Fax (1) 123", "PHONE"),
        ("Pager number", "PHONE"),
        (" Age over 90 ", "AGE"),
        ("Age over 90 123", "AGE"),
        ("Medical Record Number 1", "MEDICALRECORD"),
        ("Social Security Number 1", "SSN"),
        ("Clip Number (Radiology) 5", "IDNUM"),
        ("Numeric Identifier 5403", "IDNUM"),
        ("Job Number 1", "IDNUM"),
        ("MD Number(1) 1", "LICENSE"),
        ("E-mail address 1", "EMAIL"),
        ("URL 1", "URL"),
        ("Serial Number 1", "DEVICE"),
        ("CC Contact Info 1", "PHONE"),
        ("Something new", "IDNUM"),
        ("", "IDNUM"),
    ],
)
def test_what_placeholders_stand_for(words, label):
    document = read(f"🙂 Seen [**{words}**] today")
    assert document.spans == (Span(7, 13 + len(words), label),)
    assert document.spans[0].source == words.strip()


def test_every_label_of_the_table_is_of_i2b2():
    assert {label for _, label in _table().phrases} | {_table().otherwise} <= set(taxonomy("i2b2").labels)


@pytest.mark.parametrize("label", [*taxonomy("i2b2").labels, *taxonomy("chuv").labels])
def test_labels_in_capitals_come_back(label):
    assert [span.label for span in read(written(Document("n1", "Eva", (Span(0, 3, label),)))).spans] == [label]


def test_writing_conceals_and_says_the_label():
    document = annotated("[Eva Berg](PATIENT), seen [3 May](DATE) in \\[**Hospital1 18**\\].")
    assert written(document) == "[**PATIENT**], seen [**DATE**] in [**Hospital1 18**]."


def test_overlapping_spans_leave_nothing_uncovered():
    assert written(Document("n1", "Eva Maria Berg", (Span(0, 9, "PATIENT"), Span(4, 14, "DOCTOR")))) in (
        "[**PATIENT**][**DOCTOR**]",
    )


def test_what_is_inside_a_placeholder_stays_and_what_is_larger_goes():
    text = "on [**2151-7-16**] Eva"
    assert written(Document("n1", text, (Span(6, 15, "DATE"),))) == text
    assert written(Document("n1", text, (Span(3, 22, "DATE"),))) == "on [**DATE**]"


@pytest.mark.parametrize("label", ["a]b", "**", "[", " ", "x" * 200])
def test_odd_labels_cannot_break_the_markup(label):
    assert written(Document("n1", "Eva", (Span(0, 3, label),))) == "[**IDNUM**]"


@pytest.mark.parametrize(
    "text",
    [
        "👩‍⚕️ [**Name**]",
        "Ne\u0301e [**Name**]",
        "a\r\nb\rc\n[**Name**]",
        "\0[**Name**]\0",
        "x" * 10_000_000 + "[**Name**]",
        "[**[**Name**]",
        "[**Name",
        "",
    ],
)
def test_a_text_that_has_its_placeholders_comes_back_as_it_was(text):
    document = read(text)
    assert document.text == text
    assert read(written(document)) == document


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.text(st.sampled_from("aA1 \n[]*"), max_size=30))
def test_every_text_that_was_read_comes_back(text):
    document = read(text + "[**Name**]")
    assert read(written(document)) == document


def test_recognised_by_a_placeholder():
    assert MimicFormat().recognise(MemoryFile("n.txt", b""), "é [**Name**]".encode())
    assert not MimicFormat().recognise(MemoryFile("n.txt", b""), b"Eva [*] **")
    assert not MimicFormat().recognise(MemoryFile("NOTEEVENTS.csv", b""), b"1,[**Name**]")
