"""Writing rows of cells: CSV, Parquet and databases. The cells of a document are what a function makes of it."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from innominate.core import Document, FormatError, ProcessingError, Rejected, UsageError
from innominate.core.protocols import SourceFile, Writer
from innominate.formats import database, parquet
from innominate.formats.durable import partial_of, sync_folder
from innominate.formats.sources import is_database
from innominate.formats.writing import AppendWriter

_GROUP = 5000  # rows sent at a time
Row = dict[str, str | None]
_RESUME = "this kind of table is complete only when it is closed, so writing cannot be resumed; start again"


class RowFormat:
    """The format of a table; the name of the output says whether it is CSV, Parquet or a table of a database."""

    name = "table"
    suffixes: tuple[str, ...] = (".csv", ".tsv", ".parquet")
    holds_spans = True

    def __init__(self, columns: tuple[str, ...], cells: Callable[[Document], list[str]], delimiter: str = ",") -> None:
        self.columns, self.cells, self.delimiter = columns, cells, delimiter

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        """Never: a table of cells is read because --columns says so."""
        return False

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Refuse: `rows` reads tables."""
        raise FormatError("a table of cells is read with --columns", source=file.name)

    def header(self) -> bytes:
        """The names of the columns."""
        return self._line(list(self.columns))

    def encode(self, document: Document) -> bytes:
        """One row."""
        return self._line(self.cells(document))

    def open_writer(self, target: Path | str, resume_at: Mapping[str, Any] | None = None) -> Writer:
        """Open the output."""
        name = str(target)
        if is_database(name) or Path(name).suffix.lower() == ".parquet":
            if resume_at is not None:
                raise UsageError(_RESUME)
            is_table = is_database(name)
            return GroupedRows(self, DatabaseTable(self.columns, name) if is_table else ParquetFile(self.columns, Path(name)))
        if Path(name).suffix.lower() not in (".csv", ".tsv", ""):
            raise UsageError(f"{name}: a table is written as .csv, .tsv or .parquet, or into a database")
        return AppendWriter(self, target, resume_at=resume_at)

    def _line(self, cells: list[str]) -> bytes:
        buffer = io.StringIO()
        csv.writer(buffer, delimiter=self.delimiter, lineterminator="\r\n").writerow(cells)
        return buffer.getvalue().encode("utf-8")


class RowSink(Protocol):
    """Where rows go: a file or a table that is complete only when it is closed."""

    def send(self, rows: list[Row]) -> None:
        """Take some rows."""

    def close(self) -> None:
        """Complete it."""

    def abandon(self) -> None:
        """Let go of it as it is."""


class GroupedRows:
    """Writes rows of text in groups; an empty cell is nothing."""

    def __init__(self, format: RowFormat, sink: RowSink) -> None:
        self._format, self._sink, self._rows = format, sink, list[Row]()

    def write(self, document: Document) -> None:
        """Write one row."""
        cells = self._format.cells(document)
        self._rows.append({column: cell or None for column, cell in zip(self._format.columns, cells, strict=True)})
        if len(self._rows) >= _GROUP:
            self._flush()

    def commit(self) -> Mapping[str, Any]:
        """Do nothing: what is written can be read only when it is complete."""
        return {}

    def close(self) -> None:
        """Send what is left and complete the table."""
        self._flush()
        self._sink.close()

    def abandon(self) -> None:
        """Let go of the table as it is."""
        self._sink.abandon()

    def _flush(self) -> None:
        rows, self._rows = self._rows, []
        if rows:
            self._sink.send(rows)


class ParquetFile:
    """A Parquet file of strings, under a temporary name until the end."""

    def __init__(self, columns: tuple[str, ...], target: Path) -> None:
        self._target, self._arrow = target, parquet.pyarrow()
        self._schema = self._arrow.schema([(column, self._arrow.string()) for column in columns])
        target.parent.mkdir(parents=True, exist_ok=True)
        self._file = self._arrow.parquet.ParquetWriter(partial_of(target), self._schema)

    def send(self, rows: list[Row]) -> None:
        """Write a group of rows."""
        self._file.write_table(self._arrow.Table.from_pylist(rows, schema=self._schema))

    def close(self) -> None:
        """Complete the file and give it its name."""
        self.abandon()
        os.replace(partial_of(self._target), self._target)
        sync_folder(self._target.parent)

    def abandon(self) -> None:
        """Let go of the file, which keeps its temporary name."""
        self._file.close()


class DatabaseTable:
    """A new table of a database with columns of text, filled in one transaction."""

    def __init__(self, columns: tuple[str, ...], url: str) -> None:
        try:
            self._connection, self._table = database.new_table(url, columns)
        except database.errors() as error:
            raise ProcessingError("opening the table", error) from None

    def send(self, rows: list[Row]) -> None:
        """Insert a group of rows."""
        self._try(lambda: self._connection.execute(self._table.insert(), rows))

    def close(self) -> None:
        """End the transaction."""
        self._try(self._connection.commit)
        self.abandon()

    def abandon(self) -> None:
        """Leave; what was not committed is rolled back."""
        self._connection.close()
        self._connection.engine.dispose()

    def _try(self, action: Callable[[], Any]) -> None:
        try:
            action()
        except database.errors() as error:  # its message may hold values
            raise ProcessingError("writing to the table", error) from None
