"""Exports of Label Studio: tasks with one annotation per person, skipped ones included. Offsets are UTF-16."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from innominate.campaign.imports.export_records import read_document
from innominate.campaign.imports.given import Given
from innominate.campaign.problems import Problem
from innominate.core import Span
from innominate.formats.json_values import Record
from innominate.formats.label_studio import LabelStudioFormat


def read_answers(record: Record, line: int) -> Iterator[Given | Problem]:
    """The answers of a task; one that is wrong does not touch the others."""
    annotations = record.get("annotations")
    if not isinstance(annotations, list):
        yield Problem(f"task {record.get('id', '?')} has no list of annotations", line)
        return
    for number, annotation in enumerate(annotations, start=1):
        if not isinstance(annotation, dict):
            yield Problem(f"task {record.get('id', '?')}: annotation {number} is not a JSON object", line)
        else:
            yield _given(record, annotation, line, number)


def _given(task: Record, annotation: Record, line: int, number: int) -> Given | Problem:
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
        suggested=_suggested(task, annotation, line),
        meta={"seconds": annotation["lead_time"]} if isinstance(annotation.get("lead_time"), int | float) else {},
        place=place,
    )


def _suggested(task: Record, annotation: Record, line: int) -> tuple[Span, ...]:
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
