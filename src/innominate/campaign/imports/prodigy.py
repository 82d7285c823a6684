"""Exports of Prodigy: one task per line, with the session (`annotator_team`), the time and the decision."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from innominate.campaign.imports.export_records import read_document
from innominate.campaign.imports.given import Given, digest
from innominate.campaign.problems import Problem
from innominate.campaign.records import Decision
from innominate.core import Document
from innominate.formats.json_values import Record
from innominate.formats.prodigy import OWN, ProdigyFormat

DECISIONS: dict[Any, Decision] = {"accept": "accept", "reject": "reject", "ignore": "ignore"}


def read_answers(record: Record, line: int) -> Iterator[Given | Problem]:
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
