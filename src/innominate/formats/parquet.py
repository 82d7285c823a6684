"""Parquet tables, in batches both ways. Needs pyarrow, which comes with the extra `files`."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from innominate.core import Document, FormatError, PluginError, Rejected, UsageError
from innominate.core.protocols import SourceFile
from innominate.formats.durable import partial_of, sync_file, sync_folder
from innominate.formats.json_values import json_text
from innominate.formats.rows import NumberedRow, Rows, encode_cells
from innominate.formats.table_columns import META, DocumentColumns

MAGIC = b"PAR1"
ROWS, CHARACTERS = 2000, 1 << 25  # a row group that is written ends at whichever comes first
_READ_ROWS = 64  # few, because a note may be long


class ParquetFormat:
    """Parquet by named columns; other columns go to the meta data.

    Our own tables have the columns id, text, spans (a list of structs) and meta (JSON). A table can be read only when it is
    complete, so writing one cannot be resumed.
    """

    name = "parquet"
    suffixes: tuple[str, ...] = (".parquet",)
    holds_spans = True
    one_file = True

    def __init__(
        self,
        text_column: str = "text",
        id_column: str | None = "id",
        spans_column: str = "spans",
        patient_column: str | None = None,
    ) -> None:
        self.named = DocumentColumns(text_column, id_column, spans_column, patient_column)

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        """By the four bytes that every such file begins with."""
        return head.startswith(MAGIC)

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Yield one document per row; a row that cannot be read is rejected with its number."""
        with _open_table(file) as table:
            columns = table.schema_arrow.names
            self.named.check(columns, file.name)
            yield from self.named.documents(columns, _read_rows(table), file)

    def open_writer(self, target: Path | str, resume_at: Mapping[str, Any] | None = None) -> ParquetWriter:
        """Write one file."""
        return _open_writer(target, _document_schema(self.named), self._row, resume_at)

    def _row(self, document: Document) -> dict[str, Any]:
        row = self.named.row(document)
        row[META] = json_text(row[META]) if row[META] else None
        patient = self.named.patient
        if patient and row[patient] is not None:
            row[patient] = str(row[patient])
        return row


def open_rows(file: SourceFile) -> Rows:
    """Open a table as rows of cells."""

    def read() -> Iterator[NumberedRow]:
        with _open_table(file) as table:
            yield from _read_rows(table)

    with _open_table(file) as table:
        return Rows(file.name, file.id, tuple(table.schema_arrow.names), read)


def open_rows_writer(
    target: Path | str,
    columns: Iterable[str],
    row_of: Callable[[Document], dict[str, Any]],
    resume_at: Mapping[str, Any] | None,
) -> ParquetWriter:
    """Write a table of strings."""
    arrow = _pyarrow()
    return _open_writer(target, arrow.schema([(column, arrow.string()) for column in columns]), row_of, resume_at)


class ParquetWriter:
    """Collects rows and writes them as row groups, under a temporary name until the end."""

    def __init__(self, target: Path, schema: Any, row_of: Callable[[Document], dict[str, Any]]) -> None:
        self._arrow, self._target, self._schema, self._row_of = _pyarrow(), target, schema, row_of
        self._rows: list[dict[str, Any]] = []
        self._characters = 0
        target.parent.mkdir(parents=True, exist_ok=True)
        self._file = self._arrow.parquet.ParquetWriter(partial_of(target), schema)

    def write(self, document: Document) -> None:
        """Write one document."""
        row = self._row_of(document)
        spans = [span for value in row.values() if isinstance(value, list) for span in value]
        encode_cells("".join(value for record in (row, *spans) for value in record.values() if isinstance(value, str)))
        self._rows.append(row)
        self._characters += len(document.text)
        if len(self._rows) >= ROWS or self._characters >= CHARACTERS:
            self._flush()

    def commit(self) -> Mapping[str, Any]:
        """Do nothing: the file can be read only when it is complete, so there is no position to go on from."""
        return {}

    def close(self) -> None:
        """Complete the file and give it its name."""
        self._flush()
        self._file.close()
        sync_file(partial_of(self._target))
        os.replace(partial_of(self._target), self._target)
        sync_folder(self._target.parent)

    def abandon(self) -> None:
        """Let go of the file; it keeps its temporary name."""
        self._rows.clear()
        self._file.close()

    def _flush(self) -> None:
        if self._rows:
            self._file.write_table(self._arrow.Table.from_pylist(self._rows, schema=self._schema))
        self._rows, self._characters = [], 0


def _open_writer(
    target: Path | str, schema: Any, row_of: Callable[[Document], dict[str, Any]], resume_at: Mapping[str, Any] | None
) -> ParquetWriter:
    if resume_at is not None:
        raise UsageError("a Parquet file is complete only when it is closed, so writing cannot be resumed; start again")
    if str(target) == "-" or Path(target).is_dir():
        raise UsageError(f"{target}: Parquet is written to a file; name one")
    return ParquetWriter(Path(target), schema, row_of)


def _document_schema(named: DocumentColumns) -> Any:
    arrow = _pyarrow()
    whole, string = arrow.int64(), arrow.string()
    fields = {"start": whole, "end": whole, "label": string, "score": arrow.float64(), "source": string}
    types = {named.text: arrow.large_string(), named.spans: arrow.list_(arrow.struct(list(fields.items())))}
    return arrow.schema([(name, types.get(name, string)) for name in named.names()])


def _pyarrow() -> Any:
    """Import pyarrow, which has no types and is not wanted before it is needed."""
    try:
        import_module("pyarrow.parquet")
        return import_module("pyarrow")
    except ImportError:
        raise PluginError("Parquet needs pyarrow, which is not installed: pip install 'innominate[files]'") from None


@contextmanager
def _open_table(file: SourceFile) -> Iterator[Any]:
    """Open a file for reading. Of pyarrow's many errors, which may quote what they read, only the kind is told."""
    parquet, kind = _pyarrow().parquet, ""
    with file.open() as stream:
        try:
            yield parquet.ParquetFile(stream if stream.seekable() else io.BytesIO(stream.read()))
        except FormatError:
            raise
        except Exception as error:
            kind = type(error).__name__
    if kind:
        raise FormatError(f"the Parquet file is damaged ({kind})", source=file.name)


def _read_rows(table: Any) -> Iterator[NumberedRow]:
    number = 0
    for batch in table.iter_batches(batch_size=_READ_ROWS):
        for row in _batch_rows(batch):
            number += 1
            broken = FormatError("a value that is not what its column says")
            yield number, broken if row is None else list(row.values())


def _batch_rows(batch: Any) -> Iterator[dict[str, Any] | None]:
    """The rows of a batch; if one value in it is broken, row by row, with None for the broken ones."""
    try:
        yield from batch.to_pylist()
    except Exception:
        for at in range(batch.num_rows):
            try:
                (row,) = batch.slice(at, 1).to_pylist()
            except Exception:
                row = None
            yield row
