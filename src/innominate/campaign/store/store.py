"""The store as the rest of the program sees it. Every method is one transaction; time is passed in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, Self, TypeVar

from innominate.campaign.planning.config import Campaign
from innominate.campaign.planning.notes import CampaignNote
from innominate.campaign.records import Annotator, Answer
from innominate.campaign.store import leases, tables
from innominate.campaign.store.answers import Receipt, find_problem, keep_answer, read_answers
from innominate.campaign.store.database import Database, Transaction, is_there, migrate, missing_migrations
from innominate.campaign.store.drivers import StoreAddress, make_file
from innominate.campaign.store.leases import shuffle_numbers
from innominate.campaign.store.status import count_work
from innominate.core import UsageError
from innominate.labels import taxonomy

P = ParamSpec("P")
T = TypeVar("T")
_IMPORTED_AT_ONCE = 500  # answers in one transaction of an import, so that annotators at work wait little


def create_store(
    where: str | Path,
    campaign: Campaign,
    now: float,
    *,
    annotators: Iterable[Annotator] = (),
    notes: Iterable[CampaignNote] = (),
    guidelines: str = "",
) -> Store:
    """Make a new store, all of it or nothing. One that is there already is never overwritten."""
    address = StoreAddress.of(where)
    if address.is_sqlite:
        make_file(address.path)
    database = Database(address)
    try:
        with database.transaction() as transaction:
            transaction.alone()
            if is_there(transaction):
                raise UsageError(f"{address.name} holds a campaign already; choose another database, or: campaign update")
            migrate(transaction, now)
            tables.put_campaign(transaction, campaign, now)
            tables.log_event(transaction, tables.Event(now, "created", subject=campaign.name))
            tables.register_people(transaction, annotators, now)
            if guidelines:
                tables.put_guidelines(transaction, guidelines, now)
            tables.add_notes(transaction, notes, now)
    except BaseException:
        for suffix in ("", "-wal", "-shm") if address.is_sqlite else ():  # so that the same can be tried again
            address.path.with_name(address.path.name + suffix).unlink(missing_ok=True)
        raise
    return Store(database)


def open_store(where: str | Path, now: float) -> Store:
    """Open a store and bring its schema up to date."""
    address = StoreAddress.of(where)
    if address.is_sqlite and not address.path.is_file():
        raise UsageError(f"{address.name}: there is no such store; make one with: innominate campaign new")
    database = Database(address)
    with database.transaction(write=False) as transaction:
        if not is_there(transaction):
            raise UsageError(f"{address.name} holds no campaign; make one with: innominate campaign new")
        old = missing_migrations(transaction)
    if old:
        with database.transaction() as transaction:
            migrate(transaction, now)
    return Store(database)


def _step(step: Callable[Concatenate[Transaction, P], T], *, write: bool = False) -> Callable[Concatenate[Store, P], T]:
    """A method of the store that is a step in a transaction of its own."""

    @wraps(step)
    def method(store: Store, /, *args: P.args, **more: P.kwargs) -> T:
        with store.database.transaction(write=write) as transaction:
            return step(transaction, *args, **more)

    return method


class Store:
    """A campaign: what was asked, and everything that anybody did. Safe to use from many threads and processes."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._orders: dict[tuple[int, str, int], leases.Order] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """Where the store is, without user and password."""
        return self.database.address.name

    def close(self) -> None:
        """Close the connections; what was saved is on disk already."""
        self.database.close()

    campaign = _step(tables.read_campaign)
    change = _step(tables.change_campaign, write=True)
    guidelines = _step(tables.read_guidelines)
    put_guidelines = _step(tables.put_guidelines, write=True)
    register = _step(tables.register_people, write=True)
    annotators = _step(tables.read_annotators)
    annotator = _step(tables.read_annotator)
    add_notes = _step(tables.add_notes, write=True)
    notes = _step(tables.read_notes)
    samples = _step(tables.read_samples)
    answers = _step(read_answers)
    suggest = _step(tables.put_suggestions, write=True)
    suggestions = _step(tables.read_suggestions)
    summary = _step(count_work)
    gammas = _step(tables.read_gammas)
    keep_gammas = _step(tables.put_gammas, write=True)
    log = _step(tables.log_event, write=True)
    events = _step(tables.read_events)

    def lease(self, annotator: str, now: float) -> leases.LentTask | None:
        """Lend the next task to a person, or the one they hold; None if nothing is left for them."""
        while True:
            with self.database.transaction() as transaction:
                person, campaign = tables.read_annotator(transaction, annotator), tables.read_campaign(transaction)
                order = self._order(transaction, campaign, person)
                found = leases.Lender(transaction, campaign, person, now).lend_next(order)
            if isinstance(found, leases.LentTask):
                return found
            if found is leases.NoTask.NOTHING_LEFT:
                return None

    def renew(self, annotator: str, sample: str, now: float) -> bool:
        """Lend a sample for longer to who is still at it, and say whether they still hold it."""
        with self.database.transaction() as transaction:
            row = transaction.row("SELECT number FROM chunks WHERE id = :id", id=sample)
            person, campaign = tables.read_annotator(transaction, annotator), tables.read_campaign(transaction)
            return row is not None and leases.Lender(transaction, campaign, person, now).renew(row[0])

    def answer(self, answer: Answer, now: float) -> Receipt:
        """Keep an answer. When this returns a receipt that says so, the answer is on disk."""
        with self.database.transaction() as transaction:
            campaign = tables.read_campaign(transaction)
            sample = tables.read_sample(transaction, answer.sample)
            if reason := find_problem(answer, sample, taxonomy(campaign.taxonomy)):
                raise UsageError(f"answer {answer.id!r} cannot be kept: {reason}")
            return keep_answer(transaction, answer, now, wanted=campaign.annotators_per_chunk)

    def import_answers(self, given: Sequence[Answer], now: float) -> list[Receipt]:
        """Keep answers that were given elsewhere, without leases; they must have been checked."""
        receipts: list[Receipt] = []
        for start in range(0, len(given), _IMPORTED_AT_ONCE):
            with self.database.transaction() as transaction:
                receipts += [
                    keep_answer(transaction, answer, now, wanted=0, imported=True)
                    for answer in given[start : start + _IMPORTED_AT_ONCE]
                ]
        return receipts

    def _order(self, transaction: Transaction, campaign: Campaign, person: Annotator) -> leases.Order:
        """Training in the order of the notes, then the person's own order, worked out again if chunks were added."""
        last = transaction.count("SELECT max(number) FROM chunks")
        key = (campaign.seed, campaign.order_key(person), last)
        if key not in self._orders:
            rows = transaction.rows("SELECT number, training FROM chunks ORDER BY number")
            work = [number for number, training in rows if not training]
            order = shuffle_numbers(work, campaign.seed, campaign.order_key(person))
            self._orders[key] = leases.Order([number for number, training in rows if training], order)
        return self._orders[key]
