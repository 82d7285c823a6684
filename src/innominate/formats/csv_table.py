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
from pathlib import Path, PurePath
from typing import Any

from innominate.core import Document, FormatError, Rejected, UsageError
from innominate.core.protocols import SourceFile, Writer
from innominate.formats.decoding import BOM
from innominate.formats.json_values import reason_of
from innominate.formats.table_columns import META, DocumentColumns, json_text
from innominate.formats.text_stream import open_text, undecodable
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
        self.columns = self._checked(columns)

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        """By a header with the columns, or by the name `.csv`."""
        first = head.decode("utf-8", "replace").removeprefix(BOM).partition("\n")[0].rstrip("\r")
        header = next(csv.reader([first], delimiter=self._delimiter(first)), [])
        suffix = PurePath(file.name.removesuffix(".gz")).suffix.lower()
        if suffix in self.suffixes:
            return suffix == ".csv" or self.named.text in header
        return {self.named.text, self.named.id} <= {*header, None} and len(header) > 1

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Yield one document per row; a row that cannot be read is rejected with its line."""
        csv.field_size_limit(sys.maxsize)  # of the whole process, alas; a note may be longer than its 128 kB
        try:
            with open_text(file, newline="", encoding=self.encoding) as stream:
                yield from self._rows(stream, file)
        except UnicodeDecodeError:
            raise FormatError("bytes that do not fit the encoding of the file", source=file.name) from None

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
        return AppendWriter(self._with(delimiter="\t") if tabs else self, target, resume_at=resume_at)

    def like(self, file: SourceFile) -> CsvFormat:
        """The same format, writing the columns of a file in their order and with its delimiter."""
        with open_text(file, newline="", encoding=self.encoding) as stream:
            first = stream.readline()
        delimiter = self._delimiter(first)
        columns = next(csv.reader([first], delimiter=delimiter), [])
        self.named.check(columns, file.name)
        return self._with(delimiter=delimiter, columns=columns)

    def _with(self, *, delimiter: str, columns: list[str] | None = None) -> CsvFormat:
        return CsvFormat(
            *(self.named.text, self.named.id, self.named.spans, self.named.patient),
            delimiter=delimiter,
            columns=columns or self.columns,
            encoding=self.encoding,
            spreadsheet_safe=self.spreadsheet_safe,
        )

    def _rows(self, stream: io.TextIOBase | Any, file: SourceFile) -> Iterator[Document | Rejected]:
        first = stream.readline()
        reader = csv.reader(_chain(first, stream), delimiter=self._delimiter(first), strict=True)
        header = _next(reader)
        if isinstance(header, csv.Error) or header is None:
            raise FormatError("there is no header with the names of columns", source=file.name, line=1)
        self.named.check(header, file.name)
        while True:
            line = reader.line_num + 1
            cells = _next(reader)
            if cells is None:
                return
            if cells:
                yield self._entry(header, cells, file, line)

    def _entry(self, header: list[str], cells: list[str] | csv.Error, file: SourceFile, line: int) -> Document | Rejected:
        id = f"{file.id}:{line}"
        try:
            if isinstance(cells, csv.Error):
                raise FormatError("quotes that do not close, or something behind a closing quote")
            if len(cells) != len(header):
                raise FormatError(f"{len(cells)} cells in a table of {len(header)} columns")
            row = dict(zip(header, map(self._restored, cells), strict=True))
            id = self.named.id_of(row, id)
            if any(map(undecodable, cells)):
                raise FormatError("bytes that do not fit the encoding of the file")
            return self.named.document(row, id)
        except Exception as error:
            return Rejected(id if not undecodable(id) else f"{file.id}:{line}", reason_of(error), file.name, line)

    def _delimiter(self, header: str) -> str:
        """The one given, or the one that finds the column of the text, or else makes most columns."""
        if self.delimiter:
            return self.delimiter

        def fit(delimiter: str) -> tuple[bool, int]:
            cells = next(csv.reader([header], delimiter=delimiter), [])
            return self.named.text in cells, len(cells)

        return max(DELIMITERS, key=fit)  # of equals the first

    def _line(self, cells: list[str]) -> bytes:
        buffer = io.StringIO()
        if self.spreadsheet_safe:
            cells = [f"'{cell}" if _FORMULA.match(cell) else cell for cell in cells]
        csv.writer(buffer, delimiter=self.delimiter or ",", lineterminator="\r\n").writerow(cells)
        try:
            return buffer.getvalue().encode("utf-8")
        except UnicodeEncodeError:
            pass
        raise FormatError("the text or its meta data holds half of a surrogate pair, which UTF-8 cannot hold")

    def _restored(self, cell: str) -> str:
        return cell[1:] if self.spreadsheet_safe and cell.startswith("'") and _FORMULA.match(cell) else cell

    def _checked(self, columns: Iterable[str] | None) -> list[str] | None:
        if columns is None:
            return None
        names = columns.split(",") if isinstance(columns, str) else list(columns)
        self.named.check(names, "columns")
        return names if self.named.spans in names else [*names, self.named.spans]


def _chain(first: str, rest: Iterable[str]) -> Iterator[str]:
    yield first
    yield from rest


def _next(reader: Any) -> list[str] | csv.Error | None:
    """The next row, the error in its place, or None at the end."""
    try:
        row: list[str] = next(reader)
    except csv.Error as error:
        return error
    except StopIteration:
        return None
    return row


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json_text(value)
