"""Placeholders of MIMIC become surrogates. All notes here are made up."""

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from innominate.cli.app import app
from innominate.core import Document, Span
from innominate.formats import read_documents
from innominate.formats.mimic import PLACEHOLDER
from innominate.labels import taxonomy
from innominate.synth.placeholders.fillings import FILLS, fill_placeholders
from innominate.synth.placeholders.forms import _forms, placeholders

LETTER = """Admission Date:  [**2151-7-12**]       Discharge Date:  [**2151-7-16**]
Date of Birth:  [**2091-3-2**]        Sex:  F
[**Known lastname 1829**], [**Known firstname 77**] is a [**Age over 90 **]-year-old woman from [**Hospital1 18**].
Seen by Dr. [**First Name8 (NamePattern2) **] [**Last Name (NamePattern1) 12**] on [**7-14**].
Mrs. [**Known lastname 1829**] went home; Dr. [**Last Name (NamePattern1) 12**] signed.
"""


def values(note):
    return [(span.of(note.text), span.label) for span in note.spans]


@pytest.mark.parametrize(
    ("sentence", "label", "looks"),
    [
        ("[**Known lastname 123**]", "PATIENT", r"[A-Z][\w'. -]+"),
        ("[**Known firstname**]", "PATIENT", r"[A-Z][\w'. -]+"),
        ("[**Patient Name**]", "PATIENT", r"[A-Z][\w'-]+ [A-Z][\w'. -]+"),
        ("[**First Name8 (NamePattern2) **]", "PATIENT", r"[A-Z][\w'-]+"),
        ("[**Female First Name (un) 5**]", "PATIENT", r"[A-Z][\w'-]+"),
        ("Dr. [**Last Name (STitle) 12**]", "DOCTOR", r"[A-Z][\w'. -]+"),
        ("[**Name6 (MD) 12**], MD", "DOCTOR", r"[A-Z][\w'-]+ [A-Z][\w'. -]+"),
        ("[**Doctor Last Name 4**]", "DOCTOR", r"[A-Z][\w'. -]+"),
        ("[**Attending Info 9**]", "DOCTOR", r"[A-Z][\w'-]+ [A-Z][\w'. -]+"),
        ("[**Initials (NamePattern4) **]", "PATIENT", r"[A-Z]{2}"),
        ("[**2101-5-3**]", "DATE", r"[\d/.-]+"),
        ("[**5-3**]", "DATE", r"0?5[/-]0?3"),
        ("[**2101**]", "DATE", r"(19|20)\d\d"),
        ("[**5-/2150**]", "DATE", r"0?5[/-](\d\d)?\d\d"),
        ("[**Month/Day (1) 12**]", "DATE", r"\d+[/-]\d+"),
        ("[**Month (only) 12**]", "DATE", r"[A-Z][a-z]+\.?"),
        ("[**Year (4 digits) 22**]", "DATE", r"(19|20)\d\d"),
        ("[**Year (2 digits) 22**]", "DATE", r"\d\d"),
        ("[**Year/Month/Day (3) 22**]", "DATE", r"[\d/.-]+"),
        ("[**Date range (1) 3**]", "DATE", r"[\d/]+-[\d/]+"),
        ("[**Holiday 2**]", "DATE", r"\D+"),
        ("[**Hospital1 18**]", "HOSPITAL", r"[A-Z].+"),
        ("[**Hospital Ward Name 517**]", "DEPARTMENT", r"[A-Z].+"),
        ("[**Location (un) 86**]", "CITY", r"[A-Z].+"),
        ("[**Street Address(2) 12**]", "STREET", r"\d+ .+"),
        ("[**State/Zipcode 12**]", "ZIP", r".+ \d{5}"),
        ("[**Country 12**]", "COUNTRY", r"\D+"),
        ("[**PO Box 3**]", "STREET", r"PO Box \d+"),
        ("[**University/College 1**]", "ORGANIZATION", r"University of .+"),
        ("[**Company 2**]", "ORGANIZATION", r"\w.+"),
        ("[**Telephone/Fax (1) 33**]", "PHONE", r"[\d +().-]+"),
        ("[**Pager number 5**]", "PHONE", r"\d{5}"),
        ("[**Age over 90 123**]", "AGE", r"9\d|10[01]"),
        ("[**Medical Record Number 3**]", "MEDICALRECORD", r"[\w-]+"),
        ("[**Social Security Number 1**]", "SSN", r"[\d-]+"),
        ("[**Clip Number (Radiology) 9**]", "IDNUM", r"\S+"),
        ("[**Numeric Identifier 5403**]", "IDNUM", r"\S+"),
        ("[**12345**]", "IDNUM", r"\d{5}"),
        ("[**MD Number(1) 4**]", "LICENSE", r"\S+"),
        ("[**E-mail address 3**]", "EMAIL", r"\S+@\S+"),
        ("[**URL 3**]", "URL", r"\S+"),
        ("[**Something new**]", "IDNUM", r".+"),
        ("[****]", "IDNUM", r".+"),
        ("Name:  ___ ", "PATIENT", r"[A-Z][\w'-]+ [A-Z][\w'. -]+"),
        ("Mr. ___ slept", "PATIENT", r"[A-Z][\w'. -]+"),
        ("Unit No:   ___", "MEDICALRECORD", r"[\w-]+"),
        ("Admission Date:  ___", "DATE", r"[\d/.-]+"),
        ("Date of Birth:  ___", "DATE", r"[\d/.-]+"),
        ("seen by Dr. ___.", "DOCTOR", r"[A-Z][\w'. -]+"),
        ("___, M.D.", "DOCTOR", r"[A-Z][\w'-]+ [A-Z][\w'. -]+"),
        ("A ___ year old man", "AGE", r"\d\d"),
        ("___ 06:15AM BLOOD WBC-7.1", "DATE", r"[\d/.-]+"),
        ("transferred from ___ after a fall", "HOSPITAL", r"[A-Z].+"),
        ("lives in ___ alone", "CITY", r"[A-Z].+"),
        ("Phone: ___", "PHONE", r"[\d +().-]+"),
    ],
)
def test_what_is_written_for_a_placeholder(sentence, label, looks):
    for seed in range(4):
        note = fill_placeholders(Document("n1", sentence), seed)
        ((value, found),) = values(note)
        assert found == label
        assert re.fullmatch(looks, value), value
        assert "[**" not in note.text
        assert "___" not in note.text


def test_every_fill_of_the_table_can_be_written_and_every_label_is_of_i2b2():
    forms = _forms()
    assert {fill for _, fill in forms.phrases} | {blank.fill for blank in forms.blanks} <= FILLS | {
        f"id_{kind}" for kind in ("ssn", "mrn", "healthplan", "account", "license", "device", "vehicle", "bioid", "idnum")
    }
    assert {blank.label for blank in forms.blanks} <= set(taxonomy("i2b2").labels)


def test_one_person_has_one_name_and_two_have_two():
    note = fill_placeholders(Document("n1", LETTER), 1)
    names = [value for value, label in values(note) if label == "PATIENT"]
    assert names[0] == names[2]
    doctors = [value for value, label in values(note) if label == "DOCTOR"]
    assert doctors[0].endswith(" " + doctors[1])  # first and last name are one span
    two = fill_placeholders(Document("n1", "[**Known lastname 1**] [**Hospital1 1**] [**Known lastname 2**]"), 1)
    assert two.spans[0].of(two.text) != two.spans[2].of(two.text)


def test_dates_move_together_into_our_time():
    for seed in range(20):
        note = fill_placeholders(Document("n1", LETTER.replace("Seen", "[**2151-7-30**] Seen")), seed)
        years = [int(year) for year in re.findall(r"\b(?:19|20)\d\d\b", note.text)]
        assert max(years) <= 2014 < 2100
        assert max(years) - min(years) == 2151 - 2091


@pytest.mark.parametrize("day", ["2152-2-29", "2151-13-45", "0-0", "9999-1-1", "2152-0-3"])
def test_odd_dates_are_written_too(day):
    assert "[**" not in fill_placeholders(Document("n1", f"on [**{day}**] and [**2150-1-1**]"), 1).text


def test_a_stay_begins_before_it_ends_and_after_the_birth():
    text = "Admission Date:  ___  Discharge Date:  ___\nDate of Birth:  ___\n___ 06:15AM BLOOD"
    for seed in range(30):
        note = fill_placeholders(Document("n1", text), seed)
        numbers = [tuple(map(int, re.findall(r"\d+", span.of(note.text)))) for span in note.spans]
        days = [date(*n) if n[0] > 31 else date(n[2], n[0], n[1]) for n in numbers]
        admitted, discharged, born, measured = days
        assert born < admitted <= measured <= discharged


def test_the_same_seed_gives_the_same_text_and_the_notes_of_a_patient_share_the_name():
    one, again, other = (fill_placeholders(Document("n1", LETTER), seed) for seed in (1, 1, 2))
    assert one == again
    assert one.text != other.text
    first, second = (fill_placeholders(Document(id, "[**Known lastname 5**]", meta={"patient": "p1"}), 1) for id in ("a", "b"))
    assert first.text == second.text
    assert len({fill_placeholders(Document(f"n{i}", "[**Known lastname 5**]"), 1).text for i in range(20)}) > 10


def test_the_patients_first_name_is_of_the_gender_of_the_note():
    women = {
        fill_placeholders(Document(f"n{i}", "[**Known firstname 1**]. She left with her son."), 1).text.split(".")[0]
        for i in range(40)
    }
    men = {
        fill_placeholders(Document(f"n{i}", "[**Known firstname 1**]. He left with his son."), 1).text.split(".")[0]
        for i in range(40)
    }
    assert len(women & men) < 5


def test_lines_to_write_on_and_spans_of_others_stay():
    text = "🙂 Signature: ______ [**Name**] took aspirin"
    note = Document("n1", text, (Span(text.index("aspirin"), len(text), "DRUG"),))
    found = fill_placeholders(note, 1)
    assert "______" in found.text
    assert ("aspirin", "DRUG") in values(found)
    plain = Document("n2", "nothing here")
    assert fill_placeholders(plain, 1) is plain


PIECES = ["[**Name**]", "[**", "**]", "___", "[**2151-7-1**]", "Dr. ", " ", "\n", "é🙂", "[**Hospital 1**]", "_", "a"]


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.integers(0, 3))
def test_every_placeholder_is_replaced_and_all_else_stays_as_it_was(pieces, seed):
    text = "".join(pieces)
    note = fill_placeholders(Document("n1", text), seed)
    assert {match.span() for match in PLACEHOLDER.finditer(text)} <= {(one.start, one.end) for one in placeholders(text)}
    kept, position = [], 0
    for one in placeholders(text):
        kept.append(text[position : one.start])
        position = one.end
    kept.append(text[position:])
    assert re.fullmatch(".*?".join(map(re.escape, kept)), note.text, re.DOTALL)
    assert all(span.of(note.text).strip() for span in note.spans)


def test_convert_fills_them_from_any_format(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text(LETTER, encoding="utf-8")
    (tmp_path / "table.csv").write_text('id,text\nb,"Mr. ___ slept"\n', encoding="utf-8")
    for source, count in (("notes", 11), ("table.csv", 1)):
        out = tmp_path / f"{count}.jsonl"
        done = CliRunner().invoke(
            app, ["convert", str(tmp_path / source), "-o", str(out), "--fill-placeholders", "--seed", "4"]
        )
        assert done.exit_code == 0
        (note,) = read_documents(str(out))
        assert len(note.spans) == count
        assert "[**" not in note.text
