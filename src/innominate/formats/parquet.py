"""Parquet tables, in batches both ways. Needs pyarrow, which comes with the extra `files`."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from innominate.core import Document, FormatError, PluginError, Rejected, UsageError
from innominate.core.protocols import SourceFile
from innominate.formats.json_values import reason_of
from innominate.formats.table_columns import DocumentColumns

if TYPE_CHECKING:
    from innominate.formats.parquet_writer import TableWriter

_READ_ROWS = 64  # few, because a note may be long


class ParquetFormat:
    """Parquet by named columns; other columns go to the meta data.

    Our own tables have the columns id, text, spans (a list of structs) and meta (JSON). A table can be read only when it is
    complete, so writing one cannot be resumed.
    """

    name = "parquet"
    suffixes: tuple[str, ...] = (".parquet",)
    holds_spans = True

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
        return head.startswith(b"PAR1")

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Yield one document per row; a row that cannot be read is rejected with its number."""
        parquet, kind = pyarrow().parquet, ""
        with file.open() as stream:
            seekable = stream if stream.seekable() else io.BytesIO(stream.read())
            try:
                table = parquet.ParquetFile(seekable)
                self.named.check(table.schema_arrow.names, file.name)
                yield from self._documents(table, file)
            except (FormatError, GeneratorExit):
                raise
            except Exception as error:  # pyarrow has many, and they may quote what they read
                kind = type(error).__name__
        if kind:
            raise FormatError(f"the Parquet file is damaged ({kind})", source=file.name)

    def open_writer(self, target: Path | str, resume_at: Mapping[str, Any] | None = None) -> TableWriter:
        """Write one file."""
        from innominate.formats.parquet_writer import TableWriter

        if resume_at is not None:
            raise UsageError("a Parquet file is complete only when it is closed, so writing cannot be resumed; start again")
        if str(target) == "-" or Path(target).is_dir():
            raise UsageError(f"{target}: Parquet is written to a file; name one")
        return TableWriter(pyarrow(), self.named, Path(target))

    def _documents(self, table: Any, file: SourceFile) -> Iterator[Document | Rejected]:
        number = 0
        for batch in table.iter_batches(batch_size=_READ_ROWS):
            for row in rows(batch):
                number += 1
                id = f"{file.id}:{number}"
                try:
                    if row is None:
                        raise FormatError("a value that is not what its column says")
                    id = self.named.id_of(row, id)
                    yield self.named.document(row, id)
                except Exception as error:
                    yield Rejected(id, reason_of(error), file.name, number)


def pyarrow() -> Any:
    """Import pyarrow, which has no types and is not wanted before it is needed."""
    try:
        import_module("pyarrow.parquet")
        return import_module("pyarrow")
    except ImportError:
        raise PluginError("Parquet needs pyarrow, which is not installed: pip install 'innominate[files]'") from None


def rows(batch: Any) -> Iterator[dict[str, Any] | None]:
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
