"""Label Studio's tasks. Its offsets are those of a browser, UTF-16 code units, and are converted here."""

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
    as_record,
    id_from,
    json_bytes,
    span_at,
    text_from,
)
from innominate.formats.utf16_offsets import Utf16Offsets


class LabelStudioFormat:
    """A JSON array, or lines, of `{"data": {"text"}, "annotations": [{"result": [...]}]}`.

    A task that several people annotated holds several opinions, and a document only one: name the `annotator` (the number or
    e-mail address in `completed_by`) whose work is wanted. With `predictions`, spans are read from and written as predictions,
    which Label Studio shows as suggestions. `from_name` and `to_name` are the names in the labelling configuration.

    >>> LabelStudioFormat().encode(Document("n1", "🙂 Eva", [Span(2, 5, "NAME")]))[-71:].decode()
    '"value": {"start": 3, "end": 6, "text": "Eva", "labels": ["NAME"]}}]}]}'
    """

    name = "label-studio"
    suffixes: tuple[str, ...] = (".json",)
    holds_spans = True
    separator = b",\n"

    def __init__(
        self, *, annotator: str | None = None, predictions: bool = False, from_name: str = "label", to_name: str = "text"
    ) -> None:
        self._annotator, self._predictions = annotator, predictions
        self._from_name, self._to_name = from_name, to_name

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        """Tasks with their data."""
        task = first_record(file, head)
        data = task.get("data") if task else None
        return isinstance(data, dict) and isinstance(data.get("text"), str)

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Read one document per task."""
        return read_json(file, self._document)

    def header(self) -> bytes:
        """The array begins."""
        return b"[\n"

    def encode(self, document: Document) -> bytes:
        """One task."""
        data: Record = {"id": document.id, "text": document.text}
        if document.meta:
            data["meta"] = dict(document.meta)
        kind = "predictions" if self._predictions else "annotations"
        return json_bytes({"data": data, kind: [{"result": self._results(document)}]})

    def footer(self) -> bytes:
        """The array ends."""
        return b"\n]\n"

    def _results(self, document: Document) -> list[Record]:
        offsets = Utf16Offsets(document.text)
        return [
            {
                "id": f"s{number}",
                "from_name": self._from_name,
                "to_name": self._to_name,
                "type": "labels",
                **({"score": span.score} if span.score != 1.0 else {}),
                "value": {
                    "start": offsets.units(span.start),
                    "end": offsets.units(span.end),
                    "text": span.of(document.text),
                    "labels": [span.label],
                },
            }
            for number, span in enumerate(document.spans, start=1)
        ]

    def _document(self, task: Record, id: str) -> Document:
        data = as_record(task.get("data"))
        text = text_from(data)
        meta = {key: value for key, value in data.items() if key not in ("id", "text", "meta")}
        opinion = self._opinion(task)
        offsets = Utf16Offsets(text)
        spans = [span for result in opinion for span in _spans(as_record(result), text, offsets)]
        return Document(id_from(data, id), text, tuple(spans), {**meta, **as_record(data.get("meta") or {})})

    def _opinion(self, task: Record) -> list[Any]:
        """The results of the one annotation, or prediction, that is asked for."""
        kind = "predictions" if self._predictions or not task.get("annotations") else "annotations"
        opinions = [as_record(one) for one in task.get(kind) or [] if not as_record(one).get("was_cancelled")]
        if self._annotator is not None:
            opinions = [one for one in opinions if self._annotator in _people(one)]
        if len(opinions) > 1:
            raise FormatError(f"{len(opinions)} {kind} of one document; choose one with the option annotator")
        return list(opinions[0].get("result") or []) if opinions else []


def _people(opinion: Record) -> tuple[str, ...]:
    """Everything by which an annotator, or a model, can be named."""
    person = opinion.get("completed_by")
    named = person.values() if isinstance(person, dict) else [person]
    return tuple(str(name) for name in (*named, opinion.get("model_version")) if name is not None)


def _spans(result: Record, text: str, offsets: Utf16Offsets) -> Iterator[Span]:
    """The spans of one result: one per label. Choices, relations and ratings are no spans."""
    if result.get("type") not in ("labels", None):
        return
    value = as_record(result.get("value"))
    start, end = value.get("start"), value.get("end")
    if type(start) is not int or type(end) is not int:
        raise FormatError("a result whose start and end are not whole numbers")
    start, end = offsets.points(start), offsets.points(end)
    if isinstance(value.get("text"), str) and value["text"] != text[start:end]:
        raise FormatError(f"the text given is not the text at {value['start']}..{value['end']}, counted in UTF-16 code units")
    for label in value.get("labels") or []:
        yield span_at(start, end, label, 1.0 if result.get("score") is None else result["score"])
