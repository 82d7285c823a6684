"""Spans beside an output that cannot hold them: `notes.spans.jsonl` beside `notes.csv` or the folder `notes`.

One line a document: `{"id", "spans": [{"start", "end", "label", "score", "source"}]}`. It is only written if there are spans.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from innominate.core.document import Document, Rejected
from innominate.core.errors import FormatError, UsageError
from innominate.core.protocols import NumberingWriter, SourceFile, Writer
from innominate.core.span import Span
from innominate.formats.json_values import json_bytes, json_value, spans_from

SUFFIX = ".spans.jsonl"


def sidecar_of(target: Path | str) -> Path | None:
    """Where the spans of an output lie; standard output has nothing beside it.

    >>> sidecar_of("out/notes.csv").name, sidecar_of("out/notes").name
    ('notes.spans.jsonl', 'notes.spans.jsonl')
    """
    if str(target) == "-":
        return None
    path = Path(target)
    if not path.name:  # `.` and `/`
        path = path.resolve()
    stem = path.name if path.is_dir() else path.stem
    return path.with_name(stem + SUFFIX)


class Spans:
    """The format of the file: spans without their text."""

    name = "spans"
    suffixes: tuple[str, ...] = (SUFFIX,)
    holds_spans = True

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        """Never: a file of spans is read together with the documents it belongs to."""
        return False

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Refuse: there is no text here."""
        raise FormatError("holds spans without their text; read it together with the documents", source=file.name)

    def encode(self, document: Document) -> bytes:
        """One line with the spans of a document."""
        spans = [
            {"start": span.start, "end": span.end, "label": span.label, "score": span.score, "source": span.source}
            for span in document.spans
        ]
        return json_bytes({"id": document.id, "spans": spans}) + b"\n"


class SidecarWriter:
    """Writes documents with one writer and their spans with another, which is opened at the first span."""

    def __init__(
        self,
        documents: Writer,
        open_spans: Callable[..., Writer],
        path: Path | None,
        *,
        resume_at: Mapping[str, Any] | None = None,
    ) -> None:
        self._documents, self._open_spans, self._path = documents, open_spans, path
        self._spans: Writer | None = None
        if resume_at and resume_at.get("spans"):
            self._spans = open_spans(Spans(), path, resume_at=resume_at["spans"])

    def write(self, document: Document) -> None:
        """Write the document, and its spans if it has any."""
        if document.spans and self._path is None:
            raise UsageError("this format cannot hold spans, and nothing can lie beside standard output; write to a file")
        self._documents.write(document)
        if document.spans:
            if self._spans is None:
                self._spans = self._open_spans(Spans(), self._path)
            if isinstance(self._documents, NumberingWriter):
                document = replace(document, id=self._documents.last_id)
            self._spans.write(document)

    def commit(self) -> Mapping[str, Any]:
        """Commit both."""
        position = dict(self._documents.commit())
        return {**position, "spans": dict(self._spans.commit())} if self._spans else position

    def close(self) -> None:
        """Close both, the spans first: an output under its final name is complete."""
        if self._spans:
            self._spans.close()
        elif self._path:  # of an earlier output, which has nothing to do with the new one
            self._path.unlink(missing_ok=True)
        self._documents.close()

    def abandon(self) -> None:
        """Let go of both."""
        for writer in (self._spans, self._documents):
            if writer is not None:
                writer.abandon()


def read_spans(path: Path) -> dict[str, tuple[Span, ...]]:
    """Read a file of spans, by id. A broken line is an error: to lose spans silently would uncover names."""
    found: dict[str, tuple[Span, ...]] = {}
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                record = json_value(line)
                found[str(record["id"])] = tuple(spans_from(record["spans"]))
            except FormatError as error:
                raise FormatError(error.reason, source=str(path), line=number) from None
            except (KeyError, TypeError):
                raise FormatError("needs an id and a list of spans", source=str(path), line=number) from None
    return found
