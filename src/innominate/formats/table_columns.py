"""Which column of a table is what, for CSV, Parquet and databases alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from innominate.core import Document, FormatError, Span
from innominate.formats.json_values import as_record, json_bytes, json_value, spans_from

META = "meta"  # our own tables keep the meta data here, as JSON


@dataclass(frozen=True, slots=True)
class DocumentColumns:
    """The names of the columns. Every other column goes to the meta data of its document."""

    text: str = "text"
    id: str | None = "id"  # None: rows are numbered
    spans: str = "spans"  # need not be there
    patient: str | None = None

    def check(self, present: Iterable[str], source: str) -> None:
        """Refuse a table that lacks a column, or has two of one name, and list what there is."""
        names = list(present)
        shown = ", ".join(names)
        for wanted in filter(None, (self.text, self.id, self.patient)):
            if wanted not in names:
                raise FormatError(f"there is no column {wanted!r}; the columns are: {shown}", source=source)
        if len(set(names)) < len(names):
            raise FormatError(f"two columns have the same name; the columns are: {shown}", source=source)

    def id_of(self, row: Mapping[str, Any], otherwise: str) -> str:
        """The id of a row, or one that says where it is if it has none."""
        id = row.get(self.id) if self.id else None
        return otherwise if id is None or id == "" else str(id)

    def document(self, row: Mapping[str, Any], otherwise: str) -> Document:
        """Make a document of a row."""
        text = row[self.text]
        if isinstance(text, bytes):
            text = _decoded(text)
        if not isinstance(text, str):
            raise FormatError(f"the column {self.text!r} holds no text")
        if self.id and row[self.id] in (None, ""):
            raise FormatError(f"the column {self.id!r} is empty")
        return Document(self.id_of(row, otherwise), text, tuple(_spans(row.get(self.spans))), self._meta(row))

    def row(self, document: Document) -> dict[str, Any]:
        """Make a row of a document: the named columns, and the rest of the meta data under `META`, as a mapping."""
        meta = dict(document.meta)
        row: dict[str, Any] = {self.id or "id": document.id, self.text: document.text}
        if self.patient:
            row[self.patient] = meta.pop("patient", None)
        return {**row, self.spans: [span_record(span) for span in document.spans], META: meta}

    def names(self) -> list[str]:
        """The columns of a table of our own."""
        return [self.id or "id", self.text, *([self.patient] if self.patient else []), self.spans, META]

    def _meta(self, row: Mapping[str, Any]) -> dict[str, Any]:
        meta = {
            key: plain(value) for key, value in row.items() if key not in (self.text, self.id, self.spans, self.patient, META)
        }
        if self.patient and row[self.patient] not in (None, ""):
            meta["patient"] = str(row[self.patient])
        own = row.get(META)
        if isinstance(own, str) and own.startswith("{"):
            own = as_record(json_value(own))
        if isinstance(own, Mapping):
            return {**meta, **own}
        return {**meta, META: plain(own)} if own else meta  # somebody else's column of that name


def span_record(span: Span) -> dict[str, Any]:
    """A span as a record; score and source only where they say something."""
    record: dict[str, Any] = {"start": span.start, "end": span.end, "label": span.label}
    if span.score != 1.0:
        record["score"] = span.score
    if span.source:
        record["source"] = span.source
    return record


def json_text(value: Any) -> str:
    """A value as a string of JSON."""
    return json_bytes(value).decode("utf-8")


def plain(value: Any) -> Any:
    """A value of a column as JSON can hold it.

    >>> plain(date(2151, 7, 16)), plain(b"\\x01"), plain(3)
    ('2151-07-16', '01', 3)
    """
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return str(value)  # Decimal, UUID and the like


def _spans(value: Any) -> list[Span]:
    if value is None or value == "":
        return []
    spans = json_value(value) if isinstance(value, str) else value
    if isinstance(spans, list):  # a column of structs has every field in every span
        spans = [_without_nulls(span) if isinstance(span, dict) else span for span in spans]
    return spans_from(spans)


def _without_nulls(span: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in span.items() if value is not None}


def _decoded(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        position = error.start
    raise FormatError(f"the text is not UTF-8 at byte {position}")
