"""i2b2 2014 XML: what other people's files say, and what survives ours."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from innominate.core import Document, Rejected, Span, annotated
from innominate.formats.i2b2 import I2b2Format
from innominate.formats.sources import MemoryFile

ORACLES = Path(__file__).resolve().parents[3] / "shared" / "oracles" / "i2b2"


def held(data: bytes, id: str = "n1") -> MemoryFile:
    return MemoryFile(f"{id}.xml", data, id)


def read(data: bytes, **options):
    return list(I2b2Format(**options).read(held(data)))


def again(document: Document) -> Document:
    (read_back,) = read(I2b2Format().files(document)[".xml"])
    return read_back


def note(tags: str, text: str = "Seen by Eva Berg.") -> bytes:
    return f"<deIdi2b2>\n<TEXT><![CDATA[{text}]]></TEXT>\n<TAGS>\n{tags}\n</TAGS></deIdi2b2>".encode()


def test_label_is_the_type():
    (document,) = read(note('<NAME id="P0" start="8" end="16" text="Eva Berg" TYPE="DOCTOR" comment="" />'))
    assert document == annotated("Seen by [Eva Berg](DOCTOR).", id="n1")


def test_element_that_is_not_the_category_stays_visible():
    (document,) = read(note('<NAME id="P0" start="8" end="16" text="Eva Berg" TYPE="CITY" />'))
    assert document.spans == (Span(8, 16, "NAME:CITY"),)
    assert b'<NAME id="P0" start="8" end="16" text="Eva Berg" TYPE="CITY"' in I2b2Format().files(document)[".xml"]


@pytest.mark.parametrize(
    "text",
    [
        "👩‍⚕️ Eva",
        "Née Eva",
        "a\r\nb\rc\nEva",
        "\0Eva\x0b\x1f",
        "\ud800 Eva \udfff",
        "]]> Eva ]]>",
        "&amp; <b>Eva</b>",
        "\ufffd\0\ufffe Eva",
        "\x85\u2028Eva",
        "Eva",
    ],
)
def test_any_text_survives(text):
    start = text.index("Eva")
    document = Document("n1", text, (Span(start, start + 3, "PATIENT"),), {"patient": "7", "n": [1, None]})
    assert again(document) == document


@settings(suppress_health_check=[HealthCheck.too_slow])  # the first example loads Unicode's tables
@given(st.text(st.characters(exclude_categories=()), max_size=40))
def test_every_text_survives(text):
    assert again(Document("n1", text)).text == text


@pytest.mark.parametrize(
    "label", ["ÂGE", "Health Care Unit", "NAME:PATIENT", "NAME:CITY", "OTHER:X", "FOO:BAR", 'a"<&>\n', "OTHER", "date"]
)
def test_any_label_survives(label):
    document = Document("n1", "Eva", (Span(0, 3, label),))
    assert again(document) == document


def test_overlaps_and_duplicates_survive():
    document = Document("n1", "Eva Berg", (Span(0, 8, "PATIENT"), Span(0, 3, "DOCTOR"), Span(0, 8, "PATIENT")))
    assert again(document) == document


def test_ten_megabytes_on_one_line_before_a_name():
    text = "x" * 10_000_000 + " Eva"
    document = Document("n1", text, (Span(len(text) - 3, len(text), "PATIENT"),))
    assert again(document) == document


def test_other_readers_see_right_offsets_where_xml_cannot_hold_a_character():
    from lxml import etree

    xml = I2b2Format().files(Document("n1", "\0\r\nEva", (Span(3, 6, "PATIENT"),)))[".xml"]
    assert etree.fromstring(xml).findtext("TEXT")[3:6] == "Eva"


@pytest.mark.parametrize(
    ("tag", "reason", "line"),
    [
        ('<NAME id="P7" start="0" end="4" text="Anna" TYPE="DOCTOR"/>', "tag P7: its text is not what stands at 0..4", 4),
        ('<NAME id="P7" start="8" end="99" TYPE="DOCTOR"/>', "tag P7 ends after the 17 characters of the text", 4),
        ('<NAME id="P7" start="8" end="8" TYPE="DOCTOR"/>', "tag P7: a span needs 0 <= start < end, not 8..8", 4),
        ('<NAME id="P7" start="-1" end="8" TYPE="DOCTOR"/>', "tag P7: start is not a number", 4),
        ('<NAME id="P7" end="8" TYPE="DOCTOR"/>', "tag P7: start is not a number", 4),
        ('<NAME id="P7"', "not well-formed XML (gt required)", None),
    ],
)
def test_bad_tags_reject_the_note_by_tag_and_line(tag, reason, line):
    (rejected,) = read(note(tag))
    assert isinstance(rejected, Rejected)
    assert (rejected.id, rejected.source) == ("n1", "n1.xml")
    assert line is None or (rejected.reason, rejected.line) == (reason, line)
    assert "Anna" not in str(rejected)
    assert "Eva" not in str(rejected)


def test_check_text_can_be_switched_off():
    (document,) = read(note('<NAME id="P7" start="0" end="4" text="Anna" TYPE="DOCTOR"/>'), check_text=False)
    assert document.spans == (Span(0, 4, "DOCTOR"),)


def test_white_space_of_an_attribute_may_differ():
    (document,) = read(note('<NAME id="P0" start="0" end="8" text="Eva Berg" TYPE="DOCTOR"/>', text="Eva\nBerg"))
    assert document.spans == (Span(0, 8, "DOCTOR"),)


@pytest.mark.parametrize("listing", ["0:0", "99:0", "x", "0:110000000", "0:fffffff", "-1:0"])
def test_a_forged_restore_list_rejects_the_note(listing):
    (rejected,) = read(f'<deIdi2b2><TEXT innominate-restore="{listing}">abc</TEXT></deIdi2b2>'.encode())
    assert isinstance(rejected, Rejected)


@pytest.mark.parametrize(
    "xml",
    [b"", b"<deIdi2b2/>", b"<deIdi2b2><TEXT>a<b/></TEXT></deIdi2b2>", b'<deIdi2b2 innominate-meta="["><TEXT/></deIdi2b2>'],
)
def test_what_is_not_a_note_is_rejected(xml):
    assert isinstance(read(xml)[0], Rejected)


def test_recognised_by_its_root():
    assert I2b2Format().recognise(held(b""), note(""))
    assert I2b2Format().recognise(held(b""), note("").decode().encode("utf-16"))
    assert not I2b2Format().recognise(held(b""), b"<CHUV><TEXT/></CHUV>")


@pytest.mark.corpus
@pytest.mark.skipif(not ORACLES.exists(), reason="oracles not found")
def test_oracle_files_are_read_and_written_with_the_same_tags():
    paths = sorted(ORACLES.rglob("*.xml"))
    for path in paths:
        if path.match("punctuation_span/system/*"):  # has a tag over no character at all, which is no span
            continue
        (document,) = I2b2Format().read(held(path.read_bytes(), path.stem))
        assert isinstance(document, Document), (path, document)
        assert again(document).spans == document.spans
    assert paths
