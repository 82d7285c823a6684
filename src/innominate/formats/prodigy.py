"""Prodigy's tasks: JSON lines whose keys with an underscore belong to Prodigy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from innominate.core.document import Document, Rejected
from innominate.core.protocols import SourceFile
from innominate.formats.json_records import first_record, read_json
from innominate.formats.json_values import (
    Record,
    id_from,
    json_bytes,
    meta_from,
    spans_from,
    text_from,
)

# What Prodigy writes beside the text and wants to see again; it lives in the meta of a document meanwhile.
OWN = ("_input_hash", "_task_hash", "_session_id", "_annotator_id", "_view_id", "_is_binary", "_timestamp", "answer")
# Copies of the text in other forms. They are never kept: in a concealed document they would still show the names.
_COPIES = ("tokens", "html", "image", "options", "accept")
_TOKEN = re.compile(r"\w+|[^\w\s]")


class ProdigyFormat:
    """`{"text", "spans", "answer", "_input_hash", ...}`, with the document's id beside them.

    With `annotator`, only the tasks of one session or annotator are read: a file with the work of several people holds each
    document several times. With `tokens`, tasks are written with tokens, as `ner.manual` shows them; spans that begin and end
    with a token then say which.
    """

    name = "prodigy"
    suffixes: tuple[str, ...] = (".jsonl",)
    holds_spans = True

    def __init__(self, *, annotator: str | None = None, tokens: bool = False) -> None:
        self._annotator, self._tokens = annotator, tokens

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        """A text with something of Prodigy beside it."""
        record = first_record(file, head)
        if record is None or not isinstance(record.get("text"), str) or isinstance(record.get("label"), list):
            return False
        return any(key in record for key in (*OWN, "tokens")) or _knows_tokens(record.get("spans"))

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Read one document per line, or per element of an array."""
        for item in read_json(file, _document):
            if self._annotator is None or isinstance(item, Rejected) or self._annotator in _annotators(item):
                yield item

    def encode(self, document: Document) -> bytes:
        """One task. `_view_id` says to Prodigy how it is shown, and to us that it is a task."""
        own = {key: document.meta[key] for key in OWN if key in document.meta}
        record: Record = {"id": document.id, "text": document.text, "_view_id": "ner_manual", **own}
        record["spans"] = [{"start": span.start, "end": span.end, "label": span.label} for span in document.spans]
        if self._tokens:
            _add_tokens(record, document.text)
        if rest := {key: value for key, value in document.meta.items() if key not in OWN}:
            record["meta"] = rest
        return json_bytes(record) + b"\n"


def _document(record: Record, id: str) -> Document:
    meta = meta_from(record, ("id", "text", "spans", *_COPIES))
    if meta.get("_view_id") == "ner_manual":  # what `encode` adds by itself
        del meta["_view_id"]
    inner = record.get("meta")
    id = id_from(inner, id) if "id" not in record and isinstance(inner, dict) else id
    return Document(id, text_from(record), tuple(spans_from(record.get("spans"))), meta)


def _knows_tokens(spans: Any) -> bool:
    return isinstance(spans, list) and any(isinstance(span, dict) and "token_start" in span for span in spans)


def _annotators(document: Document) -> tuple[Any, Any]:
    return document.meta.get("_annotator_id"), document.meta.get("_session_id")


def _add_tokens(record: Record, text: str) -> None:
    """Add the tokens and, where a span begins and ends with one, their numbers. Prodigy counts the last one in."""
    found = [match.span() for match in _TOKEN.finditer(text)]
    record["tokens"] = [
        {"text": text[start:end], "start": start, "end": end, "id": number, "ws": text[end : end + 1].isspace()}
        for number, (start, end) in enumerate(found)
    ]
    starts = {start: number for number, (start, _) in enumerate(found)}
    ends = {end: number for number, (_, end) in enumerate(found)}
    for span in record["spans"]:
        if span["start"] in starts and span["end"] in ends:
            span["token_start"], span["token_end"] = starts[span["start"]], ends[span["end"]]
