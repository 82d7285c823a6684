"""The documents of a CoNLL file, as blocks of lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from innominate.core import Document, FormatError, Span
from innominate.core.protocols import SourceFile
from innominate.formats.decoding import has_undecodable
from innominate.formats.json_values import as_record, json_value, spans_from
from innominate.formats.text_stream import open_text
from innominate.formats.token_tags import is_tag, spans_of

_COMMENT = re.compile(r"# (id|text|meta|spans) = (.*)", re.DOTALL)


@dataclass(slots=True)
class ConllBlock:
    """The lines of one document: its comments and its sentences of (line, columns)."""

    id: str
    line: int
    own: bool = False  # written by us: it began with an id
    comments: dict[str, str] = field(default_factory=dict)
    sentences: list[list[tuple[int, list[str]]]] = field(default_factory=lambda: [[]])
    undecodable: int | None = None  # the first line with bytes that are no text

    def document(self) -> Document:
        """Put the document together; what is wrong is a FormatError, with the line where there is one."""
        if self.undecodable:
            raise FormatError("bytes that do not fit the encoding of the file", line=self.undecodable)
        for line, row in self.rows():
            if len(row) < 2:
                raise FormatError("a line needs at least two columns, the token and its tag", line=line)
        if "text" not in self.comments:
            return self._rebuilt()
        text = json_value(self.comments["text"])
        if not isinstance(text, str):
            raise FormatError("the comment 'text' is not a JSON string")
        return Document(self.id, text, tuple(self._spans(len(text))), self._meta())

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """All rows, whatever their sentence."""
        return (row for sentence in self.sentences for row in sentence)

    def _spans(self, length: int) -> list[Span]:
        """Take the spans from their comment, or from the tags by the offsets of the tokens."""
        if "spans" in self.comments:
            return spans_from(json_value(self.comments["spans"]))
        tags, places, before = [], [], 0
        for line, row in self.rows():
            start, end = _place(row, line)
            if not before <= start < end <= length:
                raise FormatError("a token out of order or outside the text", line=line)
            tags.append(row[-1])
            places.append((start, end))
            before = end
        return spans_of(tags, places)

    def _rebuilt(self) -> Document:
        """Make a text of the tokens alone."""
        parts: list[str] = []
        spans: list[Span] = []
        length = 0
        for sentence in filter(None, self.sentences):
            places = []
            for _, row in sentence:
                parts.append(row[0])
                places.append((length, length + len(row[0])))
                length += len(row[0]) + 1
                parts.append(" ")
            parts[-1] = "\n"
            spans += spans_of([row[-1] for _, row in sentence], places)
        return Document(self.id, "".join(parts[:-1]), tuple(spans), self._meta())

    def _meta(self) -> dict[str, Any]:
        return as_record(json_value(self.comments.get("meta", "{}")))


def blocks(file: SourceFile, *, by_sentence: bool) -> Iterator[ConllBlock]:
    """Yield the blocks of a file one after the other; those without any line are left out."""
    block, width = ConllBlock(file.id, 1), 0
    try:
        with open_text(file, newline="\n") as stream:
            for number, line in enumerate(stream, start=1):
                line = line.removesuffix("\n").removesuffix("\r")
                row = columns(line)
                if fresh := _begin_block(block, line, f"{file.id}:{number}", number, by_sentence=by_sentence):
                    yield from _unless_empty(block)
                    block = fresh
                if has_undecodable(line):
                    block.undecodable = block.undecodable or number
                if not row:
                    block.sentences.append([])
                elif _is_comment(line, row, width):
                    _take_comment(block, line)
                elif block.own or row[0] != "-DOCSTART-":
                    width = width or len(row)
                    block.sentences[-1].append((number, row))
    except UnicodeDecodeError:
        raise FormatError("bytes that do not fit the encoding of the file", source=file.name) from None
    yield from _unless_empty(block)


def columns(line: str) -> list[str]:
    """Cut a line at tabs if it has any, else at spaces.

    >>> columns("New York\\tB-LOC"), columns("Eva NNP B-PER"), columns(" ")
    (['New York', 'B-LOC'], ['Eva', 'NNP', 'B-PER'], [])
    """
    if not line or line.isspace():
        return []
    return line.split("\t") if "\t" in line else re.split(" +", line.strip(" "))  # other blanks may be part of a token


def _begin_block(block: ConllBlock, line: str, numbered: str, number: int, *, by_sentence: bool) -> ConllBlock | None:
    """A new block, if the line is the first of one."""
    if line.startswith("# id = "):
        value = line.removeprefix("# id = ")
        try:
            id = str(json_value(value)) if value.startswith('"') else value
        except FormatError:
            id = numbered
        return ConllBlock(id, number, own=True)
    next_sentence = by_sentence and not block.sentences[-1] and bool(line)
    if not block.own and (line.startswith("-DOCSTART-") or next_sentence):
        return ConllBlock(numbered, number)
    return None


def _unless_empty(block: ConllBlock) -> Iterator[ConllBlock]:
    if "text" in block.comments or block.undecodable or any(block.sentences):
        yield block


def _is_comment(line: str, row: list[str], width: int) -> bool:
    """Tell a comment from a token that begins with `#`: such a line has a tab, or as many columns as others, and a tag."""
    if not line.startswith("#"):
        return False
    if "\t" in line:
        return False
    return not (len(row) == (width or 2) and is_tag(row[-1]))


def _take_comment(block: ConllBlock, line: str) -> None:
    match = _COMMENT.fullmatch(line)
    if match and block.own:  # treebanks have a `# text = ` too, which is not JSON
        block.comments[match[1]] = match[2]


def _place(row: list[str], line: int) -> tuple[int, int]:
    if len(row) < 4 or not all(cell.isascii() and cell.isdigit() and len(cell) < 16 for cell in row[1:3]):
        raise FormatError("a line under a 'text' comment needs the columns token, start, end, tag", line=line)
    return int(row[1]), int(row[2])
