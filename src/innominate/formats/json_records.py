"""Records in JSON, one per line or in one array, which is read element by element so that its size does not matter."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any, BinaryIO

from innominate.core.document import Document, Rejected
from innominate.core.errors import FormatError
from innominate.core.protocols import SourceFile
from innominate.formats.decoding import decode
from innominate.formats.json_values import Record, as_record, id_from, json_value
from innominate.formats.reasons import reason_of
from innominate.formats.sources import MAX_NOTE, head_of, read_bytes

_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_CHUNK = 4 * 1024 * 1024
_SPACE = " \t\r\n"
_DECODER = json.JSONDecoder(strict=False)


def read_json(file: SourceFile, convert: Callable[[Record, str], Document]) -> Iterator[Document | Rejected]:
    """Read one document per record; `convert` gets the record and an id to use if it has none."""
    array = is_array(head_of(file))
    for count, (line, value) in enumerate(numbered_values(file), start=1):
        number = count if array else line
        id = f"{file.id}:{number}"
        try:
            if isinstance(value, FormatError):
                raise value
            record = as_record(value)
            id = id_from(record, id)
            yield convert(record, id)
        except Exception as error:
            reason = f"element {number}: {reason_of(error)}" if array else reason_of(error)
            yield Rejected(id, reason, file.name, None if array else line)


def first_record(file: SourceFile, head: bytes) -> Record | None:
    """The first record, for recognising the flavour. It may be longer than the head."""
    if not head.removeprefix(codecs.BOM_UTF8).lstrip().startswith((b"[", b"{", *_WIDE_BOMS)):
        return None
    try:
        return as_record(next(numbered_values(file))[1])
    except (FormatError, StopIteration):
        return None


def numbered_values(file: SourceFile) -> Iterator[tuple[int, Any]]:
    """Yield the values of JSON lines or of an array, each with the line on which it begins; what is no JSON is an error there.

    After something in an array that is not JSON, the rest of the file cannot be read.
    """
    if not is_array(head_of(file)):
        for line, data in _numbered_lines(file):
            yield line, _value_or_error(data)
        return
    try:
        with file.open() as stream:
            yield from numbered_elements(stream)
    except FormatError as error:
        yield error.line or 1, error


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


def _numbered_lines(file: SourceFile) -> Iterator[tuple[int, bytes | None]]:
    """Yield the lines that are not empty with their numbers; one that is far too long comes as None.

    Only the line feed ends a line: texts are full of other characters that some tools take for one.
    """
    with _as_utf8(file) as stream:
        for number, line in enumerate(_lines(stream), start=1):
            if number == 1 and line is not None:
                line = line.removeprefix(codecs.BOM_UTF8)
            if line is None or line.strip():
                yield number, line


def _as_utf8(file: SourceFile) -> BinaryIO:
    """Open a file; one in UTF-16 or UTF-32 is decoded in memory, because its line feeds are not single bytes."""
    with file.open() as stream:
        wide = stream.read(4).startswith(_WIDE_BOMS)
    return BytesIO(decode(read_bytes(file), file.name).encode()) if wide else file.open()


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Lines up to the size of the largest note; a longer one is skipped in pieces and yielded as None."""
    while line := stream.readline(MAX_NOTE):
        if line.endswith(b"\n") or len(line) < MAX_NOTE:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(1024 * 1024)
        yield None


def _value_or_error(line: bytes | None) -> Any:
    try:
        if line is None:
            raise FormatError(f"a line longer than {MAX_NOTE // 1024**2} MB")
        return json_value(line)
    except FormatError as error:
        return error


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
