"""Records in JSON, one per line or in one array, which is read element by element so that its size does not matter."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterator
from typing import BinaryIO

from innominate.core.document import Document, Rejected
from innominate.core.errors import FormatError
from innominate.core.protocols import SourceFile
from innominate.formats.json_values import Record, as_record, first_record, id_from, read_records, reason_of
from innominate.formats.sources import MAX_NOTE, head_of

_CHUNK = 4 * 1024 * 1024
_SPACE = " \t\r\n"
_DECODER = json.JSONDecoder(strict=False)


def read_json(file: SourceFile, convert: Callable[[Record, str], Document]) -> Iterator[Document | Rejected]:
    """Read one document per record; `convert` gets the record and an id to use if it has none."""
    return read_array(file, convert) if is_array(head_of(file)) else read_records(file, convert)


def first_json(file: SourceFile, head: bytes) -> Record | None:
    """The first record, for recognising the flavour."""
    return first_of_array(file) if is_array(head) else first_record(file, head)


def read_array(file: SourceFile, convert: Callable[[Record, str], Document]) -> Iterator[Document | Rejected]:
    """Read one document per element. After something that is not JSON the rest of the file cannot be read."""
    number = 0
    with file.open() as stream:
        elements = numbered_elements(stream)
        while True:
            number += 1
            id = f"{file.id}:{number}"
            try:
                record = as_record(next(elements)[1])
                id = id_from(record, id)
                yield convert(record, id)
            except StopIteration:
                return
            except Exception as error:
                yield Rejected(id, f"element {number}: {reason_of(error)}", file.name)


def first_of_array(file: SourceFile) -> Record | None:
    """The first element of an array, for recognising what it holds."""
    try:
        with file.open() as stream:
            return as_record(next(numbered_elements(stream))[1])
    except (FormatError, StopIteration):
        return None


def is_array(head: bytes) -> bool:
    """Whether a file that begins so holds an array."""
    return head.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"[")


def numbered_elements(stream: BinaryIO) -> Iterator[tuple[int, object]]:
    """Yield the elements, each with the line on which it begins; raises where what follows is no JSON.

    >>> from io import BytesIO
    >>> list(numbered_elements(BytesIO(b'[\\n 1,\\n {"a": 2}]')))
    [(2, 1), (3, {'a': 2})]
    """
    window = _Window(stream)
    if window.next_sign() != "[":
        raise FormatError("not a JSON array")
    window.skip(1)
    while (sign := window.next_sign()) != "]":
        if sign == "":
            raise FormatError("the JSON array is cut off; the rest of the file was not read", line=window.line())
        if sign == ",":
            window.skip(1)
        else:
            yield window.line(), window.value()


class _Window:
    """A sliding view on a stream of JSON: one chunk, and what is left of an element that crosses its end."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._buffer, self._position, self._at_end = "", 0, False
        self._line, self._counted = 1, 0  # the line of a position up to which line feeds are counted

    def line(self) -> int:
        """The line that is reached."""
        self._line += self._buffer.count("\n", self._counted, self._position)
        self._counted = self._position
        return self._line

    def next_sign(self) -> str:
        """The next character that is not white space, or nothing at the end."""
        while True:
            while self._position < len(self._buffer):
                if self._buffer[self._position] not in _SPACE:
                    return self._buffer[self._position]
                self._position += 1
            if not self._more():
                return ""

    def skip(self, count: int) -> None:
        """Go on."""
        self._position += count

    def value(self) -> object:
        """The value that begins here. If it does not end in the buffer, twice as much is read and it is tried again."""
        while True:
            try:
                value, end = _DECODER.raw_decode(self._buffer, self._position)
                if end < len(self._buffer) or self._at_end:
                    self._position = end
                    return value
            except (ValueError, RecursionError) as error:
                if self._at_end or isinstance(error, RecursionError) or len(self._buffer) - self._position > MAX_NOTE:
                    break
            self._more(len(self._buffer) - self._position)
        raise FormatError("not JSON; the rest of the file was not read", line=self.line())

    def _more(self, at_least: int = 0) -> bool:
        data = self._stream.read(max(_CHUNK, at_least))
        try:
            new = self._decoder.decode(data, final=not data)
        except UnicodeDecodeError:
            reason = "not UTF-8; the rest of the file was not read"
        else:
            self._at_end = not data
            self.line()
            self._buffer, self._position, self._counted = self._buffer[self._position :] + new, 0, 0
            return bool(data)
        raise FormatError(reason)
