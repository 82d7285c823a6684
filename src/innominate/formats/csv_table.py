"""CSV and its kin: a header, and one document per row.

A note may begin with `=` or `-`, and a spreadsheet would take such a cell for a formula. A de-identified text must stay exact,
so by default nothing is done about it: read these files with programs. With `spreadsheet_safe` such cells get an apostrophe in
front, for files that people will open; read them back with the same option, and the texts are exact again.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from pathlib import Path
from typing import Any

from innominate.core import Document, FormatError, Rejected, UsageError
from innominate.core.protocols import SourceFile, Writer
from innominate.formats.decoding import BOM
from innominate.formats.json_values import json_text
from innominate.formats.rows import NumberedRow, Rows, encode_cells
from innominate.formats.sources import type_of
from innominate.formats.table_columns import META, DocumentColumns
from innominate.formats.text_stream import open_text
from innominate.formats.writing import AppendWriter

DELIMITERS = (",", ";", "\t", "|")
# What begins a formula for some spreadsheet, the full-width forms too; and an apostrophe before it, so that nothing is lost.
_FORMULA = re.compile("'*[=+\\-@\t\r\n\0＝＋－＠]")


class CsvFormat:
    """CSV by named columns; other columns go to the meta data. Spans are JSON.

    Our own tables have the columns id, text, spans and meta. To write others, name them all in `columns`; `like` makes a
    format that writes the columns of a file. `delimiter=None` is found out when reading, and a comma when writing.
    """

    name = "csv"
    suffixes: tuple[str, ...] = (".csv", ".tsv")
    holds_spans = True
    one_file = True

    def __init__(
        self,
        text_column: str = "text",
        id_column: str | None = "id",
        spans_column: str = "spans",
        patient_column: str | None = None,
        *,
        delimiter: str | None = None,
        columns: Iterable[str] | None = None,
        encoding: str | None = None,
        spreadsheet_safe: bool = False,
    ) -> None:
        if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
            raise UsageError("a delimiter is one character, and neither a quote nor a newline")
        self.named = DocumentColumns(text_column, id_column, spans_column, patient_column)
        self.delimiter, self.encoding, self.spreadsheet_safe = delimiter, encoding, spreadsheet_safe
        self.columns = self._check_columns(columns)

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        """By a header with the columns, or by the name `.csv`."""
        first = head.decode("utf-8", "replace").removeprefix(BOM).partition("\n")[0].rstrip("\r")
        header = split_line(first, self.delimiter or guess_delimiter(first, self.named.text))
        suffix = type_of(file)
        if suffix in self.suffixes:
            return suffix == ".csv" or self.named.text in header
        return {self.named.text, self.named.id} <= {*header, None} and len(header) > 1

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Yield one document per row; a row that cannot be read is rejected with its line."""
        first = _first_line(file, self.encoding)
        rows = _read_rows(file, self.delimiter or guess_delimiter(first, self.named.text), self.encoding)
        header = _take_header(rows, file.name)
        self.named.check(header, file.name)
        if self.spreadsheet_safe:
            rows = ((line, cells if isinstance(cells, FormatError) else [*map(_restore_cell, cells)]) for line, cells in rows)
        yield from self.named.documents(header, rows, file)

    def header(self) -> bytes:
        """The names of the columns; with a mark for spreadsheets, which would not know UTF-8 without it."""
        return (BOM if self.spreadsheet_safe else "").encode() + self._line(self.columns or self.named.names())

    def encode(self, document: Document) -> bytes:
        """One row. Meta data that no column holds goes to the column `meta`, or is an error if there is none."""
        row = self.named.row(document)
        columns = self.columns or self.named.names()
        meta = row.pop(META)
        own = {key: meta.pop(key) for key in columns if key in meta and key not in row and key != META}
        if meta and META not in columns:
            raise FormatError(f"there is no column for {', '.join(sorted(meta))}; name it in columns, or add {META!r}")
        row = {**own, **row, META: meta or ""}
        return self._line([_cell(row.get(column)) for column in columns])

    def open_writer(self, target: Path | str, resume_at: Mapping[str, Any] | None = None) -> Writer:
        """Append rows to one file; a `.tsv` has tabs unless another delimiter was given."""
        tabs = self.delimiter is None and Path(target).suffix.lower() == ".tsv"
        return AppendWriter(self.writing(self.columns, "\t") if tabs else self, target, resume_at=resume_at)

    def like(self, file: SourceFile) -> CsvFormat:
        """The same format, writing the columns of a file in their order and with its delimiter."""
        first = _first_line(file, self.encoding)
        delimiter = self.delimiter or guess_delimiter(first, self.named.text)
        columns = split_line(first, delimiter)
        self.named.check(columns, file.name)
        return self.writing(columns, delimiter)

    def writing(self, columns: Iterable[str] | None, delimiter: str | None) -> CsvFormat:
        """The same format, writing these columns."""
        other = copy(self)
        other.columns, other.delimiter = self._check_columns(columns), delimiter
        return other

    def _line(self, cells: list[str]) -> bytes:
        if self.spreadsheet_safe:
            cells = [f"'{cell}" if _FORMULA.match(cell) else cell for cell in cells]
        return csv_line(cells, self.delimiter or ",")

    def _check_columns(self, columns: Iterable[str] | None) -> list[str] | None:
        if columns is None:
            return None
        names = columns.split(",") if isinstance(columns, str) else list(columns)
        self.named.check(names, "columns")
        return names if self.named.spans in names else [*names, self.named.spans]


def open_rows(file: SourceFile) -> Rows:
    """Open a table as rows of cells."""
    delimiter = guess_delimiter(_first_line(file))

    def read() -> Iterator[NumberedRow]:
        rows = _read_rows(file, delimiter)
        next(rows)  # the header
        yield from rows

    return Rows(file.name, file.id, tuple(_take_header(_read_rows(file, delimiter), file.name)), read, delimiter)


def csv_line(cells: Iterable[str], delimiter: str) -> bytes:
    r"""Write one line.

    >>> csv_line(["n1", "Eva, asleep"], ",")
    b'n1,"Eva, asleep"\r\n'
    """
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=delimiter, lineterminator="\r\n").writerow(cells)
    return encode_cells(buffer.getvalue())


def split_line(line: str, delimiter: str) -> list[str]:
    """The cells of one line."""
    return next(csv.reader([line], delimiter=delimiter), [])


def guess_delimiter(header: str, text_column: str = "") -> str:
    """The delimiter that finds the column of the text in a header, or else makes most columns; of equals the first."""

    def fit(delimiter: str) -> tuple[bool, int]:
        cells = split_line(header, delimiter)
        return text_column in cells, len(cells)

    return max(DELIMITERS, key=fit)


def _first_line(file: SourceFile, encoding: str | None = None) -> str:
    with open_text(file, newline="", encoding=encoding) as stream:
        return stream.readline()


def _read_rows(file: SourceFile, delimiter: str, encoding: str | None = None) -> Iterator[NumberedRow]:
    """Yield the rows with their lines, the header first; lines without anything are left out."""
    csv.field_size_limit(sys.maxsize)  # of the whole process, alas; a note may be longer than its 128 kB
    try:
        with open_text(file, newline="", encoding=encoding) as stream:
            reader = csv.reader(stream, delimiter=delimiter, strict=True)
            while True:
                line = reader.line_num + 1
                try:
                    cells = next(reader)
                except StopIteration:
                    return
                except csv.Error:
                    yield line, FormatError("quotes that do not close, or something behind a closing quote")
                else:
                    if cells or line == 1:
                        yield line, cells
    except UnicodeDecodeError:
        raise FormatError("bytes that do not fit the encoding of the file", source=file.name) from None


def _take_header(rows: Iterator[NumberedRow], source: str) -> list[str]:
    _, header = next(rows, (1, []))
    if isinstance(header, FormatError) or not header:
        raise FormatError("there is no header with the names of columns", source=source, line=1)
    return list(header)


def _restore_cell(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json_text(value)
