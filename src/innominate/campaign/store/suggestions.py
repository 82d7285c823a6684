"""What people are shown to begin with: suggestions per chunk for one annotator or one team, written once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from innominate.campaign.records import Annotator
from innominate.campaign.store.database import Transaction
from innominate.campaign.store.packing import pack_spans, packed, unpack_spans, unpacked
from innominate.core import Span, UsageError


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Spans for a sample. `log` says of every suggestion what became of it (kept, dropped, perturbed)."""

    sample: str
    audience: str  # the id of an annotator, or "team NAME"
    spans: tuple[Span, ...]
    log: Any = None


def put_suggestions(transaction: Transaction, suggestions: Iterable[Suggestion]) -> None:
    """Keep suggestions. What was suggested is never changed: it may have been shown."""
    numbers = {str(id): number for id, number in transaction.rows("SELECT id, number FROM chunks")}
    there = {tuple(row) for row in transaction.rows("SELECT chunk, audience FROM suggestions")}
    rows = []
    for one in suggestions:
        if one.sample not in numbers:
            raise UsageError(f"there is no sample {one.sample!r} in this campaign")
        if (numbers[one.sample], one.audience) in there:
            raise UsageError(f"sample {one.sample!r} has suggestions for {one.audience!r} already; they are never changed")
        rows.append(
            {
                "chunk": numbers[one.sample],
                "audience": one.audience,
                "spans": pack_spans(one.spans),
                "data": packed(one.log),
            }
        )
    transaction.run_many(
        "INSERT INTO suggestions (chunk, audience, spans, data) VALUES (:chunk, :audience, :spans, :data)", rows
    )


def suggestions(transaction: Transaction) -> list[Suggestion]:
    """All suggestions."""
    rows = transaction.rows(
        "SELECT c.id, s.audience, s.spans, s.data FROM suggestions s JOIN chunks c ON c.number = s.chunk "
        "ORDER BY s.chunk, s.audience"
    )
    return [Suggestion(id, audience, unpack_spans(spans), unpacked(data)) for id, audience, spans, data in rows]


def suggested_to(transaction: Transaction, chunk: int, person: Annotator) -> tuple[Span, ...]:
    """What a person is shown on a chunk: their own suggestions before those of their team."""
    rows = transaction.rows(
        "SELECT audience, spans FROM suggestions WHERE chunk = :chunk AND audience IN (:id, :team)",
        chunk=chunk,
        id=person.id,
        team=f"team {person.team}",
    )
    found = {str(row[0]): str(row[1]) for row in rows}
    spans = found.get(person.id) or found.get(f"team {person.team}")
    return unpack_spans(spans) if spans else ()
