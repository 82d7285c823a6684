"""Records of JSON lines or of a JSON array, each with the line on which it begins, and the documents in them."""

from __future__ import annotations

from collections.abc import Iterator

from innominate.campaign.problems import Problem
from innominate.core import Document, FormatError, Rejected
from innominate.core.protocols import Format, SourceFile
from innominate.formats import MemoryFile
from innominate.formats.decoding import decode
from innominate.formats.json_records import is_array, numbered_values
from innominate.formats.json_values import Record, as_record, json_bytes
from innominate.formats.sources import head_of, read_bytes


def numbered_records(file: SourceFile) -> Iterator[tuple[int, Record | Problem]]:
    """Yield the records with their lines; one that cannot be read comes as a problem, and the rest goes on.

    >>> [line for line, _ in numbered_records(MemoryFile("x", b'[\\n {"a": 1},\\n {"a": 2}]'))]
    [2, 3]
    """
    try:
        if is_array(head_of(file)):  # an export is a file of some megabytes: all of it may be in memory, in whatever encoding
            file = MemoryFile(file.name, decode(read_bytes(file), file.name).encode(), file.id)
        for line, value in numbered_values(file):
            yield line, _as_record(line, value)
    except FormatError as error:
        line = error.line or 1
        yield line, Problem(error.reason, line)


def _as_record(line: int, value: object) -> Record | Problem:
    try:
        if isinstance(value, FormatError):
            raise value
        return as_record(value)
    except FormatError as error:
        return Problem(error.reason, line)


def read_document(format: Format, record: Record, line: int) -> Document | Problem:
    """The document of a record, or what is wrong with it."""
    for found in format.read(MemoryFile("record", json_bytes(record))):
        return Problem(_without_id(found), line) if isinstance(found, Rejected) else found
    return Problem("holds no document", line)


def _without_id(rejected: Rejected) -> str:
    """The reason; the line says better where it was than an id made up for one record."""
    return rejected.reason.removeprefix(f"document {rejected.id!r}: ")
