"""What the JSON formats share: lines, records, spans, and reasons that never quote the text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime, time
from io import BytesIO
from typing import Any, BinaryIO

from innominate.core.document import Document, Rejected
from innominate.core.errors import FormatError, InnominateError
from innominate.core.protocols import SourceFile
from innominate.core.span import Span
from innominate.formats.decoding import decode
from innominate.formats.sources import MAX_NOTE, read_bytes

Record = dict[str, Any]
_UTF8_BOM = b"\xef\xbb\xbf"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")


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


def numbered_lines(file: SourceFile) -> Iterator[tuple[int, bytes | None]]:
    """Yield the lines that are not empty with their numbers; one that is far too long comes as None.

    Only the line feed ends a line: texts are full of other characters that some tools take for one.
    """
    with _as_utf8(file) as stream:
        for number, line in enumerate(_lines(stream), start=1):
            if number == 1 and line is not None:
                line = line.removeprefix(_UTF8_BOM)
            if line is None or line.strip():
                yield number, line


def read_records(file: SourceFile, convert: Callable[[Record, str], Document]) -> Iterator[Document | Rejected]:
    """Read one document per line; `convert` gets the record and an id to use if it has none."""
    for number, line in numbered_lines(file):
        id = f"{file.id}:{number}"
        try:
            if line is None:
                raise FormatError(f"a line longer than {MAX_NOTE // 1024**2} MB")
            record = as_record(json_value(line))
            id = id_from(record, id)
            yield convert(record, id)
        except Exception as error:
            yield Rejected(id, reason_of(error), file.name, number)


def reason_of(error: BaseException) -> str:
    """Say why something failed without quoting anything: messages of other libraries might hold the text of a note.

    >>> reason_of(ValueError("Eva slept")), reason_of(FormatError("no text", source="a", line=3))
    ('could not be read (ValueError)', 'no text')
    """
    if isinstance(error, FormatError):
        return error.reason
    if isinstance(error, InnominateError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"could not be read ({error.strerror})"
    return f"could not be read ({type(error).__name__})"


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


def span_at(start: Any, end: Any, label: Any, score: Any = 1.0, source: Any = "") -> Span:
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


def first_record(file: SourceFile, head: bytes) -> Record | None:
    """The first record of a file of JSON lines, for recognising its flavour. The line may be longer than the head."""
    if not head.removeprefix(_UTF8_BOM).lstrip().startswith((b"{", *_WIDE_BOMS)):
        return None
    try:
        _, line = next(numbered_lines(file))
        return as_record(json_value(line or b""))
    except (FormatError, StopIteration):
        return None


def _as_utf8(file: SourceFile) -> BinaryIO:
    """Open a file; one in UTF-16 or UTF-32 is decoded in memory, because its line feeds are not single bytes."""
    with file.open() as stream:
        wide = stream.read(4).startswith(_WIDE_BOMS)
    return BytesIO(decode(read_bytes(file), file.name).encode()) if wide else file.open()


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Lines up to the size of the largest note; a longer one is skipped in pieces and yielded as None."""
    while line := stream.readline(MAX_NOTE):
        if line.endswith(b"\n") or len(line) < MAX_NOTE:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(1024 * 1024)
        yield None


def _span(value: Any) -> Span:
    if isinstance(value, dict):
        return span_at(
            value.get("start"), value.get("end"), value.get("label"), value.get("score", 1.0), value.get("source", "")
        )
    if isinstance(value, list) and len(value) == 3:
        return span_at(*value)
    raise FormatError("a span that is neither an object nor [start, end, label]")
