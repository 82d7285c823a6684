"""Our own file of answers, with everything in it: what `campaign export --to answers` writes."""

from __future__ import annotations

from collections.abc import Iterator

from innominate.campaign.imports.given import Given
from innominate.campaign.imports.prodigy import DECISIONS
from innominate.campaign.problems import Problem
from innominate.core import InnominateError
from innominate.formats.json_values import Record, spans_from
from innominate.formats.reasons import reason_of


def read_answers(record: Record, line: int) -> Iterator[Given | Problem]:
    """The one answer of a line. It names its sample and holds no text."""
    try:
        yield _given(record, line)
    except InnominateError as error:
        yield Problem(reason_of(error), line)
    except (KeyError, TypeError, ValueError):
        yield Problem("a field is missing, or of a wrong kind", line)


def _given(record: Record, line: int) -> Given:
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
