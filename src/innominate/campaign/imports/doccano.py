"""Exports of doccano: one file per person, named after them, with neither times nor decisions."""

from __future__ import annotations

from collections.abc import Iterator

from innominate.campaign.imports.export_records import read_document
from innominate.campaign.imports.given import Given, digest
from innominate.campaign.problems import Problem
from innominate.formats.doccano import DoccanoFormat
from innominate.formats.json_values import Record

_PERSON = ("annotator", "username", "user", "annotated_by")


def read_answers(record: Record, line: int) -> Iterator[Given | Problem]:
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
