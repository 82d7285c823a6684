"""XML exports of hospital systems: structured fields around a note that is HTML or plain text, mostly in CDATA.

The text is the content as it stands, HTML included: cleaning is a view that comes later, with its own offset map. (Loftsson
2022, sections 2.1 and 2.2, describes such an archive.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from innominate.core import Document, FormatError, Rejected, UsageError
from innominate.core.protocols import SourceFile
from innominate.formats import xml_fields, xml_parsing

if TYPE_CHECKING:
    from lxml import etree

TEXT_XPATH = " | ".join(f"//{name}" for name in xml_fields.TEXT_NAMES)
_SIMPLE = re.compile(r"(?://|\.//)?([^\W\d][\w.-]*)")


class _Record(NamedTuple):
    """One record: its texts, the fields that stand outside all records, and whether it is the whole file."""

    element: etree._Element
    texts: list[etree._Element]
    shared: xml_fields.Fields
    alone: bool


class HospitalXmlFormat:
    """Hospital XML. XPaths say where the text, the id and the patient stand, and which element is one record.

    Without `record_xpath` each text node is a document, with the fields around it. A `record_xpath` that is just the name of
    an element reads the file record by record, however large it is. Every other leaf and attribute goes to `meta` by its path.
    """

    name = "hospital-xml"
    suffixes: tuple[str, ...] = (".xml",)
    holds_spans = False

    def __init__(
        self,
        text_xpath: str = TEXT_XPATH,
        id_xpath: str | None = None,
        patient_xpath: str | None = None,
        record_xpath: str | None = None,
    ) -> None:
        self.text_xpath, self.id_xpath = text_xpath, id_xpath
        self.patient_xpath, self.record_xpath = patient_xpath, record_xpath

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        """Take any XML but that of i2b2, which is a format of its own."""
        start = head.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")  # UTF-16 too
        xml = start.startswith((b"<?xml", b"<!--")) or (start.startswith(b"<") and b"<![CDATA[" in start)
        return xml and b"<deIdi2b2" not in start

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Yield one document per text node, record by record."""
        count = 0
        try:
            for record in self._records(file):
                for entry in self._entries(record, file, count):
                    count += 1
                    yield entry
        except FormatError as error:
            yield Rejected(file.id, error.reason, file.name, error.line)
            return
        if not count:
            yield Rejected(file.id, f"no element is a record by {self.record_xpath!r}", file.name)

    def files(self, document: Document) -> Mapping[str, bytes]:
        """An XML of the shape that the document came in, or a flat record; spans are not in it."""
        xml = xml_fields.write_record(document.text, self._without_patient(document.meta), self._default_path())
        return {".xml": xml.encode("utf-8")}

    def _records(self, file: SourceFile) -> Iterator[_Record]:
        """Yield the records one after the other."""
        with file.open() as stream:
            if name := _simple_name(self.record_xpath):
                for element in xml_parsing.parse_records(stream, name, file.name):
                    root = element.getroottree().getroot()
                    shared = list(xml_fields.fields_below(root, root, set(), set(root.iter(name))))
                    texts = [text for text in self._texts(element) if text is element or element in text.iterancestors()]
                    yield _Record(element, texts, shared, alone=False)
                return
            root = xml_parsing.parse_tree(stream, file.name)
        texts = self._texts(root)
        if self.record_xpath:
            elements = _elements(root, self.record_xpath)
        else:
            elements = xml_fields.elements_around(texts) if len(texts) > 1 else [root]
        alone = elements == [root]
        shared = [] if alone else list(xml_fields.fields_below(root, root, set(texts), set(elements)))
        inside = xml_fields.texts_by_record(texts, elements)
        yield from (_Record(element, inside[element], shared, alone) for element in elements)

    def _entries(self, record: _Record, file: SourceFile, before: int) -> Iterator[Document | Rejected]:
        """Make the documents of one record; a record without a text is rejected alone."""
        line = xml_parsing.line_of(record.element)
        if not record.texts:
            yield Rejected(_numbered(file.id, before, record.alone), "no text node in this record", file.name, line)
        id, one = self._value(record.element, self.id_xpath), len(record.texts) == 1
        for number, text in enumerate(record.texts):
            own_id = _numbered(id, number, one) if id else _numbered(file.id, before + number, record.alone and one)
            try:
                if self.id_xpath and not id:
                    raise FormatError(f"no id at {self.id_xpath!r}", line=line)
                yield self._document(own_id, record, text)
            except FormatError as error:
                yield Rejected(own_id, error.reason, file.name, error.line or xml_parsing.line_of(text))

    def _document(self, id: str, record: _Record, text: etree._Element) -> Document:
        root = record.element.getroottree().getroot()
        own = xml_fields.fields_below(record.element, root, {text}, set(record.texts) - {text})
        meta = xml_fields.meta_of_fields([*record.shared, *own], xml_fields.local_name(root))
        if meta.get(xml_fields.TEXT_PATH) == self._default_path():  # the flat record of our own says nothing
            del meta[xml_fields.TEXT_PATH]
        if patient := self._value(record.element, self.patient_xpath):
            meta["patient"] = patient
        return Document(id, xml_fields.inner_text(text), (), meta)

    def _texts(self, element: etree._Element) -> list[etree._Element]:
        """The text nodes by the XPath, without those inside another one."""
        found = _elements(element, self.text_xpath)
        chosen = set(found)
        return [text for text in found if chosen.isdisjoint(text.iterancestors())]

    def _value(self, record: etree._Element, xpath: str | None) -> str:
        """The string at an XPath, from within the record if it is there."""
        if xpath is None:
            return ""
        result = _evaluate(record, xpath)
        if not isinstance(result, list):
            return str(result).strip()
        inside = [node for node in result if _home(node) is record or record in _home(node).iterancestors()]
        for node in inside or result:
            return (node if isinstance(node, str) else "".join(node.itertext())).strip()
        return ""

    def _without_patient(self, meta: Mapping[str, Any]) -> Mapping[str, Any]:
        """Leave out what the reader will find again by its XPath."""
        if self.patient_xpath and xml_fields.TEXT_PATH in meta:
            return {key: value for key, value in meta.items() if key != "patient"}
        return meta

    def _default_path(self) -> str:
        record = _simple_name(self.record_xpath)
        return "/".join(["RECORD", *([record] if record else []), _simple_name(self.text_xpath) or "TEXT"])


def _simple_name(xpath: str | None) -> str | None:
    match = _SIMPLE.fullmatch(xpath) if xpath else None
    return match[1] if match else None


def _numbered(id: str, number: int, alone: bool) -> str:
    return id if alone else f"{id}:{number + 1}"


def _home(node: Any) -> Any:
    """The element of a node; strings from lxml know their parent."""
    parent: Any = getattr(node, "getparent", None)
    return parent() if isinstance(node, str) else node


def _elements(element: etree._Element, xpath: str) -> list[Any]:
    """The elements at an XPath, or those whose text() it selects, each once."""
    result = _evaluate(element, xpath)
    if not isinstance(result, list) or any(isinstance(node, str) and not getattr(node, "is_text", False) for node in result):
        raise UsageError(f"the XPath {xpath!r} must select elements")
    return list(dict.fromkeys(_home(node) for node in result))


def _evaluate(element: etree._Element, xpath: str) -> Any:
    from lxml import etree

    prefixes = {prefix: uri for prefix, uri in element.nsmap.items() if prefix}
    try:
        return element.xpath(xpath, namespaces=prefixes)
    except (etree.XPathError, TypeError, ValueError) as error:  # it knows the expression only, never the text
        raise UsageError(f"the XPath {xpath!r} does not work: {error}") from None
