"""brat's standoff format: `note.txt` with `note.ann` beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from innominate.core.document import Document, Rejected
from innominate.core.errors import FormatError
from innominate.core.protocols import SourceFile
from innominate.core.span import Span
from innominate.formats.decoding import BOM, decode, text_bytes
from innominate.formats.sources import read_bytes, type_of

_TEXT_BOUND = re.compile(
    r"(?P<id>T[^\t ]+)[\t ](?P<label>[^\t ]+) (?P<offsets>\d+ \d+(?:;\d+ \d+)*)(?:\t(?P<text>.*))?", re.DOTALL
)
_LABEL = re.compile(r"[^\s]+")
# An annotation is one line, so whatever any tool takes for the end of a line, or for a column, is written as a space
_TO_SPACE = dict.fromkeys(map(ord, "\n\r\t\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " ")


class BratFormat:
    """Reads and writes text-bound annotations (`T`). Of all other lines only the number is kept, in the meta.

    A span in several fragments becomes one span per fragment, whose source says which part of which annotation it is.

    >>> BratFormat().files(Document("n1", "Eva slept.", [Span(0, 3, "NAME")]))[".ann"]
    b'T1\\tNAME 0 3\\tEva\\n'
    """

    name = "brat"
    suffixes: tuple[str, ...] = (".txt", ".ann")
    holds_spans = True

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        """A text with annotations beside it, or annotations without their text, which are then refused."""
        return type_of(file) == ".ann" or (type_of(file) == ".txt" and file.sibling(".ann") is not None)

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Read the text and the annotations beside it."""
        text_file = file.sibling(".txt") if type_of(file) == ".ann" else file
        annotations = file.sibling(".ann")
        if text_file is None or annotations is None:
            missing = ".txt" if text_file is None else ".ann"
            yield Rejected(file.id, f"there is no {missing} file beside it", file.name)
            return
        text = decode(read_bytes(text_file), text_file.name)
        try:
            content = decode(read_bytes(annotations), annotations.name).removeprefix(BOM)
            text, spans, others = _fitting(content, text, annotations.name)
            yield Document(file.id, text, tuple(spans), {"brat_other_lines": others} if others else {})
        except FormatError as error:
            yield Rejected(file.id, error.reason, error.source or annotations.name, error.line)

    def files(self, document: Document) -> Mapping[str, bytes]:
        """The text and its annotations."""
        lines = [_line(number, span, document.text) for number, span in enumerate(document.spans, start=1)]
        return {".txt": text_bytes(document.text), ".ann": "".join(lines).encode()}


def _fitting(content: str, text: str, source: str) -> tuple[str, list[Span], int]:
    """Return text, spans and number of other lines. brat counts a byte order mark as a character, some other tools do not."""
    try:
        return text, *_annotations(content, text, source)
    except FormatError:
        if text.startswith(BOM):
            with suppress(FormatError):
                return text[1:], *_annotations(content, text[1:], source)
        raise


def _annotations(content: str, text: str, source: str) -> tuple[list[Span], int]:
    """Return the spans and the number of lines that say something else: relations, events, attributes, notes."""
    spans: list[Span] = []
    others = 0
    for number, line in enumerate(content.split("\n"), start=1):
        line = line.removesuffix("\r")
        if line.startswith("T"):
            spans += _spans(line, text, {"source": source, "line": number})
        elif line.strip():
            others += 1
    return spans, others


def _spans(line: str, text: str, where: dict[str, Any]) -> Iterator[Span]:
    found = _TEXT_BOUND.fullmatch(line)
    if not found:
        raise FormatError("not an annotation such as 'T1<tab>LABEL 0 5<tab>text'", **where)
    parts = [tuple(map(int, part.split(" "))) for part in found["offsets"].split(";")]
    for start, end in parts:
        if not start < end <= len(text):
            raise FormatError(f"{start}..{end} is empty or outside the {len(text)} characters of the text", **where)
    covered = " ".join(text[start:end] for start, end in parts)
    if found["text"] is not None and found["text"].translate(_TO_SPACE) != covered.translate(_TO_SPACE):
        raise FormatError("the text given is not the text at these offsets; were newlines changed?", **where)
    for number, (start, end) in enumerate(parts, start=1):
        fragment = f"{found['id']} part {number} of {len(parts)}" if len(parts) > 1 else ""
        yield Span(start, end, found["label"], source=fragment)


def _line(number: int, span: Span, text: str) -> str:
    if not _LABEL.fullmatch(span.label):
        raise FormatError(f"brat cannot hold the label {span.label!r}: it has a space in it")
    return f"T{number}\t{span.label} {span.start} {span.end}\t{span.of(text).translate(_TO_SPACE)}\n"
