"""Answers: kept for ever, once each, and only as many per chunk as the campaign wants."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from innominate.campaign.records import Answer, Sample
from innominate.campaign.store.database import Transaction
from innominate.campaign.store.leases import has_place
from innominate.campaign.store.tables import Event, log_once, pack_spans, unpack_spans
from innominate.core import UsageError
from innominate.formats.json_values import json_text, span_record
from innominate.labels import Taxonomy

_LONGEST_ID = 200
_COLUMNS = ("id", "chunk", "annotator", "revision", "decision", "at", "spans", "comment", "suggested", "meta")


def find_problem(answer: Answer, sample: Sample, labels: Taxonomy) -> str:
    """Say what is wrong with an answer to a sample; nothing if all is well.

    >>> from innominate.core import Span
    >>> from innominate.labels import taxonomy
    >>> sample = Sample("n1#1", "n1", 0, 9, "Eva dort.")
    >>> find_problem(Answer("a", "n1#1", "ola", (Span(0, 30, "DATE"),)), sample, taxonomy("chuv"))
    'span 0..30 lies outside the 9 characters of the sample'
    """
    if not answer.id or len(answer.id) > _LONGEST_ID or not answer.id.isprintable():
        return f"an answer needs an id of at most {_LONGEST_ID} printable characters"
    for span in (*answer.spans, *answer.suggested):
        if span.end > len(sample.text):
            return f"span {span.start}..{span.end} lies outside the {len(sample.text)} characters of the sample"
        if span.label not in labels:
            return f"span {span.start}..{span.end} has a label that taxonomy {labels.name!r} does not have"
    if len(set(answer.spans)) < len(answer.spans):
        return "the same span twice"
    return ""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of an answer. Only one that is `kept` may be shown as saved.

    stored: it is new and on disk; repeated: the very same was there already; conflict: another answer has its id, or it is
    not the next revision; late: the lease is over and others have the chunk. What is not kept is still in the event log.
    """

    answer: str
    outcome: Literal["stored", "repeated", "conflict", "late"]
    revision: int  # the last that the store has of this person's answers to this sample

    @property
    def kept(self) -> bool:
        """Say whether the answer is in the store."""
        return self.outcome in ("stored", "repeated")


def keep_answer(transaction: Transaction, answer: Answer, now: float, *, wanted: int, imported: bool = False) -> Receipt:
    """Keep an answer. One that is imported needs no place on its chunk and becomes the next revision, whatever it says."""
    chunk = transaction.locked("SELECT number FROM chunks WHERE id = :id", id=answer.sample)
    if chunk is None:
        raise UsageError(f"there is no sample {answer.sample!r} in this campaign")
    row = _row(answer, chunk[0])
    standing = _standing(transaction, row)
    known = transaction.row(f"SELECT {', '.join(_COLUMNS)} FROM answers WHERE id = :id", id=answer.id)
    if known is not None:
        ours, theirs = row, dict(zip(_COLUMNS, known, strict=True))
        if all(ours[name] == theirs[name] for name in _COLUMNS if name != "revision" or not imported):
            return Receipt(answer.id, "repeated", standing.revision)
        return _keep_out(transaction, answer, "conflict", now=now, revision=standing.revision)
    if imported:
        answer = replace(answer, revision=standing.revision + 1)
        row["revision"] = answer.revision
    elif answer.revision != standing.revision + 1:
        return _keep_out(transaction, answer, "conflict", now=now, revision=standing.revision)
    elif answer.decision == "accept" and not (
        standing.state == "accept" or has_place(transaction, chunk[0], answer.annotator, wanted=wanted, now=now)
    ):  # a lease keeps a place, but what the others have counts: the clocks of two servers may differ
        return _keep_out(transaction, answer, "late", now=now, revision=standing.revision)
    _insert(transaction, row, now, standing)
    return Receipt(answer.id, "stored", answer.revision)


def read_answers(
    transaction: Transaction, *, annotator: str | None = None, latest: bool = True, training: bool | None = False
) -> list[Answer]:
    """The answers in the order in which they came: the last revision of each, or all of them."""
    where = ["1 = 1" if training is None else f"c.training = {int(training)}"]
    if annotator is not None:
        where.append("a.annotator = :annotator")
    if latest:
        where.append("a.revision = (SELECT revision FROM work w WHERE w.chunk = a.chunk AND w.annotator = a.annotator)")
    rows = transaction.rows(
        "SELECT a.id, c.id, a.annotator, a.spans, a.decision, a.at, a.revision, a.comment, a.suggested, a.meta, a.guidelines "
        f"FROM answers a JOIN chunks c ON c.number = a.chunk WHERE {' AND '.join(where)} ORDER BY a.number",
        **({"annotator": annotator} if annotator is not None else {}),
    )
    return [_answer(row) for row in rows]


class _Standing(NamedTuple):
    """Where a person stands with a chunk."""

    state: str = ""
    revision: int = -1
    since: float | None = None


def _standing(transaction: Transaction, row: dict[str, Any]) -> _Standing:
    found = transaction.row(
        "SELECT state, revision, since FROM work WHERE chunk = :chunk AND annotator = :annotator",
        chunk=row["chunk"],
        annotator=row["annotator"],
    )
    if found is None and transaction.row("SELECT 1 FROM annotators WHERE id = :id", id=row["annotator"]) is None:
        raise UsageError(f"no annotator {row['annotator']!r} is registered")
    return _Standing(*found) if found else _Standing()


def _insert(transaction: Transaction, row: dict[str, Any], now: float, standing: _Standing) -> None:
    version = transaction.count("SELECT max(version) FROM guidelines")
    transaction.insert("answers", **row, received=now, guidelines=version)
    transaction.run(
        "INSERT INTO work (chunk, annotator, state, since, until, revision) "
        "VALUES (:chunk, :annotator, :state, :since, :since, :revision) "
        "ON CONFLICT (chunk, annotator) DO UPDATE SET state = excluded.state, revision = excluded.revision",
        chunk=row["chunk"],
        annotator=row["annotator"],
        state=row["decision"],
        since=standing.since if standing.since is not None else (row["at"] or now),
        revision=row["revision"],
    )


def _keep_out(
    transaction: Transaction, answer: Answer, outcome: Literal["conflict", "late"], *, now: float, revision: int
) -> Receipt:
    """Log an answer that cannot be kept: what somebody did is never thrown away."""
    log_once(transaction, Event(now, outcome, answer.annotator, answer.id, answer_record(answer)))
    return Receipt(answer.id, outcome, revision)


def _row(answer: Answer, chunk: int) -> dict[str, Any]:
    return {
        "id": answer.id,
        "chunk": chunk,
        "annotator": answer.annotator,
        "revision": answer.revision,
        "decision": answer.decision,
        "at": float(answer.at),
        "spans": pack_spans(sorted(answer.spans)),
        "comment": json_text(answer.comment),
        "suggested": pack_spans(sorted(answer.suggested)),
        "meta": json_text(dict(sorted(answer.meta.items()))),
    }


def _answer(row: Sequence[Any]) -> Answer:
    id, sample, annotator, spans, decision, at, revision, comment, suggested, meta, guidelines = row
    known = {"guidelines": guidelines} if guidelines else {}
    return Answer(
        *(id, sample, annotator, unpack_spans(spans), decision, at, revision, json.loads(comment), unpack_spans(suggested)),
        meta={**json.loads(meta), **known},
    )


def answer_record(answer: Answer) -> dict[str, Any]:
    """An answer as a JSON object, with everything in it."""
    return {
        "id": answer.id,
        "sample": answer.sample,
        "annotator": answer.annotator,
        "revision": answer.revision,
        "decision": answer.decision,
        "at": answer.at,
        "spans": [span_record(span) for span in answer.spans],
        "comment": answer.comment,
        "suggested": [span_record(span) for span in answer.suggested],
        "meta": dict(answer.meta),
    }
