"""The log of everything that happened besides answers. It only grows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from innominate.campaign.store.database import Transaction
from innominate.campaign.store.packing import packed, unpacked


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: when, what, by whom, to what."""

    at: float
    kind: str
    annotator: str = ""
    subject: str = ""
    data: Any = field(default=None, repr=False)  # may hold a refused answer, with its comment


def log(transaction: Transaction, event: Event) -> None:
    """Append an event."""
    transaction.run(
        "INSERT INTO events (at, kind, annotator, subject, data) VALUES (:at, :kind, :annotator, :subject, :data)",
        at=event.at,
        kind=event.kind,
        annotator=event.annotator,
        subject=event.subject,
        data=packed(event.data),
    )


def log_once(transaction: Transaction, event: Event) -> None:
    """Append an event unless the very same is there, as when a client repeats what was refused."""
    found = transaction.row(
        "SELECT 1 FROM events WHERE subject = :subject AND kind = :kind AND data = :data",
        subject=event.subject,
        kind=event.kind,
        data=packed(event.data),
    )
    if found is None:
        log(transaction, event)


def events(transaction: Transaction) -> list[Event]:
    """All events, oldest first."""
    rows = transaction.rows("SELECT at, kind, annotator, subject, data FROM events ORDER BY number")
    return [Event(at, kind, annotator, subject, unpacked(data)) for at, kind, annotator, subject, data in rows]
