"""The tools whose exports are read. Each turns one record into the answers that it holds, before they are checked.

Prodigy writes one task per line, with the session (`annotator_team`), the time and the decision; doccano one file per person,
named after them, with neither times nor decisions; Label Studio tasks with one annotation per person, skipped ones included,
with offsets in UTF-16. Our own file of answers has everything: `campaign export --to answers` writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from typing import Any

from innominate.campaign.records import Decision, Problem
from innominate.core import Document, FormatError, InnominateError, Rejected, Span, UsageError
from innominate.core.protocols import Format, SourceFile
from innominate.formats import MemoryFile, recognise
from innominate.formats.decoding import decode
from innominate.formats.doccano import DoccanoFormat
from innominate.formats.json_records import first_record, is_array, numbered_values
from innominate.formats.json_values import Record, as_record, json_bytes, spans_from
from innominate.formats.label_studio import LabelStudioFormat
from innominate.formats.prodigy import OWN, ProdigyFormat
from innominate.formats.reasons import reason_of
from innominate.formats.sources import head_of, read_bytes

DECISIONS: dict[Any, Decision] = {"accept": "accept", "reject": "reject", "ignore": "ignore"}
_PERSON = ("annotator", "username", "user", "annotated_by")


@dataclass(frozen=True, slots=True)
class Given:
    """One answer as an export has it."""

    line: int
    key: str  # what must be unique in one export, and is the same if the same is exported again
    names: tuple[str, ...]  # by which the person may be known
    text: str = field(repr=False)
    spans: tuple[Span, ...]
    decision: Decision = "accept"
    at: float = 0.0  # 0: the export does not say
    sample: str = ""  # empty: to be found by the text
    version: str = ""  # changes if the person changed their answer in the other tool
    comment: str = field(default="", repr=False)
    suggested: tuple[Span, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    place: str = ""  # says where it is if the line does not: some tools write everything on one

    def problem(self, reason: str) -> Problem:
        """Why this answer is kept out."""
        return Problem(f"{self.place}: {reason}" if self.place else reason, self.line)


def digest(value: object) -> str:
    """A short name for a value. It stays in the store: who has it could try out texts.

    >>> digest("Eva")
    '2fd38624103e'
    """
    return blake2b(repr(value).encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def number_records(file: SourceFile) -> Iterator[tuple[int, Record | Problem]]:
    """Yield the records with their lines; one that cannot be read comes as a problem, and the rest goes on.

    >>> [line for line, _ in number_records(MemoryFile("x", b'[\\n {"a": 1},\\n {"a": 2}]'))]
    [2, 3]
    """
    try:
        if is_array(head_of(file)):  # an export is a file of some megabytes: all of it may be in memory, in whatever encoding
            file = MemoryFile(file.name, decode(read_bytes(file), file.name).encode(), file.id)
        for line, value in numbered_values(file):
            try:
                if isinstance(value, FormatError):
                    raise value
                yield line, as_record(value)
            except FormatError as error:
                yield line, Problem(error.reason, line)
    except FormatError as error:
        line = error.line or 1
        yield line, Problem(error.reason, line)


def read_document(format: Format, record: Record, line: int) -> Document | Problem:
    """The document of a record, or what is wrong with it."""
    found = next(iter(format.read(MemoryFile("record", json_bytes(record)))), None)
    if isinstance(found, Rejected):  # the line says better where it was than an id made up for one record
        return Problem(found.reason.removeprefix(f"document {found.id!r}: "), line)
    return found or Problem("holds no document", line)


def read_prodigy(record: Record, line: int) -> Iterator[Given | Problem]:
    """The one answer of a task. Prodigy gives it no id; person, text and time together are one."""
    document = read_document(ProdigyFormat(), record, line)
    if isinstance(document, Problem):
        yield document
        return
    meta = document.meta
    if meta.get("answer") not in DECISIONS:
        yield Problem("the answer is not accept, reject or ignore", line)
        return
    names = tuple(str(meta[key]) for key in ("_session_id", "_annotator_id") if meta.get(key))
    at = meta.get("_timestamp")
    seconds = float(at) if isinstance(at, int | float) and not isinstance(at, bool) else 0.0
    sample = str(record["id"]) if "id" in record else ""
    yield Given(
        line,
        f"{sample or digest(document.text)}/{seconds:.3f}/{names[0] if names else ''}",
        names,
        document.text,
        document.spans,
        DECISIONS[meta["answer"]],
        seconds,
        sample,
        comment=_comment(document),
        meta={key: value for key, value in meta.items() if key.startswith("_") and key in OWN},
    )


def _comment(document: Document) -> str:
    """What the annotator wrote into a text field, under one of the names that Prodigy's recipes give it."""
    found = (document.meta.get(key) for key in ("comment", "user_input", "comments"))
    return next((value for value in found if isinstance(value, str)), "")


def read_doccano(record: Record, line: int) -> Iterator[Given | Problem]:
    """The one answer of a record. If its labels were changed and exported again, that is another version."""
    document = read_document(DoccanoFormat(), record, line)
    if isinstance(document, Problem):
        yield document
        return
    sample = next((value for value in (document.meta.get("sample"), record.get("id")) if isinstance(value, str)), "")
    comments = record.get("Comments") or record.get("comments") or []
    yield Given(
        line,
        str(record.get("id", "") or digest(document.text)),
        tuple(str(document.meta[key]) for key in _PERSON if document.meta.get(key)),
        document.text,
        document.spans,
        sample=sample,
        version=digest(document.spans),
        comment="\n".join(map(str, comments)) if isinstance(comments, list) else str(comments),
    )


def read_label_studio(record: Record, line: int) -> Iterator[Given | Problem]:
    """The answers of a task; one that is wrong does not touch the others."""
    annotations = record.get("annotations")
    if not isinstance(annotations, list):
        yield Problem(f"task {record.get('id', '?')} has no list of annotations", line)
        return
    for number, annotation in enumerate(annotations, start=1):
        if not isinstance(annotation, dict):
            yield Problem(f"task {record.get('id', '?')}: annotation {number} is not a JSON object", line)
        else:
            yield _read_task(record, annotation, line, number)


def _read_task(task: Record, annotation: Record, line: int, number: int) -> Given | Problem:
    skipped = bool(annotation.get("was_cancelled"))
    place = f"task {task.get('id', '?')}, annotation {annotation.get('id', number)}"
    own = {"data": task.get("data"), "annotations": [{**annotation, "was_cancelled": False}]}
    document = read_document(LabelStudioFormat(), own, line)
    if isinstance(document, Problem):
        return Problem(f"{place}: {document.reason}", line)
    changed = annotation.get("updated_at") or annotation.get("created_at") or ""
    seconds = _seconds(changed)
    if seconds is None:
        return Problem(f"{place}: the time is not written as ISO 8601 says", line)
    data = task.get("data")
    sample = data.get("id", "") if isinstance(data, dict) else ""
    return Given(
        line,
        f"{task.get('id', sample)}/{annotation.get('id', number)}",
        _names(annotation.get("completed_by")),
        document.text,
        () if skipped else document.spans,
        "ignore" if skipped else "accept",
        seconds,
        str(sample),
        version=str(changed),
        suggested=_read_suggestions(task, annotation, line),
        meta={"seconds": annotation["lead_time"]} if isinstance(annotation.get("lead_time"), int | float) else {},
        place=place,
    )


def _read_suggestions(task: Record, annotation: Record, line: int) -> tuple[Span, ...]:
    """What Label Studio showed to begin with, if the annotation grew out of a prediction."""
    prediction = annotation.get("prediction")
    if not isinstance(prediction, dict) or not prediction.get("result"):
        return ()
    own = {"data": task.get("data"), "annotations": [{"result": prediction["result"]}]}
    document = read_document(LabelStudioFormat(), own, line)
    return () if isinstance(document, Problem) else document.spans


def _names(person: Any) -> tuple[str, ...]:
    """Everything by which the person may be known: a number, or an object with an e-mail address."""
    if isinstance(person, dict):
        return tuple(str(person[key]) for key in ("email", "username", "id") if person.get(key) is not None)
    return () if person is None else (str(person),)


def _seconds(moment: Any) -> float | None:
    """Seconds since 1970; 0 if there is no time, None if it cannot be read.

    >>> _seconds("1970-01-01T00:01:00Z"), _seconds(""), _seconds("yesterday")
    (60.0, 0.0, None)
    """
    if not moment:
        return 0.0
    try:
        return datetime.fromisoformat(str(moment)).timestamp()
    except ValueError:
        return None


def read_answers_file(record: Record, line: int) -> Iterator[Given | Problem]:
    """The one answer of a line. It names its sample and holds no text."""
    try:
        yield _read_record(record, line)
    except InnominateError as error:
        yield Problem(reason_of(error), line)
    except (KeyError, TypeError, ValueError):
        yield Problem("a field is missing, or of a wrong kind", line)


def _read_record(record: Record, line: int) -> Given:
    meta = dict(record.get("meta") or {})
    meta.pop("guidelines", None)  # the store knows by itself
    return Given(
        line,
        str(record["id"]),
        (str(record["annotator"]),),
        "",
        tuple(spans_from(record.get("spans"))),
        DECISIONS[record["decision"]],
        float(record.get("at", 0.0)),
        str(record["sample"]),
        comment=str(record.get("comment", "")),
        suggested=tuple(spans_from(record.get("suggested"))),
        meta=meta,
    )


Reader = Callable[[Record, int], Iterator[Given | Problem]]

TOOLS: dict[str, Reader] = {
    "prodigy": read_prodigy,
    "doccano": read_doccano,
    "label-studio": read_label_studio,
    "answers": read_answers_file,
}


def read_given(tool: str, record: Record | Problem, line: int) -> Iterator[Given | Problem]:
    """The answers of a record; one that could not be read stays the problem that it is."""
    return iter((record,)) if isinstance(record, Problem) else TOOLS[tool](record, line)


def recognise_tool(file: SourceFile, name: str | None) -> str:
    """The tool that is named, or that the file looks like."""
    if name is not None:
        if name not in TOOLS:
            raise UsageError(f"no tool is called {name!r}; there are: {', '.join(TOOLS)}")
        return name
    first = first_record(file, head_of(file))
    if first is not None and {"sample", "annotator", "decision"} <= first.keys():
        return "answers"
    try:
        found = recognise(file).name
    except FormatError:
        found = ""
    if found not in TOOLS:
        raise UsageError(f"{file.name}: this looks like no export of {', '.join(TOOLS)}; name the tool with --tool")
    return found
