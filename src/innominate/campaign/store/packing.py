"""Values as the store keeps them: one line of JSON, which every database can hold."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from innominate.core import OffsetMap, Span
from innominate.core.edits import Change
from innominate.formats.json_values import json_bytes, spans_from


def packed(value: Any) -> str:
    """Write a value as JSON; NUL and half surrogates are escaped.

    >>> packed("Eva\\0")
    '"Eva\\\\u0000"'
    """
    return json_bytes(value).decode()


def unpacked(text: str) -> Any:
    """Read what `packed` wrote."""
    return json.loads(text)


def pack_spans(spans: Iterable[Span]) -> str:
    """Write spans with what differs from the default.

    >>> unpack_spans(pack_spans([Span(0, 3, "NAME", source="rules")]))[0].source
    'rules'
    """
    return packed([span_record(span) for span in spans])


def span_record(span: Span) -> dict[str, Any]:
    """A span as a JSON object."""
    record: dict[str, Any] = {"start": span.start, "end": span.end, "label": span.label}
    if span.score != 1.0:
        record["score"] = span.score
    if span.source:
        record["source"] = span.source
    return record


def unpack_spans(text: str) -> tuple[Span, ...]:
    """Read what `pack_spans` wrote."""
    return tuple(spans_from(unpacked(text)))


def pack_offsets(offsets: OffsetMap) -> str:
    """Write the map from an original to its view."""
    return packed([offsets.source_length, offsets.target_length, offsets.changes])


def unpack_offsets(text: str) -> OffsetMap:
    """Read what `pack_offsets` wrote."""
    source, target, changes = unpacked(text)
    return OffsetMap(source, target, tuple(Change(*change) for change in changes))
