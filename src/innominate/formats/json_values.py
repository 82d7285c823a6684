"""Values of JSON: written as one line, and read as the parts of a document."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from typing import Any

from innominate.core.errors import FormatError
from innominate.core.span import Span

Record = dict[str, Any]


def json_bytes(value: Any) -> bytes:
    """Write a value as one line of JSON, readable by people; half surrogates, which UTF-8 cannot hold, are escaped.

    >>> json_bytes({"text": "Née\\n"}).decode()
    '{"text": "Née\\\\n"}'
    """
    try:
        line = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        raise FormatError("holds something, probably in its meta, that JSON cannot hold") from None
    try:
        return line.encode()
    except UnicodeEncodeError:
        return json.dumps(value).encode()


def json_text(value: Any) -> str:
    """The same as a string."""
    return json_bytes(value).decode("utf-8")


def json_value(data: bytes | str) -> Any:
    """Read JSON; the reason of a failure names a position and quotes nothing."""
    try:
        return json.loads(data if isinstance(data, str) else data.decode(), strict=False)
    except UnicodeDecodeError as error:
        reason = f"not UTF-8 at byte {error.start}"
    except json.JSONDecodeError as error:
        reason = f"not JSON at character {error.pos}"
    except (ValueError, RecursionError):
        reason = "JSON that is nested too deeply or has a number too long"
    raise FormatError(reason)


def as_record(value: Any) -> Record:
    """Check that a JSON value is an object."""
    if not isinstance(value, dict):
        raise FormatError("not a JSON object")
    return value


def id_from(record: Mapping[str, Any], otherwise: str) -> str:
    """The id of a record, numbers included."""
    id = record.get("id")
    return str(id) if isinstance(id, str | int) and not isinstance(id, bool) else otherwise


def text_from(record: Mapping[str, Any]) -> str:
    """The text of a record."""
    text = record.get("text")
    if not isinstance(text, str):
        raise FormatError("has no text")
    return text


def meta_from(record: Mapping[str, Any], known: Iterable[str]) -> Record:
    """The `meta` of a record and, with it, every key that the format does not know."""
    meta = record.get("meta") or {}
    if not isinstance(meta, dict):
        raise FormatError("meta is not a JSON object")
    known = {*known, "meta"}
    return {**{key: value for key, value in record.items() if key not in known}, **meta}


def spans_from(values: Any) -> list[Span]:
    """Read spans written as objects or as `[start, end, label]`.

    >>> spans_from([[0, 3, "NAME"], {"start": 4, "end": 9, "label": "DATE", "score": 0.5}])[1].score
    0.5
    """
    if values is None:
        return []
    if not isinstance(values, list):
        raise FormatError("the spans are not a list")
    return [_span(value) for value in values]


def span_at(start: Any, end: Any, label: Any, score: Any = 1.0, *, source: Any = "") -> Span:
    """Make a span of values that came from outside."""
    if type(start) is not int or type(end) is not int:
        raise FormatError("a span whose start and end are not whole numbers")
    if not isinstance(label, str) or not label:
        raise FormatError(f"span {start}..{end} has no label")
    if isinstance(score, bool) or not isinstance(score, int | float) or not isinstance(source, str):
        raise FormatError(f"span {start}..{end} has a score or source of the wrong kind")
    return Span(start, end, label, float(score), source)


def span_record(span: Span) -> dict[str, Any]:
    """A span as a record; score and source only where they say something."""
    record: dict[str, Any] = {"start": span.start, "end": span.end, "label": span.label}
    if span.score != 1.0:
        record["score"] = span.score
    if span.source:
        record["source"] = span.source
    return record


def plain_value(value: Any) -> Any:
    """A value of a column as JSON can hold it.

    >>> plain_value(date(2151, 7, 16)), plain_value(b"\\x01"), plain_value(3)
    ('2151-07-16', '01', 3)
    """
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    if isinstance(value, Mapping):
        return {str(key): plain_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_value(item) for item in value]
    return str(value)  # Decimal, UUID and the like


def _span(value: Any) -> Span:
    if isinstance(value, dict):
        source = value.get("source", "")
        return span_at(value.get("start"), value.get("end"), value.get("label"), value.get("score", 1.0), source=source)
    if isinstance(value, list) and len(value) == 3:
        return span_at(*value)
    raise FormatError("a span that is neither an object nor [start, end, label]")
