"""Chunks that people are at: each is lent for a while, to exactly as many people as the campaign wants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from innominate.campaign.planning.assign import Candidate, best, nearness
from innominate.campaign.planning.config import Campaign
from innominate.campaign.records import Annotator, Sample
from innominate.campaign.store.database import Transaction
from innominate.campaign.store.events import Event, log
from innominate.campaign.store.samples import sample_numbered
from innominate.campaign.store.suggestions import suggested_to
from innominate.core import Span

_FIRST_LOOK = 200  # chunks looked at in one query; twice as many each time
_WIDEST_LOOK = 25_600

# People other than this one who have done a chunk or are at it. An expired lease counts for nothing.
_TAKEN = """(SELECT count(*) FROM work w WHERE w.chunk = c.number AND w.annotator <> :annotator
 AND (w.state = 'accept' OR (w.state = 'leased' AND w.until > :now)))"""


class Order(NamedTuple):
    """The chunks as one person meets them."""

    training: Sequence[int]
    work: Sequence[int]


class Outcome(Enum):
    """Why there is no task."""

    NOTHING_LEFT = "nothing left"
    TAKEN = "taken by somebody else meanwhile"  # ask again


@dataclass(frozen=True, slots=True)
class Task:
    """A sample that is lent to a person until a time, with what is suggested on it."""

    sample: Sample
    annotator: str
    until: float
    suggested: tuple[Span, ...] = ()


def attempt(transaction: Transaction, person: Annotator, order: Order, campaign: Campaign, now: float) -> Task | Outcome:
    """Lend the next chunk of a person's order, or the one that they hold already."""
    transaction.locked("SELECT id FROM annotators WHERE id = :id", id=person.id)  # two windows of one person wait here
    held = transaction.row(
        "SELECT chunk FROM work WHERE annotator = :annotator AND state = 'leased' AND until > :now ORDER BY since LIMIT 1",
        annotator=person.id,
        now=now,
    )
    if held is not None and (until := renew(transaction, held[0], person.id, campaign, now)):
        return _task(transaction, held[0], person, until)
    number = _next(transaction, person, order, campaign, now)
    if number is None:
        return Outcome.NOTHING_LEFT
    if not has_place(transaction, number, person.id, campaign.annotators_per_chunk, now):
        return Outcome.TAKEN
    return _task(transaction, number, person, _lend(transaction, number, person.id, campaign, now))


def has_place(transaction: Transaction, number: int, annotator: str, wanted: int, now: float) -> bool:
    """Say whether one more person may do a chunk, and keep others from asking until the transaction ends."""
    transaction.locked("SELECT number FROM chunks WHERE number = :number", number=number)
    row = transaction.row(
        f"SELECT c.training, {_TAKEN} FROM chunks c WHERE c.number = :number", number=number, annotator=annotator, now=now
    )
    return row is not None and (bool(row[0]) or wanted == 0 or row[1] < wanted)


def renew(transaction: Transaction, number: int, annotator: str, campaign: Campaign, now: float) -> float:
    """Lend a chunk for longer to who holds it, and say until when; 0 if they do not, or if others took their place."""
    place = has_place(transaction, number, annotator, campaign.annotators_per_chunk, now)
    held = transaction.row(
        "SELECT 1 FROM work WHERE chunk = :chunk AND annotator = :annotator AND state = 'leased' AND until > :now",
        chunk=number,
        annotator=annotator,
        now=now,
    )
    if held is None or not place:
        return 0.0
    until = _until(campaign, now)
    transaction.run(
        "UPDATE work SET until = :until WHERE chunk = :chunk AND annotator = :annotator",
        chunk=number,
        annotator=annotator,
        until=until,
    )
    return until


def _lend(transaction: Transaction, number: int, annotator: str, campaign: Campaign, now: float) -> float:
    until = _until(campaign, now)
    transaction.run(
        "INSERT INTO work (chunk, annotator, state, since, until, revision) "
        "VALUES (:chunk, :annotator, 'leased', :now, :until, -1) "
        "ON CONFLICT (chunk, annotator) DO UPDATE SET since = excluded.since, until = excluded.until",
        chunk=number,
        annotator=annotator,
        now=now,
        until=until,
    )
    log(transaction, Event(now, "leased", annotator, sample_numbered(transaction, number).id, {"until": until}))
    return until


def _until(campaign: Campaign, now: float) -> float:
    return now + campaign.lease_minutes * 60


def _task(transaction: Transaction, number: int, person: Annotator, until: float) -> Task:
    return Task(sample_numbered(transaction, number), person.id, until, suggested_to(transaction, number, person))


def _next(transaction: Transaction, person: Annotator, order: Order, campaign: Campaign, now: float) -> int | None:
    """The number of the next chunk: of the training until it is done, then of the work."""
    rows = transaction.rows("SELECT chunk FROM work WHERE annotator = :id AND state <> 'leased'", id=person.id)
    done = {row[0] for row in rows}
    for number in order.training:
        if number not in done:
            return number
    chosen = _choose(transaction, person, [number for number in order.work if number not in done], campaign, now)
    return chosen.number if chosen else None


def _choose(
    transaction: Transaction, person: Annotator, todo: Sequence[int], campaign: Campaign, now: float
) -> Candidate | None:
    """The best chunk among the first that are open; those of documents seen lately only if there is nothing else."""
    recent = _recent(transaction, person.id, campaign.apart)
    fallbacks: list[Candidate] = []
    for batch in _open(transaction, person, todo, campaign.annotators_per_chunk, now):
        found = best(batch, recent, finish_started=campaign.finish_started)
        if found is not None and nearness(found, recent) == 0:
            return found
        fallbacks += [found] if found else []
    return best(fallbacks, recent, finish_started=campaign.finish_started)


def _open(
    transaction: Transaction, person: Annotator, todo: Sequence[int], wanted: int, now: float
) -> Iterator[list[Candidate]]:
    """Chunks that still want this person, in the person's order, more of them each time."""
    start, size = 0, _FIRST_LOOK
    while start < len(todo):
        batch = todo[start : start + size]
        start, size = start + size, min(size * 2, _WIDEST_LOOK)
        found = transaction.rows(
            f"SELECT c.number, c.document, c.position, {_TAKEN} FROM chunks c "
            f"WHERE c.number IN ({', '.join(map(str, batch))})",
            annotator=person.id,
            now=now,
        )
        candidates = {row[0]: Candidate(*row) for row in found}
        yield [candidates[number] for number in batch if wanted == 0 or candidates[number].taken < wanted]


def _recent(transaction: Transaction, annotator: str, count: int) -> list[Candidate]:
    rows = transaction.rows(
        "SELECT c.number, c.document, c.position FROM work w JOIN chunks c ON c.number = w.chunk "
        "WHERE w.annotator = :annotator ORDER BY w.since DESC, c.number DESC LIMIT :count",
        annotator=annotator,
        count=count,
    )
    return [Candidate(number, document, position, 0) for number, document, position in rows]
