"""doccano's sequence labelling: `label` as a list of triples, or `entities` where relations are annotated too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from innominate.core.document import Document, Rejected
from innominate.core.errors import FormatError
from innominate.core.protocols import SourceFile
from innominate.core.span import Span
from innominate.formats.json_records import first_record, read_json
from innominate.formats.json_values import (
    Record,
    json_bytes,
    meta_from,
    span_at,
    spans_from,
    text_from,
)


class DoccanoFormat:
    """`{"id", "text", "label": [[start, end, label]]}`; with `relations`, `{"id", "text", "entities": [...], ...}`.

    >>> DoccanoFormat().encode(Document("n1", "Eva slept.", [Span(0, 3, "NAME")])).decode()
    '{"id": "n1", "label": [[0, 3, "NAME"]], "text": "Eva slept."}\\n'
    """

    name = "doccano"
    suffixes: tuple[str, ...] = (".jsonl",)
    holds_spans = True

    def __init__(self, *, relations: bool = False) -> None:
        self._relations = relations

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        """A text with a list of labels or entities."""
        record = first_record(file, head)
        if record is None or not isinstance(record.get("text"), str):
            return False
        return any(isinstance(record.get(key), list) for key in ("label", "labels", "entities"))

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Read one document per line, or per element of an array."""
        return read_json(file, _document)

    def encode(self, document: Document) -> bytes:
        """One line."""
        record: Record = {"id": document.id}
        if self._relations:
            record["entities"] = [_entity(number, span) for number, span in enumerate(document.spans)]
            record["relations"] = []
        else:
            record["label"] = [[span.start, span.end, span.label] for span in document.spans]
        record["text"] = document.text
        if document.meta:
            record["meta"] = dict(document.meta)
        return json_bytes(record) + b"\n"


def _document(record: Record, id: str) -> Document:
    entities = record.get("entities")
    if entities is not None:
        spans = [_span(entity) for entity in _list(entities)]
    else:
        spans = spans_from(record["label"] if "label" in record else record.get("labels"))
    meta = meta_from(record, ("id", "text", "label", "labels", "entities", "relations"))
    return Document(id, text_from(record), tuple(spans), meta)


def _list(values: Any) -> list[Any]:
    if not isinstance(values, list):
        raise FormatError("the entities are not a list")
    return values


def _span(entity: Any) -> Span:
    if not isinstance(entity, dict):
        raise FormatError("an entity that is not a JSON object")
    return span_at(entity.get("start_offset"), entity.get("end_offset"), entity.get("label"))


def _entity(number: int, span: Span) -> Record:
    return {"id": number, "label": span.label, "start_offset": span.start, "end_offset": span.end}
