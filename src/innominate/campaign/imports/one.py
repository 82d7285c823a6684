"""One record, read as its format reads a file: with all checks, and offsets in code points."""

from __future__ import annotations

from innominate.campaign.imports.given import Problem
from innominate.core import Document, Rejected
from innominate.core.protocols import Format
from innominate.formats import MemoryFile
from innominate.formats.json_values import Record, json_bytes


def one_document(format: Format, record: Record, line: int) -> Document | Problem:
    """The document of a record, or what is wrong with it."""
    for found in format.read(MemoryFile("record", json_bytes(record))):
        return Problem(line, _without_id(found)) if isinstance(found, Rejected) else found
    return Problem(line, "holds no document")


def _without_id(rejected: Rejected) -> str:
    """The reason; the line says better where it was than an id made up for one record."""
    return rejected.reason.removeprefix(f"document {rejected.id!r}: ")
