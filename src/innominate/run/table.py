"""A table on the road of a document: each row is one, with its cells one under the other.

Cells of a known kind are marked as a whole, free text is looked through, and what a row marks is found again in the cells it
keeps. With the key of the notes a table therefore gets the same pseudonyms and shifts as they do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from innominate.core import Document, FormatError, Rejected, Span, UsageError
from innominate.formats.cell_tables import RowFormat, open_rows
from innominate.formats.rows import Rows
from innominate.formats.sources import is_database
from innominate.languages import language_codes
from innominate.run.columns import DROP, KEEP, PATIENT, TEXT, Columns, read_columns, without_key
from innominate.run.inputs import name_without_password
from innominate.run.settings import Settings

OWN_SHARE = ("document", "none")  # modes in which a row may belong to nobody
CELL_TEXT = "\0text"  # marks a cell that is to be looked through
_BETWEEN = "\n\n\x1e\n\n"  # between cells: ends a sentence, and no cell holds it


@dataclass(frozen=True, slots=True)
class Table:
    """A table as the input of a run; it is read like other inputs."""

    source: str
    rows: Rows
    columns: Columns
    lang: str

    def names(self) -> list[str]:
        """Its name without a password."""
        return [name_without_password(self.source)]

    def items(self) -> Iterator[Document | Rejected]:
        """Yield one document a row."""
        for row in self.rows:
            yield row if isinstance(row, Rejected) else self._document(*row)

    def _document(self, id: str, cells: list[str]) -> Document | Rejected:
        parts: list[str] = []
        spans: list[Span] = []
        meta = {"lang": self.lang}
        position = 0
        for (_, role), cell in zip(self.columns.roles.items(), cells, strict=True):
            if "\x1e" in cell:
                return Rejected(id, "a cell holds the character U+001E, which separates records", self.rows.name)
            if role == PATIENT and cell.strip():
                meta["patient"] = cell.strip()
            if role in (PATIENT, DROP):
                continue
            bare = cell.strip()
            if bare and role != KEEP:
                start = position + cell.index(bare)
                spans.append(Span(start, start + len(bare), CELL_TEXT if role == TEXT else role))
            parts.append(cell)
            position += len(cell) + len(_BETWEEN)
        return Document(id, _BETWEEN.join(parts), tuple(spans), meta, source=self.rows.name, format="table")

    def format(self) -> RowFormat:
        """The format of the output: the same columns in the same order, without those that are dropped."""
        return RowFormat(self.columns.written, self._cells, self.rows.delimiter)

    def _cells(self, document: Document) -> list[str]:
        """The cells of a concealed row; the patient's pseudonym comes from the metadata."""
        own = [column for column in self.columns.written if self.columns.roles[column] != PATIENT]
        parts = document.text.split(_BETWEEN) if own else []
        if len(parts) != len(own):
            raise FormatError("the cells of this row ran into each other")
        cells = dict(zip(own, parts, strict=True))
        return [cells.get(column, str(document.meta.get("patient", ""))) for column in self.columns.written]

    def size(self) -> int:
        """Bytes of input, as far as they can be known."""
        return 0 if is_database(self.source) else Path(self.source).stat().st_size

    def count(self) -> int | None:
        """How many rows there are is known only when they are read."""
        return None

    def can_be_read_again(self) -> bool:
        """Yes: a table is a file or a database."""
        return True

    def have_no_metadata(self) -> bool:
        """Whether no column says whose row it is."""
        return not self.columns.patient

    def fingerprint(self) -> str:
        """A hash of the file's name, size and time of change, and of what its columns hold."""
        state = None if is_database(self.source) else Path(self.source).stat()
        told = (self.source, sorted(self.columns.roles.items()), state and (state.st_size, state.st_mtime_ns))
        return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def table_of(source: str, given: str, others: str | None, settings: Settings) -> tuple[Table, Settings]:
    """The table with what was given for its columns, and the settings that it needs."""
    rows = open_rows(source)
    settings = settings.with_options(keep_meta=(), patient_key="patient")
    lang = settings.lang
    if lang == "auto":
        raise UsageError(
            f"cells are too short to tell a language; name that of the notes with --lang {'|'.join(language_codes())}"
        )
    columns = read_columns(given, others, rows.columns, lang)
    if not (settings.is_policy and settings.makes_pseudonyms):
        columns = without_key(columns, lang)
    elif columns.patient:
        settings = settings.with_options(consistency=settings.consistency or "patient", keep_meta=("patient",))
    elif settings.consistency not in OWN_SHARE:
        raise UsageError(
            "no column says whose row it is: name it, COLUMN=patient, so that rows and notes of one patient get the same "
            "pseudonyms and the same shift of dates; or give --consistency document if they need not"
        )
    return Table(source, rows, columns, lang), settings
