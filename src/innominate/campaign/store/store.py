"""The store as the rest of the program sees it. Every method is one transaction; time is passed in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Concatenate, ParamSpec, Self, TypeVar

from innominate.campaign.planning.assign import shuffle_numbers
from innominate.campaign.planning.config import Campaign
from innominate.campaign.planning.notes import CampaignNote
from innominate.campaign.records import Annotator, Answer, Sample
from innominate.campaign.store import leases, tables
from innominate.campaign.store.answers import Receipt, find_problem, keep_answer, read_answers
from innominate.campaign.store.database import Database, Transaction, is_there, migrate, missing_migrations
from innominate.campaign.store.drivers import StoreAddress, make_file
from innominate.campaign.store.summary import Summary, count_work
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
        if address.is_sqlite:
            _remove(address.path)
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


class Store:
    """A campaign: what was asked, and everything that anybody did. Safe to use from many threads and processes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._orders: dict[tuple[int, str, int], leases.Order] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """Where the store is, without user and password."""
        return self._database.address.name

    def close(self) -> None:
        """Close the connections; what was saved is on disk already."""
        self._database.close()

    def campaign(self) -> Campaign:
        """The choices that hold now."""
        return self._read(tables.read_campaign)

    def change(self, campaign: Campaign, now: float) -> bool:
        """Change the choices from now on, and say whether anything is new. How notes are cut cannot change."""
        return self._write(tables.change_campaign, campaign, now)

    def guidelines(self) -> list[tables.Guidelines]:
        """All versions of the guidelines, oldest first."""
        return self._read(tables.read_guidelines)

    def put_guidelines(self, text: str, now: float) -> bool:
        """Keep the guidelines, as a new version if the text is new."""
        return self._write(tables.put_guidelines, text, now)

    def register(self, people: Iterable[Annotator], now: float) -> int:
        """Add annotators, or change what is known of them, and return how many were new or changed."""
        return self._write(tables.register_people, people, now)

    def annotators(self) -> list[Annotator]:
        """Everybody who is registered, by id."""
        return self._read(tables.read_annotators)

    def annotator(self, id: str) -> Annotator:
        """One person of the registration."""
        return self._read(tables.read_annotator, id)

    def add_notes(self, notes: Iterable[CampaignNote], now: float) -> int:
        """Add notes with their chunks, all or none, and return how many were new."""
        return self._write(tables.add_notes, notes, now)

    def notes(self) -> list[CampaignNote]:
        """All notes, each with the way back from its samples to the original."""
        return self._read(tables.read_notes)

    def samples(self, *, training: bool | None = False) -> list[Sample]:
        """The samples of the campaign, those for training, or (None) both."""
        return self._read(tables.read_samples, training=training)

    def lease(self, annotator: str, now: float) -> leases.LentTask | None:
        """Lend the next task to a person, or the one they hold; None if nothing is left for them."""
        while True:
            with self._database.transaction() as transaction:
                person, campaign = tables.read_annotator(transaction, annotator), tables.read_campaign(transaction)
                order = self._order(transaction, campaign, person)
                found = leases.Lender(transaction, campaign, person, now).lend_next(order)
            if isinstance(found, leases.LentTask):
                return found
            if found is leases.NoTask.NOTHING_LEFT:
                return None

    def renew(self, annotator: str, sample: str, now: float) -> bool:
        """Lend a sample for longer to who is still at it, and say whether they still hold it."""
        with self._database.transaction() as transaction:
            row = transaction.row("SELECT number FROM chunks WHERE id = :id", id=sample)
            person, campaign = tables.read_annotator(transaction, annotator), tables.read_campaign(transaction)
            return row is not None and leases.Lender(transaction, campaign, person, now).renew(row[0])

    def answer(self, answer: Answer, now: float) -> Receipt:
        """Keep an answer. When this returns a receipt that says so, the answer is on disk."""
        with self._database.transaction() as transaction:
            campaign = tables.read_campaign(transaction)
            sample = tables.read_sample(transaction, answer.sample)
            if reason := find_problem(answer, sample, taxonomy(campaign.taxonomy)):
                raise UsageError(f"answer {answer.id!r} cannot be kept: {reason}")
            return keep_answer(transaction, answer, now, wanted=campaign.annotators_per_chunk)

    def import_answers(self, given: Sequence[Answer], now: float) -> list[Receipt]:
        """Keep answers that were given elsewhere, without leases; they must have been checked."""
        receipts: list[Receipt] = []
        for start in range(0, len(given), _IMPORTED_AT_ONCE):
            with self._database.transaction() as transaction:
                receipts += [
                    keep_answer(transaction, answer, now, wanted=0, imported=True)
                    for answer in given[start : start + _IMPORTED_AT_ONCE]
                ]
        return receipts

    def answers(self, *, annotator: str | None = None, latest: bool = True, training: bool | None = False) -> list[Answer]:
        """The last revision of every answer, or all revisions, of everybody or of one person, in the order they came."""
        return self._read(read_answers, annotator=annotator, latest=latest, training=training)

    def suggest(self, given: Iterable[tables.Suggestion]) -> None:
        """Keep suggestions, which people see when they are lent the task."""
        self._write(tables.put_suggestions, given)

    def suggestions(self) -> list[tables.Suggestion]:
        """All suggestions."""
        return self._read(tables.read_suggestions)

    def summary(self, now: float) -> Summary:
        """Numbers about people and chunks."""
        return self._read(count_work, now)

    def gammas(self) -> dict[str, str]:
        """What an analysis has worked out before, by its name."""
        with self._database.transaction(write=False) as transaction:
            return {str(name): str(data) for name, data in transaction.rows("SELECT name, data FROM gammas")}

    def keep_gammas(self, found: Mapping[str, str]) -> None:
        """Remember more. Of two processes that worked out the same the first is remembered: their values are equal."""
        rows = [{"name": name, "data": data} for name, data in found.items()]
        with self._database.transaction() as transaction:
            transaction.insert_many("gammas", rows, " ON CONFLICT (name) DO NOTHING")

    def log(self, event: tables.Event) -> None:
        """Append to the log."""
        self._write(tables.log_event, event)

    def events(self) -> list[tables.Event]:
        """Everything that happened besides answers, oldest first."""
        return self._read(tables.read_events)

    def _read(self, step: Callable[Concatenate[Transaction, P], T], *args: P.args, **more: P.kwargs) -> T:
        with self._database.transaction(write=False) as transaction:
            return step(transaction, *args, **more)

    def _write(self, step: Callable[Concatenate[Transaction, P], T], *args: P.args, **more: P.kwargs) -> T:
        with self._database.transaction() as transaction:
            return step(transaction, *args, **more)

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


def _remove(path: Path) -> None:
    """Take away a store that was only begun, so that the same can be tried again."""
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
