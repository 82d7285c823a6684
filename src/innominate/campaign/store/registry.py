"""The choices of a campaign, its guidelines and its annotators, each with all their versions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field

from innominate.campaign.planning.config import Campaign, campaign_from
from innominate.campaign.records import Annotator
from innominate.campaign.store.database import Transaction
from innominate.campaign.store.events import Event, log
from innominate.campaign.store.packing import packed, unpacked
from innominate.core import UsageError


@dataclass(frozen=True, slots=True)
class Guidelines:
    """One version of the guidelines, in markdown."""

    version: int
    at: float
    text: str = field(repr=False)


def put_campaign(transaction: Transaction, campaign: Campaign, now: float) -> bool:
    """Keep the choices if they are new, and say whether they are."""
    if _latest(transaction) == packed(campaign.as_json()):
        return False
    transaction.run("INSERT INTO settings (at, data) VALUES (:at, :data)", at=now, data=packed(campaign.as_json()))
    return True


def change_campaign(transaction: Transaction, changed: Campaign, now: float) -> bool:
    """Keep other choices from now on, and say whether anything is new. How notes are cut cannot change."""
    before, after = campaign(transaction).as_json(), changed.as_json()
    for fixed in ("taxonomy", "seed", "cleaners", "target_characters", "most_characters"):
        if before[fixed] != after[fixed]:
            raise UsageError(f"{fixed} cannot change once a campaign has begun; make a new one")
    return put_campaign(transaction, changed, now)


def campaign(transaction: Transaction) -> Campaign:
    """The choices that hold now."""
    data = _latest(transaction)
    if data is None:
        raise UsageError("this store holds no campaign yet; make one with: innominate campaign new")
    return campaign_from(unpacked(data))


def put_guidelines(transaction: Transaction, text: str, now: float) -> bool:
    """Keep the guidelines as a new version if their text is new."""
    versions = guidelines(transaction)
    if versions and versions[-1].text == text:
        return False
    transaction.run(
        "INSERT INTO guidelines (version, at, text) VALUES (:version, :at, :text)",
        version=len(versions) + 1,
        at=now,
        text=packed(text),
    )
    return True


def guidelines(transaction: Transaction) -> list[Guidelines]:
    """All versions, oldest first."""
    rows = transaction.rows("SELECT version, at, text FROM guidelines ORDER BY version")
    return [Guidelines(version, at, unpacked(text)) for version, at, text in rows]


def guidelines_version(transaction: Transaction) -> int:
    """The number of the version that holds now; 0 if there is none."""
    row = transaction.row("SELECT max(version) FROM guidelines")
    return int(row[0]) if row and row[0] else 0


def register(transaction: Transaction, people: Iterable[Annotator], now: float) -> int:
    """Add people, or change what is known of them, and return how many were new or changed. Nobody is ever removed."""
    known = {person.id: person for person in annotators(transaction)}
    changed = [person for person in people if known.get(person.id) != person]
    for person in changed:
        transaction.run(
            "INSERT INTO annotators (id, team, data) VALUES (:id, :team, :data) "
            "ON CONFLICT (id) DO UPDATE SET team = excluded.team, data = excluded.data",
            id=person.id,
            team=person.team,
            data=packed(asdict(person)),
        )
        log(transaction, Event(now, "registered", person.id, person.id, asdict(person)))
    return len(changed)


def annotators(transaction: Transaction) -> list[Annotator]:
    """Everybody who is registered, by id."""
    return [_annotator(row[0]) for row in transaction.rows("SELECT data FROM annotators ORDER BY id")]


def annotator(transaction: Transaction, id: str) -> Annotator:
    """One person of the registration."""
    row = transaction.row("SELECT data FROM annotators WHERE id = :id", id=id)
    if row is None:
        raise UsageError(f"no annotator {id!r} is registered")
    return _annotator(row[0])


def _annotator(data: str) -> Annotator:
    record = unpacked(data)
    return Annotator(**{**record, "also": tuple(record.get("also", ()))})


def _latest(transaction: Transaction) -> str | None:
    row = transaction.row("SELECT data FROM settings ORDER BY version DESC LIMIT 1")
    return str(row[0]) if row else None
