"""i2b2 2014 de-identification XML: a text in CDATA and one element per identifier."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from innominate.core import Document, FormatError, Rejected, Span, SpanError
from innominate.core.protocols import SourceFile
from innominate.formats import xml_escaping, xml_parsing
from innominate.labels import taxonomy

if TYPE_CHECKING:
    from lxml import etree

OTHER = "OTHER"  # the element for labels that are not of i2b2; the official scorer reads it
_META = "innominate-meta"  # attribute of the root; other readers pass over it


class I2b2Format:
    """i2b2 2014 XML. A span's label is the TYPE; where the element is not the category of that type, `ELEMENT:TYPE`.

    With `check_text` a tag whose text attribute is not what stands at its offsets rejects the note, because then either may be
    wrong and a name may stay uncovered. White space may differ: XML changes it in attributes.
    """

    name = "i2b2"
    suffixes: tuple[str, ...] = (".xml",)
    holds_spans = True

    def __init__(self, check_text: bool = True) -> None:
        self.check_text = check_text

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        """Look for the root element."""
        return b"<deIdi2b2" in head.replace(b"\0", b"")  # UTF-16 too

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Yield the file's one document."""
        try:
            with file.open() as stream:
                root = xml_parsing.parse_tree(stream, file.name)
            yield self._document(root, file.id)
        except FormatError as error:
            yield Rejected(file.id, error.reason, file.name, error.line)

    def files(self, document: Document) -> Mapping[str, bytes]:
        """The XML; a label outside i2b2 goes into an OTHER element."""
        tags = "".join(_tag(index, span, document.text) for index, span in enumerate(document.spans))
        meta = f" {_META}={xml_escaping.quote_attribute(json.dumps(dict(document.meta)))}" if document.meta else ""
        text = xml_escaping.write_element("TEXT", document.text)
        xml = f'<?xml version="1.0" encoding="UTF-8" ?>\n<deIdi2b2{meta}>\n{text}\n<TAGS>\n{tags}</TAGS>\n</deIdi2b2>\n'
        return {".xml": xml.encode("utf-8")}

    def _document(self, root: etree._Element, id: str) -> Document:
        element = root.find("TEXT")
        if element is None or len(element):
            raise FormatError("there is no TEXT element with plain text", line=xml_parsing.line_of(root))
        text = xml_escaping.text_of(element)
        fitted = xml_escaping.replace_unfit(text)
        spans = [self._span(tag, fitted) for tags in root.findall("TAGS") for tag in tags]
        return Document(id, text, tuple(spans), _meta(root))

    def _span(self, tag: etree._Element, text: str) -> Span:
        id = tag.get("id", "without id")
        try:
            span = Span(_offset(tag, "start"), _offset(tag, "end"), _label(str(tag.tag), tag.get("TYPE")))
        except SpanError as error:
            raise FormatError(f"tag {id}: {error}", line=xml_parsing.line_of(tag)) from None
        if span.end > len(text):
            raise FormatError(f"tag {id} ends after the {len(text)} characters of the text", line=xml_parsing.line_of(tag))
        quoted = tag.get("text")
        if self.check_text and quoted is not None and quoted.split() != span.of(text).split():
            raise FormatError(
                f"tag {id}: its text is not what stands at {span.start}..{span.end}", line=xml_parsing.line_of(tag)
            )
        return span


@cache
def _categories() -> Mapping[str, str]:
    return {label.name: label.category for label in taxonomy("i2b2").labels.values()}


def _category(type: str) -> str:
    return _categories().get(type, OTHER)


def _label(element: str, type: str | None) -> str:
    """Keep the element's name where it does not follow from the type, so that nothing a scorer looks at is lost."""
    if not type:
        return element
    return type if _category(type) == element else f"{element}:{type}"


def _element_and_type(label: str) -> tuple[str, str]:
    """The reverse of `_label`.

    >>> _element_and_type("CITY"), _element_and_type("ÂGE"), _element_and_type("NAME:CITY")
    (('LOCATION', 'CITY'), ('OTHER', 'ÂGE'), ('NAME', 'CITY'))
    """
    element, _, type = label.partition(":")
    if type and element in {*_categories().values(), OTHER, "PHI"} and _category(type) != element:
        return element, type
    return _category(label), label


def _tag(index: int, span: Span, text: str) -> str:
    if not span.label or xml_escaping.has_unfit(span.label):
        raise FormatError(f"label {span.label!r} cannot be written as XML")
    element, type = _element_and_type(span.label)
    quoted, type = xml_escaping.quote_attribute(span.of(text)), xml_escaping.quote_attribute(type)
    return f'<{element} id="P{index}" start="{span.start}" end="{span.end}" text={quoted} TYPE={type} comment="" />\n'


def _offset(tag: etree._Element, name: str) -> int:
    value = tag.get(name, "")
    if not (value.isascii() and value.isdigit() and len(value) < 16):
        raise FormatError(f"tag {tag.get('id', 'without id')}: {name} is not a number", line=xml_parsing.line_of(tag))
    return int(value)


def _meta(root: etree._Element) -> dict[str, Any]:
    try:
        meta = json.loads(root.get(_META, "{}"))
    except ValueError:
        meta = None
    if not isinstance(meta, dict):
        raise FormatError(f"the attribute {_META} is not a JSON object", line=xml_parsing.line_of(root))
    return meta
