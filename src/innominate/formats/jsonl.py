"""Innominate's own format: one JSON object per line."""

from __future__ import annotations

from collections.abc import Iterator

from innominate.core.document import Document, Rejected
from innominate.core.protocols import SourceFile
from innominate.formats.json_records import first_record, read_json
from innominate.formats.json_values import Record, json_bytes, meta_from, span_record, spans_from, text_from
from innominate.formats.sources import type_of


class JsonlFormat:
    """`{"id", "text", "spans": [{"start", "end", "label"}], "meta": {...}}`; score and source where they say something.

    Reading is tolerant: an id may be missing or a number, spans may be `[start, end, label]`, unknown keys go to the meta.

    >>> from innominate.core import Span
    >>> JsonlFormat().encode(Document("n1", "Eva slept.", [Span(0, 3, "NAME")])).decode()
    '{"id": "n1", "text": "Eva slept.", "spans": [{"start": 0, "end": 3, "label": "NAME"}]}\\n'
    """

    name = "jsonl"
    suffixes: tuple[str, ...] = (".jsonl", ".ndjson")
    holds_spans = True

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        """JSON with a text. By its name alone if the first line is broken, so that each line says why."""
        record = first_record(file, head)
        if record is not None and isinstance(record.get("text"), str):
            return True
        return type_of(file) in self.suffixes

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Read one document per line, or per element of an array."""
        return read_json(file, _document)

    def encode(self, document: Document) -> bytes:
        """One line."""
        record: Record = {"id": document.id, "text": document.text, "spans": [span_record(span) for span in document.spans]}
        if document.meta:
            record["meta"] = dict(document.meta)
        return json_bytes(record) + b"\n"


def _document(record: Record, id: str) -> Document:
    meta = meta_from(record, ("id", "text", "spans"))
    return Document(id, text_from(record), tuple(spans_from(record.get("spans"))), meta)
