"""XML from outside: no document type, in any disguise, and nothing of the text in a message."""

import contextlib
import time
import tracemalloc
from io import BytesIO

import pytest

from innominate.core import FormatError
from innominate.formats.xml_parsing import parse_records, parse_tree

BOMB = (
    '<!DOCTYPE z [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1 or str()};" * 10}">' for n in range(1, 10))
    + "]><z>&a9;</z>"
)
QUADRATIC = f'<!DOCTYPE z [<!ENTITY a "{"x" * 100_000}">]><z>{"&a;" * 1000}</z>'
EXTERNAL = '<!DOCTYPE z [<!ENTITY e SYSTEM "file:///etc/passwd">]><z>&e;</z>'
PARAMETER = '<!DOCTYPE z [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd">%p;]><z/>'
EXTERNAL_DTD = '<!DOCTYPE z SYSTEM "http://127.0.0.1:9/x.dtd"><z/>'
BEHIND_A_COMMENT = "<!-- <z> -->\n<?pi <z> ?>\n  <!DOCTYPE z><z/>"
ATTACKS = [BOMB, QUADRATIC, EXTERNAL, PARAMETER, EXTERNAL_DTD, BEHIND_A_COMMENT]


def disguises(xml):
    yield xml.encode()
    yield b'<?xml version="1.0"?>\n' + xml.encode()
    yield b"\xef\xbb\xbf" + xml.encode()
    yield xml.encode("utf-16")
    yield b"\xfe\xff" + xml.encode("utf-16-be")
    yield xml.encode("utf-16-le")
    yield xml.encode("utf-16-be")
    yield ('<?xml version="1.0" encoding="UTF-16"?>' + xml).encode("utf-16")
    yield xml.encode("utf-32")
    yield b'<?xml version="1.0" encoding="UTF-7"?>' + xml.encode("utf-7")
    yield b'<?xml version="1.0" encoding="UTF-7"?>' + xml.replace("<", "+ADw-").encode()
    yield xml.encode("utf-7")
    yield ('<?xml version="1.0" encoding="cp037"?>' + xml).encode("cp037")
    yield b'<?xml version="1.0" encoding="IBM037"?>' + xml.encode("cp037")
    yield b'<?xml version="1.0" encoding="hz"?>' + xml.encode()
    yield b'<?xml version="1.0" encoding="unicode_escape"?>' + xml.replace("<", "\\x3c").encode()


@pytest.mark.parametrize("xml", [data for attack in ATTACKS for data in disguises(attack)])
def test_a_document_type_is_refused_in_every_encoding(xml):
    tracemalloc.start()
    with pytest.raises(FormatError):
        parse_tree(BytesIO(xml), "x.xml")
    with pytest.raises(FormatError):
        list(parse_records(BytesIO(xml), "z", "x.xml"))
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


def test_the_line_of_the_document_type_is_named():
    with pytest.raises(FormatError, match=r"^x.xml:3: the XML has a document type"):
        parse_tree(BytesIO(BEHIND_A_COMMENT.encode()), "x.xml")


def test_a_document_type_of_html_in_a_note_is_text():
    assert parse_tree(BytesIO(b"<a><![CDATA[<!DOCTYPE html><p>]]></a>"), "x.xml").text == "<!DOCTYPE html><p>"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1", "windows-1252", "iso-8859-15"])
def test_declared_encodings_are_read(encoding):
    xml = f'<?xml version="1.0" encoding="{encoding}"?>\n<a>Née à Genève</a>'
    assert parse_tree(BytesIO(xml.encode(encoding)), "x.xml").text == "Née à Genève"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_read(encoding):
    assert parse_tree(BytesIO("<a>Née</a>".encode(encoding)), "x.xml").text == "Née"


@pytest.mark.parametrize(
    ("xml", "line"),
    [
        (b"<a>\n<b>Eva</c>\n</a>", 2),
        (b"<a>\n\n&Eva;</a>", 3),
        (b'<?xml version="1.0"?>\n<a>\nEva', 3),
        (b"<a>\nEva \xff\n</a>", 2),
        (b"<a>\n&#0;Eva</a>", 2),
        (b"Eva", 1),
        (b"", 1),
    ],
)
def test_broken_xml_gives_line_and_kind_but_no_text(xml, line):
    with pytest.raises(FormatError) as caught:
        parse_tree(BytesIO(xml), "x.xml")
    assert caught.value.line == line
    assert "Eva" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    "parse", [lambda data: parse_tree(BytesIO(data), "x"), lambda data: list(parse_records(BytesIO(data), "b", "x"))]
)
def test_deep_nesting_is_refused(parse):
    with pytest.raises(FormatError):
        parse(b"<a>" * 1_000_000)


def test_xinclude_and_schema_location_are_only_elements_and_attributes():
    xml = b'<a xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="file:///etc/passwd" parse="text"/></a>'
    assert "".join(parse_tree(BytesIO(xml), "x").itertext()) == ""


def test_records_come_one_by_one_and_are_forgotten():
    xml = b"<all>" + b"<r><t>x</t><r>inner</r></r>\n" * 50_000 + b"</all>"
    seen = 0
    for record in parse_records(BytesIO(xml), "r", "x.xml"):
        assert len(record.getparent()) < 5000
        assert record.findtext("r") == "inner"
        seen += 1
    assert seen == 50_000


def test_records_before_a_fault_are_still_read():
    found = parse_records(BytesIO(b"<all><r>1</r>\n<r>2</r>" + b" " * 2_000_000 + b"\n<r>Eva</x></all>"), "r", "x.xml")
    assert [next(found).text, next(found).text] == ["1", "2"]
    with pytest.raises(FormatError, match=r"x\.xml:3: not well-formed XML") as caught:
        next(found)
    assert "Eva" not in str(caught.value)


def test_a_file_too_large_to_read_at_once_is_refused(monkeypatch):
    monkeypatch.setattr("innominate.formats.xml_parsing.MAX_TREE", 1000)
    with pytest.raises(FormatError, match="too large"):
        parse_tree(BytesIO(b"<a>" + b"x" * 1000 + b"</a>"), "x")


@pytest.mark.parametrize(
    "xml",
    [
        b"<!--x-->" * 130_000 + b"<a/>",
        b"<a " + b" ".join(b"a%d='1'" % number for number in range(200_000)) + b"/>",
        b"<a>" + b"<b/>" * 500_000 + b"</a>",
        b"<a>" + b"&lt;" * 500_000 + b"</a>",
    ],
)
def test_much_of_everything_takes_little_time(xml):
    started = time.process_time()
    with contextlib.suppress(FormatError):
        parse_tree(BytesIO(xml), "x")
    assert time.process_time() - started < 2
