"""Chunks that people are at: each is lent for a while, to exactly as many people as the campaign wants.

Who sees which chunk next: an order of one's own, neighbours of a document apart, what others began first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from hashlib import blake2b
from typing import NamedTuple

from innominate.campaign.planning.config import Campaign
from innominate.campaign.records import Annotator, Sample
from innominate.campaign.store.database import Transaction
from innominate.campaign.store.tables import Event, log_event, read_sample_numbered, spans_suggested_to
from innominate.core import Span

_FIRST_LOOK = 200  # chunks looked at in one query; twice as many each time
_WIDEST_LOOK = 25_600
# People other than this one who have done a chunk or are at it. An expired lease counts for nothing.
_TAKEN = """(SELECT count(*) FROM work w WHERE w.chunk = c.number AND w.annotator <> :annotator
 AND (w.state = 'accept' OR (w.state = 'leased' AND w.until > :now)))"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that still wants annotators. `position` is its place among the chunks of its document."""

    number: int
    document: int
    position: int
    taken: int  # how many people have done it, or are at it


def shuffle_numbers(numbers: Iterable[int], seed: int, key: str) -> list[int]:
    """An order that depends on the seed and the key alone, so that chunks added later do not disturb it.

    >>> shuffle_numbers(range(6), 7, "annotator eva"), shuffle_numbers(range(6), 7, "annotator ola")
    ([5, 2, 3, 1, 0, 4], [1, 3, 5, 2, 0, 4])
    """
    start = blake2b(f"{seed}\0{key}\0".encode(), digest_size=16)

    def place(number: int) -> bytes:
        digest = start.copy()
        digest.update(str(number).encode())
        return digest.digest()

    return sorted(numbers, key=place)


def nearness(candidate: Candidate, recent: Sequence[Candidate]) -> int:
    """0: a document that was not shown lately; 1: one that was, but elsewhere; 2: right beside what was shown.

    >>> here = Candidate(4, 1, 3, 0)
    >>> [nearness(here, [shown]) for shown in (Candidate(9, 2, 3, 1), Candidate(2, 1, 1, 1), Candidate(3, 1, 2, 1))]
    [0, 1, 2]
    """
    places = [shown.position for shown in recent if shown.document == candidate.document]
    if not places:
        return 0
    return 2 if any(abs(place - candidate.position) <= 1 for place in places) else 1


def choose_candidate(
    candidates: Iterable[Candidate], recent: Sequence[Candidate], *, finish_started: bool
) -> Candidate | None:
    """The chunk to show next, from candidates in the person's own order."""

    def rank(candidate: Candidate) -> tuple[int, int]:
        return nearness(candidate, recent), -candidate.taken if finish_started else 0

    return min(candidates, key=rank, default=None)


class Order(NamedTuple):
    """The chunks as one person meets them."""

    training: Sequence[int]
    work: Sequence[int]


class NoTask(Enum):
    """Why there is no task."""

    NOTHING_LEFT = "nothing left"
    TAKEN = "taken by somebody else meanwhile"  # ask again


@dataclass(frozen=True, slots=True)
class LentTask:
    """A sample that is lent to a person until a time, with what is suggested on it."""

    sample: Sample
    annotator: str
    until: float
    suggested: tuple[Span, ...] = ()


def has_place(transaction: Transaction, number: int, annotator: str, *, wanted: int, now: float) -> bool:
    """Say whether one more person may do a chunk, and keep others from asking until the transaction ends."""
    transaction.locked("SELECT number FROM chunks WHERE number = :number", number=number)
    row = transaction.row(
        f"SELECT c.training, {_TAKEN} FROM chunks c WHERE c.number = :number", number=number, annotator=annotator, now=now
    )
    return row is not None and (bool(row[0]) or wanted == 0 or row[1] < wanted)


@dataclass(frozen=True, slots=True)
class Lender:
    """Lends chunks to one person at one moment."""

    transaction: Transaction
    campaign: Campaign
    person: Annotator
    now: float

    def lend_next(self, order: Order) -> LentTask | NoTask:
        """Lend the next chunk of the person's order, or the one that they hold already."""
        self.transaction.locked("SELECT id FROM annotators WHERE id = :id", id=self.person.id)  # two windows wait here
        held = self.transaction.row(
            "SELECT chunk FROM work WHERE annotator = :annotator AND state = 'leased' AND until > :now ORDER BY since LIMIT 1",
            annotator=self.person.id,
            now=self.now,
        )
        if held is not None and self.renew(held[0]):
            return self._task(held[0])
        number = self._next(order)
        if number is None:
            return NoTask.NOTHING_LEFT
        if not self._has_place(number):
            return NoTask.TAKEN
        self._lend(number)
        return self._task(number)

    def renew(self, number: int) -> bool:
        """Lend a chunk for longer, and say whether that was possible: not if they lost it, or if others took their place."""
        place = self._has_place(number)
        held = self.transaction.row(
            "SELECT 1 FROM work WHERE chunk = :chunk AND annotator = :annotator AND state = 'leased' AND until > :now",
            chunk=number,
            annotator=self.person.id,
            now=self.now,
        )
        if held is None or not place:
            return False
        self.transaction.run(
            "UPDATE work SET until = :until WHERE chunk = :chunk AND annotator = :annotator",
            chunk=number,
            annotator=self.person.id,
            until=self._until,
        )
        return True

    @property
    def _until(self) -> float:
        return self.now + self.campaign.lease_minutes * 60

    def _has_place(self, number: int) -> bool:
        wanted = self.campaign.annotators_per_chunk
        return has_place(self.transaction, number, self.person.id, wanted=wanted, now=self.now)

    def _lend(self, number: int) -> None:
        self.transaction.run(
            "INSERT INTO work (chunk, annotator, state, since, until, revision) "
            "VALUES (:chunk, :annotator, 'leased', :now, :until, -1) "
            "ON CONFLICT (chunk, annotator) DO UPDATE SET since = excluded.since, until = excluded.until",
            chunk=number,
            annotator=self.person.id,
            now=self.now,
            until=self._until,
        )
        sample = read_sample_numbered(self.transaction, number)
        log_event(self.transaction, Event(self.now, "leased", self.person.id, sample.id, {"until": self._until}))

    def _task(self, number: int) -> LentTask:
        sample = read_sample_numbered(self.transaction, number)
        return LentTask(sample, self.person.id, self._until, spans_suggested_to(self.transaction, number, self.person))

    def _next(self, order: Order) -> int | None:
        """The number of the next chunk: of the training until it is done, then of the work."""
        rows = self.transaction.rows("SELECT chunk FROM work WHERE annotator = :id AND state <> 'leased'", id=self.person.id)
        done = {row[0] for row in rows}
        for number in order.training:
            if number not in done:
                return number
        chosen = self._choose([number for number in order.work if number not in done])
        return chosen.number if chosen else None

    def _choose(self, todo: Sequence[int]) -> Candidate | None:
        """The best chunk among the first that are open; those of documents seen lately only if there is nothing else."""
        recent, finish_started = self._recent(), self.campaign.finish_started
        fallbacks: list[Candidate] = []
        for batch in self._open(todo):
            found = choose_candidate(batch, recent, finish_started=finish_started)
            if found is not None and nearness(found, recent) == 0:
                return found
            fallbacks += [found] if found else []
        return choose_candidate(fallbacks, recent, finish_started=finish_started)

    def _open(self, todo: Sequence[int]) -> Iterator[list[Candidate]]:
        """Chunks that still want this person, in the person's order, more of them each time."""
        start, size, wanted = 0, _FIRST_LOOK, self.campaign.annotators_per_chunk
        while start < len(todo):
            batch = todo[start : start + size]
            start, size = start + size, min(size * 2, _WIDEST_LOOK)
            found = self.transaction.rows(
                f"SELECT c.number, c.document, c.position, {_TAKEN} FROM chunks c "
                f"WHERE c.number IN ({', '.join(map(str, batch))})",
                annotator=self.person.id,
                now=self.now,
            )
            candidates = {row[0]: Candidate(*row) for row in found}
            yield [candidates[number] for number in batch if wanted == 0 or candidates[number].taken < wanted]

    def _recent(self) -> list[Candidate]:
        rows = self.transaction.rows(
            "SELECT c.number, c.document, c.position FROM work w JOIN chunks c ON c.number = w.chunk "
            "WHERE w.annotator = :annotator ORDER BY w.since DESC, c.number DESC LIMIT :count",
            annotator=self.person.id,
            count=self.campaign.apart,
        )
        return [Candidate(number, document, position, 0) for number, document, position in rows]
