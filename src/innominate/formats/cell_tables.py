"""Tables whose cells are identifiers: opened by their path or URL, and written as CSV, Parquet or into a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from innominate.core import Document, FormatError, Rejected, UsageError
from innominate.core.protocols import SourceFile, Writer
from innominate.formats import csv_table, database, parquet
from innominate.formats.reasons import tell_columns
from innominate.formats.rows import Rows
from innominate.formats.sources import DatabaseSource, files_of, head_of, is_database
from innominate.formats.writing import AppendWriter


def open_rows(source: str) -> Rows:
    """Open a table by its path or URL.

    >>> open_rows("-")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    innominate.core.errors.UsageError: -: --columns is for one table...
    """
    files = list(files_of(source)) if source != "-" else []
    if len(files) != 1:
        raise UsageError(f"{source}: --columns is for one table: a file of CSV or Parquet, or a database URL")
    (file,) = files
    if isinstance(file, DatabaseSource):
        return database.open_rows(file)
    rows = parquet.open_rows(file) if head_of(file).startswith(parquet.MAGIC) else csv_table.open_rows(file)
    if len(set(rows.columns)) < len(rows.columns):
        raise FormatError(f"two columns have the same name; {tell_columns(rows.columns)}", source=file.name)
    return rows


class RowFormat:
    """The format of a table; the name of the output says whether it is CSV, Parquet or a table of a database.

    The cells of a document are what a function makes of it.
    """

    name = "table"
    suffixes: tuple[str, ...] = (".csv", ".tsv", ".parquet")
    holds_spans = True
    one_file = True

    def __init__(self, columns: tuple[str, ...], cells: Callable[[Document], list[str]], delimiter: str = ",") -> None:
        self.columns, self.cells, self.delimiter = columns, cells, delimiter

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        """Never: a table of cells is read because --columns says so."""
        return False

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Refuse: `open_rows` reads tables."""
        raise FormatError("a table of cells is read with --columns", source=file.name)

    def header(self) -> bytes:
        """The names of the columns."""
        return csv_table.csv_line(self.columns, self.delimiter)

    def encode(self, document: Document) -> bytes:
        """One row."""
        return csv_table.csv_line(self.cells(document), self.delimiter)

    def open_writer(self, target: Path | str, resume_at: Mapping[str, Any] | None = None) -> Writer:
        """Open the output."""
        name, suffix = str(target), Path(target).suffix.lower()
        if is_database(name):
            if resume_at is not None:
                raise UsageError("a table is written into a database all at once, so writing cannot be resumed; start again")
            return database.open_rows_writer(name, self.columns, self._row)
        if suffix == ".parquet":
            return parquet.open_rows_writer(target, self.columns, self._row, resume_at)
        if suffix not in (".csv", ".tsv", ""):
            raise UsageError(f"{name}: a table is written as .csv, .tsv or .parquet, or into a database")
        return AppendWriter(self, target, resume_at=resume_at)

    def _row(self, document: Document) -> dict[str, Any]:
        """A row of text; an empty cell is nothing."""
        return {column: cell or None for column, cell in zip(self.columns, self.cells(document), strict=True)}
