"""Tables as rows of cells: CSV, Parquet and databases, for tables whose cells are identifiers and not notes.

Every cell is a string; nothing is an empty one. A row that cannot be read comes as `Rejected` in its place.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from innominate.core import FormatError, Rejected, UsageError
from innominate.core.protocols import SourceFile
from innominate.formats import database, parquet
from innominate.formats.csv_table import DELIMITERS
from innominate.formats.sources import files_of, head_of, is_database
from innominate.formats.table_columns import plain
from innominate.formats.text_stream import open_text, undecodable

Cells = list[str]


@dataclass(frozen=True, slots=True)
class Rows:
    """A table that can be read from the beginning as often as one likes."""

    name: str
    id: str
    columns: tuple[str, ...]
    read: Callable[[], Iterator[tuple[int, Cells | None]]]  # the number of each row with its cells, None for a broken one
    delimiter: str = ","

    def __iter__(self) -> Iterator[tuple[str, Cells] | Rejected]:
        """Yield an id that says where the row is, with its cells."""
        for number, cells in self.read():
            id = f"{self.id}:{number}"
            if cells is None or len(cells) != len(self.columns):
                yield Rejected(id, f"this row does not have the {len(self.columns)} cells of the table", self.name, number)
            elif any(map(undecodable, cells)):
                yield Rejected(id, "bytes that do not fit the encoding of the file", self.name, number)
            else:
                yield id, cells


def open_rows(source: str) -> Rows:
    """Open a table by its path or URL.

    >>> open_rows("-")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    innominate.core.errors.UsageError: -: --columns is for one table...
    """
    if is_database(source):
        return _database_rows(source)
    files = list(files_of(source)) if source != "-" else []
    if len(files) != 1:
        raise UsageError(f"{source}: --columns is for one table: a file of CSV or Parquet, or a database URL")
    (file,) = files
    rows = _parquet_rows(file) if head_of(file).startswith(b"PAR1") else _csv_rows(file)
    if len(set(rows.columns)) < len(rows.columns):
        raise FormatError(f"two columns have the same name; the columns are: {', '.join(rows.columns)}", source=file.name)
    return rows


def _csv_rows(file: SourceFile) -> Rows:
    csv.field_size_limit(sys.maxsize)
    with open_text(file, newline="") as stream:
        first = stream.readline()
    delimiter = max(DELIMITERS, key=lambda mark: len(next(csv.reader([first], delimiter=mark), [])))
    columns = next(csv.reader([first], delimiter=delimiter), [])
    if not columns:
        raise FormatError("there is no header with the names of columns", source=file.name, line=1)

    def read() -> Iterator[tuple[int, Cells | None]]:
        with open_text(file, newline="") as lines:
            reader = csv.reader(lines, delimiter=delimiter, strict=True)
            next(reader)
            while True:
                number = reader.line_num + 1
                try:
                    cells = next(reader)
                except StopIteration:
                    return
                except csv.Error:
                    yield number, None
                    continue
                if cells:
                    yield number, cells

    return Rows(file.name, file.id, tuple(columns), read, delimiter)


def _parquet_rows(file: SourceFile) -> Rows:
    arrow = parquet.pyarrow()

    def table(stream: BinaryIO) -> Any:
        return arrow.parquet.ParquetFile(stream if stream.seekable() else io.BytesIO(stream.read()))

    def read() -> Iterator[tuple[int, Cells | None]]:
        number = 0
        with file.open() as stream:
            for batch in table(stream).iter_batches(batch_size=1000):
                for row in parquet.rows(batch):
                    number += 1
                    yield number, None if row is None else _texts(list(row.values()))

    try:
        with file.open() as stream:
            names = table(stream).schema_arrow.names
    except Exception as error:  # pyarrow has many, and they may quote what they read
        kind = type(error).__name__
    else:
        return Rows(file.name, file.id, tuple(names), read)
    raise FormatError(f"the Parquet file is damaged ({kind})", source=file.name)


def _database_rows(url: str) -> Rows:
    file = next(files_of(url))
    columns, read = database.open_table(url)
    return Rows(file.name, file.id, columns, lambda: ((number, _texts(row)) for number, row in enumerate(read(), start=1)))


def _texts(values: Sequence[Any]) -> Cells:
    return ["" if value is None else str(plain(value)) for value in values]
