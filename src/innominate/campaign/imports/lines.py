"""Records of JSON lines or of a JSON array, each with the line on which it begins."""

from __future__ import annotations

import json
from collections.abc import Iterator

from innominate.campaign.imports.given import Problem
from innominate.core import FormatError
from innominate.core.protocols import SourceFile
from innominate.formats.decoding import decode
from innominate.formats.json_lines import Record, as_record, json_value, numbered_lines, reason_of
from innominate.formats.sources import head_of, read_bytes

_DECODER = json.JSONDecoder(strict=False)
_BETWEEN = " \t\r\n,"


def numbered_records(file: SourceFile) -> Iterator[tuple[int, Record | Problem]]:
    """Yield the records with their lines; one that cannot be read comes as a problem, and the rest goes on.

    >>> from innominate.formats import MemoryFile
    >>> [line for line, _ in numbered_records(MemoryFile("x", b'[\\n {"a": 1},\\n {"a": 2}]'))]
    [2, 3]
    """
    if head_of(file).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
        yield from _of_array(file)
        return
    for number, line in numbered_lines(file):
        yield number, _record(number, line)


def _record(number: int, line: bytes | None) -> Record | Problem:
    try:
        if line is None:
            raise FormatError("a line that is far too long")
        return as_record(json_value(line))
    except FormatError as error:
        return Problem(number, error.reason)


def _of_array(file: SourceFile) -> Iterator[tuple[int, Record | Problem]]:
    """An export is a file of some megabytes, so the whole of it is in memory and its new lines can be counted."""
    try:
        text = decode(read_bytes(file), file.name)
    except FormatError as error:
        yield 1, Problem(1, error.reason)
        return
    position, line, counted = text.index("[") + 1, 1, 0
    while True:
        while position < len(text) and text[position] in _BETWEEN:
            position += 1
        line, counted = line + text.count("\n", counted, position), position
        if text[position : position + 1] == "]":
            return
        try:
            value, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            yield line, Problem(line, "not JSON, or cut off; the rest of the file was not read")
            return
        try:
            yield line, as_record(value)
        except FormatError as error:
            yield line, Problem(line, reason_of(error))
