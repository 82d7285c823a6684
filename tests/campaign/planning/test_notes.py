"""Notes in chunks: nothing is lost between them, and every chunk finds its way back to the original file."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innominate.campaign.planning.config import Campaign
from innominate.campaign.planning.notes import cut_text, prepare_note
from innominate.core import Document, Span, annotated
from innominate.formats import MemoryFile, read_documents

CAMPAIGN = Campaign("c", "chuv")
TEXTS = st.text(st.sampled_from("ab.e\u0301 \n\t🙂éx"), max_size=200)


def pieces(text, **sizes):
    return [text[start:end] for start, end in cut_text(text, **sizes)]


@pytest.mark.parametrize(
    ("text", "sizes", "expected"),
    [
        ("Anamnèse\n\nEva dort.\n", {}, ["Anamnèse", "Eva dort."]),
        ("a\nb\nc", {"target": 3}, ["a\nb", "c"]),
        ("a\n\n\nb", {"target": 5}, ["a\n\n\nb"]),
        ("a\nbbbbbbbb\nc\nd", {"target": 4}, ["a", "bbbbbbbb", "c\nd"]),
        ("Eva dort. Elle va mieux ce matin.", {"most": 20}, ["Eva dort. Elle va", "mieux ce matin."]),
        ("Eva va mieux. Elle dort bien.", {"most": 20}, ["Eva va mieux.", "Elle dort bien."]),
        ("x" * 45, {"most": 20}, ["x" * 20, "x" * 20, "x" * 5]),
        ("x" * 19 + "e\u0301" + "y" * 5, {"most": 20}, ["x" * 19, "e\u0301yyyyy"]),  # a letter keeps its accent
        ("x" * 25 + "\u0301" * 30, {"most": 20}, ["x" * 20, "x" * 5 + "\u0301" * 15, "\u0301" * 15]),
        (" " * 30 + "a", {"most": 20}, ["a"]),
        ("", {}, []),
    ],
)
def test_cutting(text, sizes, expected):
    assert pieces(text, **sizes) == expected


@given(TEXTS, st.integers(0, 60), st.integers(60, 90))
def test_every_character_but_blanks_is_in_exactly_one_piece(text, target, most):
    places = cut_text(text, target, most)
    assert all(start < end for start, end in places)
    assert all(before[1] <= after[0] for before, after in pairwise(places))
    assert re.sub(r"\s", "", "".join(text[start:end] for start, end in places)) == re.sub(r"\s", "", text)
    assert all(end - start <= most for start, end in places)


@given(TEXTS)
def test_chunks_find_their_way_back(text):
    note = prepare_note(Document("n", text), CAMPAIGN)
    for sample in note.samples:
        for start in range(len(sample.text)):
            whole = Span(start, len(sample.text), "X")
            (original,) = note.to_original(sample, [whole])
            (again,) = note.from_original(sample, [original])
            assert again.start <= start
            assert again.end == len(sample.text)


HOSPITAL = """<?xml version="1.0"?><RECORD><ID>7</ID><CONTENT><![CDATA[<p>🙂 Vu par <b>Dr&nbsp;Rochat</b></p>
<table><tr><td>Née</td><td>le 18.03.2022</td></tr></table><p>1015-Lausanne ﬁn</p>]]></CONTENT></RECORD>"""


def test_from_html_in_xml_and_back():
    (document,) = read_documents(MemoryFile("h.xml", HOSPITAL.encode(), "h"))
    note = prepare_note(document, CAMPAIGN)
    assert [sample.text for sample in note.samples] == ["🙂 Vu par Dr Rochat", "Née le 18#03#2022", "1015 Lausanne fin"]
    marked = [
        annotated("🙂 Vu par Dr [Rochat](X)"),
        annotated("Née le [18#03#2022](X)"),
        annotated("[1015](X) [Lausanne](X) [fin](X)"),
    ]
    originals = [
        span.of(document.text)
        for sample, document_ in zip(note.samples, marked, strict=True)
        for span in note.to_original(sample, document_.spans)
    ]
    assert originals == ["Rochat", "18.03.2022", "1015", "Lausanne", "ﬁn"]


def test_spans_of_the_original_come_into_the_chunks_and_are_cut_at_their_ends():
    document = annotated("<p>Vu le [3</p><p>mai](DATE) par [Eva](NAME)", "n")
    note = prepare_note(document, CAMPAIGN)
    shown = [[span.of(sample.text) for span in note.from_original(sample, document.spans)] for sample in note.samples]
    assert shown == [["3"], ["mai", "Eva"]]


def test_a_sample_knows_its_document_patient_and_unit_and_never_shows_its_text():
    note = prepare_note(Document("n", "Eva\ndort", (), {"patient": 7, "unit": "CARDIO"}), CAMPAIGN)
    assert [(sample.id, sample.patient, sample.unit) for sample in note.samples] == [
        ("n#1", "7", "CARDIO"),
        ("n#2", "7", "CARDIO"),
    ]
    assert "Eva" not in repr(note)
