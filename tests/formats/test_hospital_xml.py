"""Hospital XML: the note as it stands, the fields around it, and back."""

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from innominate.core import Document, Rejected, UsageError
from innominate.formats.hospital_xml import HospitalXmlFormat
from innominate.formats.sources import MemoryFile

LETTER = """<?xml version="1.0" encoding="UTF-8"?>
<DOCUMENT version="2">
  <PATIENT ipp="3141"><NOM>Rochat</NOM><PRÉNOM>Eva</PRÉNOM></PATIENT>
  <NOTE><ID>77</ID><CONTENT type="html"><![CDATA[<p>Vu <b>Mme Rochat</b> &agrave; 8h<br></p>]]></CONTENT><DATE/></NOTE>
</DOCUMENT>"""
ARCHIVE = (
    "<EXPORT><SITE>CHUV</SITE>"
    + "".join(f"<NOTE id='{n}'><PID>p{n % 2}</PID><CONTENT><![CDATA[note {n}]]></CONTENT></NOTE>\n" for n in range(3))
    + "</EXPORT>"
)


def read(xml, **options):
    return list(HospitalXmlFormat(**options).read(MemoryFile("n1.xml", xml if isinstance(xml, bytes) else xml.encode(), "n1")))


def again(document, **options):
    (read_back,) = read(HospitalXmlFormat(**options).files(document)[".xml"], **options)
    return read_back


def test_text_is_the_html_as_it_stands_and_every_other_field_is_meta():
    (document,) = read(LETTER)
    assert document.id == "n1"
    assert document.text == "<p>Vu <b>Mme Rochat</b> &agrave; 8h<br></p>"
    assert document.meta == {
        "@version": "2", "PATIENT@ipp": "3141", "PATIENT/NOM": "Rochat", "PATIENT/PRÉNOM": "Eva", "NOTE/ID": "77",
        "NOTE/CONTENT@type": "html", "text_path": "DOCUMENT/NOTE/CONTENT", "NOTE/DATE": "",
    }  # fmt: skip


def test_written_in_the_shape_it_came_in():
    (document,) = read(LETTER)
    xml = HospitalXmlFormat().files(document)[".xml"].decode()
    assert '<PATIENT ipp="3141">\n<NOM><![CDATA[Rochat]]></NOM>' in xml
    assert '<CONTENT type="html"><![CDATA[<p>Vu <b>Mme Rochat</b> &agrave; 8h<br></p>]]></CONTENT>' in xml
    assert read(xml) == [document]
    assert list(read(xml)[0].meta) == list(document.meta)


def test_xpaths_say_where_things_are():
    options = {"text_xpath": "//NOTE/CONTENT", "id_xpath": "//NOTE/ID", "patient_xpath": "/DOCUMENT/PATIENT/@ipp"}
    (document,) = read(LETTER, **options)
    assert (document.id, document.meta["patient"]) == ("77", "3141")
    assert again(document, **options) == document


@pytest.mark.parametrize("record_xpath", [None, "NOTE", "//NOTE", "/EXPORT/NOTE[CONTENT]"])
def test_records_with_their_own_fields_and_the_shared_ones(record_xpath):
    found = read(ARCHIVE, record_xpath=record_xpath, id_xpath="@id", patient_xpath="PID")
    assert [(note.id, note.text, note.meta["patient"]) for note in found] == [
        ("0", "note 0", "p0"), ("1", "note 1", "p1"), ("2", "note 2", "p0"),
    ]  # fmt: skip
    assert {note.meta["SITE"] for note in found} == {"CHUV"}
    assert found[1].meta["NOTE/PID"] == "p1"
    assert "NOTE/PID[2]" not in found[1].meta


def test_records_without_ids_are_numbered():
    assert [note.id for note in read(ARCHIVE)] == ["n1:1", "n1:2", "n1:3"]
    assert [note.id for note in read(ARCHIVE, record_xpath="NOTE")] == ["n1:1", "n1:2", "n1:3"]


def test_two_texts_in_one_record_are_two_documents():
    found = read("<R><ID>5</ID><TEXT>a</TEXT><TEXT>b</TEXT></R>", record_xpath="/R", id_xpath="ID")
    assert [(note.id, note.text) for note in found] == [("5:1", "a"), ("5:2", "b")]


def test_a_record_without_text_is_rejected_with_its_line_and_the_rest_goes_on():
    for record_xpath in ("NOTE", "/E/NOTE"):
        found = read(
            "<E>\n<NOTE><TEXT>a</TEXT></NOTE>\n<NOTE><X/></NOTE>\n<NOTE><TEXT>c</TEXT></NOTE></E>", record_xpath=record_xpath
        )
        assert [type(entry) for entry in found] == [Document, Rejected, Document]
        assert (found[1].id, found[1].line) == ("n1:2", 3)
        assert len({entry.id for entry in found}) == 3


def test_a_record_without_the_id_that_was_asked_for_is_rejected():
    found = read("<E><N><ID>1</ID><TEXT>a</TEXT></N><N><ID> </ID><TEXT>b</TEXT></N></E>", record_xpath="N", id_xpath="ID")
    assert [type(entry) for entry in found] == [Document, Rejected]


@pytest.mark.parametrize("xml", ["<A><B>x</B></A>", "<A>", "", "<!DOCTYPE A><A><TEXT>x</TEXT></A>"])
def test_files_without_a_note_are_rejected(xml):
    assert [type(entry) for entry in read(xml)] == [Rejected]
    assert [type(entry) for entry in read(xml, record_xpath="R")] == [Rejected]


@pytest.mark.parametrize("xpath", ["//[", "//x:TEXT", "count(//TEXT)", "//@id", "f(//A)", "\0"])
def test_a_bad_xpath_is_wrong_use(xpath):
    with pytest.raises(UsageError, match="XPath"):
        read("<A id='1'><TEXT>x</TEXT></A>", text_xpath=xpath)


def test_namespaces_and_text_nodes_and_markup():
    (document,) = read('<h:A xmlns:h="urn:h"><h:T>a &lt; b</h:T></h:A>', text_xpath="//h:T/text()")
    assert (document.text, document.meta) == ("a < b", {"text_path": "A/T"})
    (document,) = read("<A><TEXT>1 &lt; <b>2</b> &amp; 3</TEXT></A>")
    assert document.text == "1 &lt; <b>2</b> &amp; 3"


@pytest.mark.parametrize("text", ["👩‍⚕️ Eva", "Née", "a\r\nb\rc\n", "\0\x0b", "\ud800", "]]>", "<p>&nbsp;</p>", "", " \n"])
def test_any_text_survives(text):
    assert again(Document("n1", text)).text == text
    document = Document("n1", text, (), {"@v": "1", "text_path": "A/B/TEXT", "B/X": "1", "B/X[2]": "2"})
    assert list(again(document).meta) == list(document.meta)
    assert again(document).text == text


@settings(suppress_health_check=[HealthCheck.too_slow])  # the first example loads Unicode's tables
@given(
    st.dictionaries(
        st.text(st.characters(exclude_categories=()), min_size=1, max_size=5)
        | st.sampled_from(["A/B", "A@x", "@x", "TEXT", "content", "A[2]", "A/B[2]", "é/ü", "META"]),
        st.text(st.characters(exclude_categories=()), max_size=5)
        | st.none()
        | st.integers()
        | st.lists(st.integers(), max_size=2),
        max_size=4,
    )
)
def test_any_meta_survives_in_a_plain_record(meta):
    assert again(Document("n1", "text", (), meta)).meta == meta


def test_ten_megabytes_on_one_line():
    text = "x" * 10_000_000 + " Eva"
    assert again(Document("n1", text)).text == text
    assert again(Document("n1", text), record_xpath="NOTE").text == text


def test_recognised_unless_i2b2():
    assert HospitalXmlFormat().recognise(MemoryFile("a.xml", b""), LETTER.encode())
    assert HospitalXmlFormat().recognise(MemoryFile("a.xml", b""), ARCHIVE.encode("utf-16"))
    assert not HospitalXmlFormat().recognise(MemoryFile("a.xml", b""), b"<?xml version='1.0'?><deIdi2b2>")
    assert not HospitalXmlFormat().recognise(MemoryFile("a.txt", b""), b"<p>Vu")


@pytest.mark.parametrize("record_xpath", [None, "NOTE", "/E/NOTE"])
def test_thousands_of_records_take_little_time(record_xpath):
    note = "<NOTE><ID>1</ID><TEXT>Eva</TEXT></NOTE>"
    started = time.process_time()
    assert len(read(f"<E><SITE>x</SITE>{note * 5000}</E>", record_xpath=record_xpath)) == 5000
    assert time.process_time() - started < 4
