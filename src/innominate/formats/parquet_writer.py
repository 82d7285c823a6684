"""Writing documents into a Parquet file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from innominate.core import Document, FormatError
from innominate.formats.durable import partial_of, sync_files, sync_folder
from innominate.formats.table_columns import META, DocumentColumns, json_text

ROWS, CHARACTERS = 2000, 1 << 25  # a row group ends at whichever comes first


class TableWriter:
    """Collects rows and writes them as row groups, under a temporary name until the end."""

    def __init__(self, arrow: Any, named: DocumentColumns, target: Path) -> None:
        self._arrow, self._named, self._target = arrow, named, target
        self._schema = _schema(arrow, named)
        self._rows: list[dict[str, Any]] = []
        self._characters = 0
        target.parent.mkdir(parents=True, exist_ok=True)
        self._file = arrow.parquet.ParquetWriter(partial_of(target), self._schema)

    def write(self, document: Document) -> None:
        """Write one document."""
        row = self._named.row(document)
        row[META] = json_text(row[META]) if row[META] else None
        patient = self._named.patient
        if patient and row[patient] is not None:
            row[patient] = str(row[patient])
        _check(row)
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
        sync_files([partial_of(self._target)], self._target.parent)
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


def _schema(arrow: Any, named: DocumentColumns) -> Any:
    whole, string = arrow.int64(), arrow.string()
    fields = {"start": whole, "end": whole, "label": string, "score": arrow.float64(), "source": string}
    types = {named.text: arrow.large_string(), named.spans: arrow.list_(arrow.struct(list(fields.items())))}
    return arrow.schema([(name, types.get(name, string)) for name in named.names()])


def _check(row: Mapping[str, Any]) -> None:
    """Find out now, and not when a thousand others are in the same group, that a row cannot be written."""
    spans = [span for value in row.values() if isinstance(value, list) for span in value]
    strings = [value for record in (row, *spans) for value in record.values() if isinstance(value, str)]
    try:
        "".join(strings).encode("utf-8")
    except UnicodeEncodeError:
        pass
    else:
        return
    raise FormatError("the text or its meta data holds half of a surrogate pair, which UTF-8 cannot hold")
