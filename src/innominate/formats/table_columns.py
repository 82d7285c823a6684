"""Which column of a table is what, for CSV, Parquet and databases alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from innominate.core import Document, FormatError, Rejected, Span
from innominate.core.protocols import SourceFile
from innominate.formats.decoding import has_undecodable
from innominate.formats.json_values import as_record, json_text, json_value, plain_value, span_record, spans_from
from innominate.formats.reasons import reason_of, tell_columns
from innominate.formats.rows import NumberedRow, refuse_undecodable, whole_row

META = "meta"  # our own tables keep the meta data here, as JSON


@dataclass(frozen=True, slots=True)
class DocumentColumns:
    """The names of the columns. Every other column goes to the meta data of its document."""

    text: str = "text"
    id: str | None = "id"  # None: rows are numbered
    spans: str = "spans"  # need not be there
    patient: str | None = None

    def check(self, present: Iterable[str], source: str) -> None:
        """Refuse a table that lacks a column, or has two of one name."""
        names = list(present)
        for wanted in filter(None, (self.text, self.id, self.patient)):
            if wanted not in names:
                raise FormatError(f"there is no column {wanted!r}; {tell_columns(names)}", source=source)
        if len(set(names)) < len(names):
            raise FormatError(f"two columns have the same name; {tell_columns(names)}", source=source)

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

    def documents(
        self, columns: Sequence[str], rows: Iterable[NumberedRow], file: SourceFile
    ) -> Iterator[Document | Rejected]:
        """Make a document of each row; one that cannot be read is rejected with its number."""
        for number, cells in rows:
            id = numbered = f"{file.id}:{number}"
            try:
                row = dict(zip(columns, whole_row(cells, len(columns)), strict=True))
                id = self.id_of(row, numbered)
                refuse_undecodable(list(row.values()))
                yield self.document(row, id)
            except Exception as error:
                yield Rejected(numbered if has_undecodable(id) else id, reason_of(error), file.name, number)

    def row(self, document: Document) -> dict[str, Any]:
        """Make a row of a document: the named columns, and the rest of the meta data under `META`, as a mapping."""
        meta = dict(document.meta)
        row: dict[str, Any] = {self.id or "id": document.id, self.text: document.text}
        if self.patient:
            row[self.patient] = meta.pop("patient", None)
        return {**row, self.spans: [span_record(span) for span in document.spans], META: meta}

    def text_row(self, document: Document) -> dict[str, Any]:
        """The same, for columns that hold text only: spans and meta data are JSON."""
        row = self.row(document)
        return {**row, self.spans: json_text(row[self.spans]), META: json_text(row[META])}

    def names(self) -> list[str]:
        """The columns of a table of our own."""
        return [self.id or "id", self.text, *([self.patient] if self.patient else []), self.spans, META]

    def _meta(self, row: Mapping[str, Any]) -> dict[str, Any]:
        meta = {
            key: plain_value(value)
            for key, value in row.items()
            if key not in (self.text, self.id, self.spans, self.patient, META)
        }
        if self.patient and row[self.patient] not in (None, ""):
            meta["patient"] = str(row[self.patient])
        rest = row.get(META)
        if isinstance(rest, str) and rest.startswith("{"):
            rest = as_record(json_value(rest))
        if isinstance(rest, Mapping):
            return {**meta, **rest}
        return {**meta, META: plain_value(rest)} if rest else meta  # somebody else's column of that name


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
