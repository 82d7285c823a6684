"""The only door for XML from outside: no DTD, no entities of its own, no network, and one reading of its encoding.

We decode the bytes ourselves and hand the parser UTF-8, so that a document type can be seen before parsing in whatever
encoding it was written, and so that the check and the parser can never disagree about what the bytes mean.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from innominate.core import FormatError

if TYPE_CHECKING:
    from lxml import etree

MAX_TREE = 256 << 20  # bytes of a file that is read at once
_CHUNK = 1 << 20  # the root element must begin within it
_BITE = 1 << 16  # fed to the parser at a time, so that few records are in memory together
_DECLARATION = re.compile(r"<\?xml\s[^>]*?\?>")
_DECLARED = re.compile(rb"""\s*<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
# Encodings in which every ASCII character is its own byte, so the declaration above could be read. Others hide markup.
_ENCODINGS = re.compile(r"utf-8|ascii|iso8859-\d+|cp125\d|cp850|cp437|mac-roman")
_BLANKS = re.compile("[\ufeff \t\r\n]*")
_MISC = ("<!--", "-->"), ("<?", "?>")


def parse_tree(stream: BinaryIO, source: str) -> etree._Element:
    """Parse a whole file and return its root; anything wrong is a FormatError with the line.

    >>> from io import BytesIO
    >>> parse_tree(BytesIO(b"<a><!-- x --><b>1</b></a>"), "a.xml").findtext("b")
    '1'
    >>> parse_tree(BytesIO(b'<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>'), "a.xml")
    Traceback (most recent call last):
    innominate.core.errors.FormatError: a.xml:1: the XML has a document type (DTD), which is refused
    """
    from lxml import etree

    chunks, size = [], 0
    for chunk in _utf8_chunks(stream, source):
        size += len(chunk)
        if size > MAX_TREE:
            raise FormatError(f"larger than {MAX_TREE >> 20} MB, too large to read at once", source=source)
        chunks.append(chunk)
    try:
        return _without_dtd(etree.fromstring(b"".join(chunks), etree.XMLParser(**_options())), source)
    except etree.XMLSyntaxError as error:
        raise _not_well_formed(error, source) from None


def parse_records(stream: BinaryIO, tag: str, source: str) -> Iterator[etree._Element]:
    """Yield each element of a name as it ends, and forget it afterwards, so that a file may be larger than memory."""
    from lxml import etree

    parser = etree.XMLPullParser(events=("end",), tag=tag, **_options())
    last: etree._Element | None = None
    try:
        for chunk in _utf8_chunks(stream, source):
            for at in range(0, len(chunk), _BITE):
                parser.feed(chunk[at : at + _BITE])
                events = cast("Iterator[tuple[str, etree._Element]]", parser.read_events())
                # a record inside a record belongs to the outer one
                ended = [element for _, element in events if next(element.iterancestors(tag), None) is None]
                if ended:
                    _forget(last)
                    yield from _one_by_one(ended[:-1])
                    last = ended[-1]  # stays where it is: the parser may be in the middle of the text behind it
                    yield last
        _without_dtd(parser.close(), source)
    except etree.XMLSyntaxError as error:
        raise _not_well_formed(error, source) from None


def _one_by_one(elements: list[etree._Element]) -> Iterator[etree._Element]:
    """Put each element back alone, so that an XPath over the tree does not walk over all that were read with it."""
    parents = [element.getparent() for element in elements]
    for element in elements:
        _forget(element)
    for element, parent in zip(elements, parents, strict=True):
        if parent is not None:
            parent.insert(0, element)
        yield element
        _forget(element)


def _forget(element: etree._Element | None) -> None:
    parent = element.getparent() if element is not None else None
    if element is not None and parent is not None:
        parent.remove(element)  # takes the text behind it along


def line_of(element: etree._Element) -> int | None:
    """The line on which an element begins."""
    line: Any = element.sourceline
    return line if isinstance(line, int) else None


def _options() -> dict[str, Any]:
    # huge_tree: a note may be longer than libxml2's 10 MB. What that limit guards against needs entities, which need a DTD.
    return {
        "encoding": "utf-8", "resolve_entities": False, "no_network": True, "load_dtd": False, "dtd_validation": False,
        "huge_tree": True, "remove_comments": True, "remove_pis": True,
    }  # fmt: skip


def _without_dtd(root: etree._Element, source: str) -> etree._Element:
    """A second lock behind `_refuse_dtd`: what the parser itself saw."""
    if root.getroottree().docinfo.internalDTD is not None:
        raise FormatError("the XML has a document type (DTD), which is refused", source=source)
    return root


def _utf8_chunks(stream: BinaryIO, source: str) -> Iterator[bytes]:
    """Yield the file as UTF-8 without byte order mark and declaration, after a look for a document type."""
    head = stream.read(_CHUNK)
    encoding, skip = _encoding(head, source)
    decoder = codecs.getincrementaldecoder(encoding)()
    lines, chunk, first = 1, head[skip:], True
    while chunk or first:
        text = _decode(decoder, chunk, source, lines)
        if first:
            text = _DECLARATION.sub(lambda match: "\n" * match[0].count("\n"), text, count=1) if _declares(text) else text
            _refuse_dtd(text, source)
        lines += text.count("\n")
        yield text.encode("utf-8")
        chunk, first = stream.read(_CHUNK), False
    yield _decode(decoder, b"", source, lines, final=True).encode("utf-8")


def _decode(decoder: codecs.IncrementalDecoder, chunk: bytes, source: str, line: int, *, final: bool = False) -> str:
    try:
        text = decoder.decode(chunk, final)
    except UnicodeError as error:
        before = error.object[: error.start].count(b"\n") if isinstance(error, UnicodeDecodeError) else 0
        raise FormatError("bytes that do not fit the encoding of the XML", source=source, line=line + before) from None
    return text


def _encoding(head: bytes, source: str) -> tuple[str, int]:
    """Say in which encoding the XML is written, and how many bytes of byte order mark to skip."""
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise FormatError("the XML is in UTF-32, which is refused", source=source, line=1)
    for mark, encoding in (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"):
        if head.startswith(mark):
            return encoding, len(mark)
    if b"\0" in head[:4]:
        return ("utf-16-be" if head[:1] == b"\0" else "utf-16-le"), 0
    declared = _DECLARED.match(head[:1000])
    name = declared[1].decode("ascii") if declared else "utf-8"
    try:
        canonical = codecs.lookup(name).name
    except LookupError:
        canonical = ""
    if not _ENCODINGS.fullmatch(canonical):
        raise FormatError(f"the XML says it is encoded as {name!r}, which is refused", source=source, line=1)
    return canonical, 0


def _declares(text: str) -> bool:
    return text.lstrip().startswith("<?xml")


def _refuse_dtd(text: str, source: str) -> None:
    """Walk over comments and processing instructions to the first tag. HTML in a note may well have a `<!DOCTYPE` later."""
    position = 0
    while True:
        position = _BLANKS.match(text, position).end()  # type: ignore[union-attr]  # matches always
        for opening, closing in _MISC:
            if text.startswith(opening, position):
                end = text.find(closing, position + len(opening))
                position = end + len(closing) if end >= 0 else len(text)
                break
        else:
            break
    if text.startswith("<!", position):
        line = text.count("\n", 0, position) + 1
        raise FormatError("the XML has a document type (DTD), which is refused", source=source, line=line)
    if position >= len(text):
        raise FormatError("no XML element in the first megabyte", source=source, line=1)


def _not_well_formed(error: Any, source: str) -> FormatError:
    """Name the kind of error only: the parser's own message may quote the text."""
    last = error.error_log.last_error
    kind = last.type_name.removeprefix("ERR_").replace("_", " ").lower() if last is not None else "syntax"
    return FormatError(f"not well-formed XML ({kind})", source=source, line=error.lineno)
