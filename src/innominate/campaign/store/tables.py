"""What the tables of a store hold besides answers: choices, guidelines and people with all their versions, notes with their
chunks, suggestions, and the log of everything that happened, which only grows.

Values are kept as one line of JSON, which every database can hold.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from innominate.campaign.planning.config import Campaign, campaign_from
from innominate.campaign.planning.notes import CampaignNote
from innominate.campaign.records import Annotator, Sample
from innominate.campaign.store.database import Transaction
from innominate.core import Document, OffsetMap, Span, UsageError
from innominate.core.edits import Change
from innominate.formats.json_values import json_text, span_record, spans_from

_SELECT_SAMPLE = """SELECT c.id, d.id, c.view_start, c.view_end, c.text, c.patient, c.unit, c.training
FROM chunks c JOIN documents d ON d.number = c.document"""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: when, what, by whom, to what."""

    at: float
    kind: str
    annotator: str = ""
    subject: str = ""
    data: Any = field(default=None, repr=False)  # may hold a refused answer, with its comment


@dataclass(frozen=True, slots=True)
class Guidelines:
    """One version of the guidelines, in markdown."""

    version: int
    at: float
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Spans that people are shown to begin with. `log` says of each what became of it (kept, dropped, perturbed)."""

    sample: str
    audience: str  # the id of an annotator, or "team NAME"
    spans: tuple[Span, ...]
    log: Any = None


def pack_spans(spans: Iterable[Span]) -> str:
    """Write spans with what differs from the default.

    >>> unpack_spans(pack_spans([Span(0, 3, "NAME", source="rules")]))[0].source
    'rules'
    """
    return json_text([span_record(span) for span in spans])


def unpack_spans(text: str) -> tuple[Span, ...]:
    """Read what `pack_spans` wrote."""
    return tuple(spans_from(json.loads(text)))


def log_event(transaction: Transaction, event: Event) -> None:
    """Append an event."""
    transaction.insert(
        "events",
        at=event.at,
        kind=event.kind,
        annotator=event.annotator,
        subject=event.subject,
        data=json_text(event.data),
    )


def log_once(transaction: Transaction, event: Event) -> None:
    """Append an event unless the very same is there, as when a client repeats what was refused."""
    same = "SELECT 1 FROM events WHERE subject = :subject AND kind = :kind AND data = :data"
    if transaction.row(same, subject=event.subject, kind=event.kind, data=json_text(event.data)) is None:
        log_event(transaction, event)


def read_events(transaction: Transaction) -> list[Event]:
    """All events, oldest first."""
    rows = transaction.rows("SELECT at, kind, annotator, subject, data FROM events ORDER BY number")
    return [Event(at, kind, annotator, subject, json.loads(data)) for at, kind, annotator, subject, data in rows]


def put_campaign(transaction: Transaction, campaign: Campaign, now: float) -> bool:
    """Keep the choices if they are new, and say whether they are."""
    data = json_text(campaign.as_json())
    if _latest_choices(transaction) == data:
        return False
    transaction.insert("settings", at=now, data=data)
    return True


def change_campaign(transaction: Transaction, changed: Campaign, now: float) -> bool:
    """Keep other choices from now on, and say whether anything is new. How notes are cut cannot change."""
    before, after = read_campaign(transaction).as_json(), changed.as_json()
    for fixed in ("taxonomy", "seed", "cleaners", "target_characters", "most_characters"):
        if before[fixed] != after[fixed]:
            raise UsageError(f"{fixed} cannot change once a campaign has begun; make a new one")
    return put_campaign(transaction, changed, now)


def read_campaign(transaction: Transaction) -> Campaign:
    """The choices that hold now."""
    data = _latest_choices(transaction)
    if data is None:
        raise UsageError("this store holds no campaign yet; make one with: innominate campaign new")
    return campaign_from(json.loads(data))


def _latest_choices(transaction: Transaction) -> str | None:
    row = transaction.row("SELECT data FROM settings ORDER BY version DESC LIMIT 1")
    return str(row[0]) if row else None


def put_guidelines(transaction: Transaction, text: str, now: float) -> bool:
    """Keep the guidelines as a new version if their text is new."""
    versions = read_guidelines(transaction)
    if versions and versions[-1].text == text:
        return False
    transaction.insert("guidelines", version=len(versions) + 1, at=now, text=json_text(text))
    return True


def read_guidelines(transaction: Transaction) -> list[Guidelines]:
    """All versions, oldest first."""
    rows = transaction.rows("SELECT version, at, text FROM guidelines ORDER BY version")
    return [Guidelines(version, at, json.loads(text)) for version, at, text in rows]


def register_people(transaction: Transaction, people: Iterable[Annotator], now: float) -> int:
    """Add people, or change what is known of them, and return how many were new or changed. Nobody is ever removed."""
    known = {person.id: person for person in read_annotators(transaction)}
    changed = [person for person in people if known.get(person.id) != person]
    for person in changed:
        values = asdict(person)
        transaction.insert("annotators", replaces=("id",), id=person.id, team=person.team, data=json_text(values))
        log_event(transaction, Event(now, "registered", person.id, person.id, values))
    return len(changed)


def read_annotators(transaction: Transaction) -> list[Annotator]:
    """Everybody who is registered, by id."""
    return [_annotator(row[0]) for row in transaction.rows("SELECT data FROM annotators ORDER BY id")]


def read_annotator(transaction: Transaction, id: str) -> Annotator:
    """One person of the registration."""
    row = transaction.row("SELECT data FROM annotators WHERE id = :id", id=id)
    if row is None:
        raise UsageError(f"no annotator {id!r} is registered")
    return _annotator(row[0])


def _annotator(data: str) -> Annotator:
    record = json.loads(data)
    return Annotator(**{**record, "also": tuple(record.get("also", ()))})


def add_notes(transaction: Transaction, notes: Iterable[CampaignNote], now: float) -> int:
    """Keep notes with their chunks, and return how many are new."""
    added = sum(_add_note(transaction, note) for note in notes)
    if added:
        log_event(transaction, Event(now, "notes", data={"added": added}))
    return added


def _add_note(transaction: Transaction, note: CampaignNote) -> bool:
    """Say whether a note is new; one that is there already must be the same."""
    document, offsets = note.document, note.offsets
    known = transaction.row("SELECT text FROM documents WHERE id = :id", id=document.id)
    if known is not None:
        if json.loads(known[0]) != document.text:
            raise UsageError(f"document {document.id!r} is in the store with another text; ids must be unique")
        return False
    transaction.insert(
        "documents",
        id=document.id,
        text=json_text(document.text),
        spans=pack_spans(document.spans),
        meta=json_text(dict(document.meta)),
        offsets=json_text([offsets.source_length, offsets.target_length, offsets.changes]),
    )
    number = transaction.count("SELECT number FROM documents WHERE id = :id", id=document.id)
    rows = [
        {
            "id": sample.id,
            "document": number,
            "position": position,
            "view_start": sample.start,
            "view_end": sample.end,
            "text": json_text(sample.text),
            "patient": json_text(sample.patient),
            "unit": json_text(sample.unit),
            "training": int(sample.training),
        }
        for position, sample in enumerate(note.samples)
    ]
    transaction.insert_many("chunks", rows)
    return True


def read_notes(transaction: Transaction) -> list[CampaignNote]:
    """All notes with their samples, and the way back from these to the original."""
    by_document: dict[str, list[Sample]] = {}
    for one in read_samples(transaction, training=None):
        by_document.setdefault(one.document, []).append(one)
    notes = []
    for id, text, spans, meta, offsets in transaction.rows(
        "SELECT id, text, spans, meta, offsets FROM documents ORDER BY number"
    ):
        source, target, changes = json.loads(offsets)
        document = Document(id, json.loads(text), unpack_spans(spans), json.loads(meta))
        moves = OffsetMap(source, target, tuple(Change(*change) for change in changes))
        notes.append(CampaignNote(document, moves, tuple(by_document.get(id, ()))))
    return notes


def read_samples(transaction: Transaction, *, training: bool | None = False) -> list[Sample]:
    """All samples in the order in which they came: those of the campaign, those for training, or (None) both."""
    where = "" if training is None else f" WHERE c.training = {int(training)}"
    return [_sample(row) for row in transaction.rows(f"{_SELECT_SAMPLE}{where} ORDER BY c.number")]


def read_sample(transaction: Transaction, id: str) -> Sample:
    """One sample."""
    row = transaction.row(f"{_SELECT_SAMPLE} WHERE c.id = :id", id=id)
    if row is None:
        raise UsageError(f"there is no sample {id!r} in this campaign")
    return _sample(row)


def read_sample_numbered(transaction: Transaction, number: int) -> Sample:
    """One sample by its number in the store."""
    (row,) = transaction.rows(f"{_SELECT_SAMPLE} WHERE c.number = :number", number=number)
    return _sample(row)


def _sample(row: Sequence[Any]) -> Sample:
    id, document, start, end, text, patient, unit, training = row
    return Sample(id, document, start, end, json.loads(text), json.loads(patient), json.loads(unit), bool(training))


def put_suggestions(transaction: Transaction, suggestions: Iterable[Suggestion]) -> None:
    """Keep suggestions. What was suggested is never changed: it may have been shown."""
    numbers = {str(id): number for id, number in transaction.rows("SELECT id, number FROM chunks")}
    there = {tuple(row) for row in transaction.rows("SELECT chunk, audience FROM suggestions")}
    rows = []
    for one in suggestions:
        if one.sample not in numbers:
            raise UsageError(f"there is no sample {one.sample!r} in this campaign")
        chunk = numbers[one.sample]
        if (chunk, one.audience) in there:
            raise UsageError(f"sample {one.sample!r} has suggestions for {one.audience!r} already; they are never changed")
        spans, data = pack_spans(one.spans), json_text(one.log)
        rows.append({"chunk": chunk, "audience": one.audience, "spans": spans, "data": data})
    transaction.insert_many("suggestions", rows)


def read_suggestions(transaction: Transaction) -> list[Suggestion]:
    """All suggestions."""
    rows = transaction.rows(
        "SELECT c.id, s.audience, s.spans, s.data FROM suggestions s JOIN chunks c ON c.number = s.chunk "
        "ORDER BY s.chunk, s.audience"
    )
    return [Suggestion(id, audience, unpack_spans(spans), json.loads(data)) for id, audience, spans, data in rows]


def spans_suggested_to(transaction: Transaction, chunk: int, person: Annotator) -> tuple[Span, ...]:
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


def read_gammas(transaction: Transaction) -> dict[str, str]:
    """What an analysis has worked out before, by its name."""
    return {str(name): str(data) for name, data in transaction.rows("SELECT name, data FROM gammas")}


def put_gammas(transaction: Transaction, found: Mapping[str, str]) -> None:
    """Remember more. Of two processes that worked out the same the first is remembered: their values are equal."""
    rows = [{"name": name, "data": data} for name, data in found.items()]
    transaction.insert_many("gammas", rows, " ON CONFLICT (name) DO NOTHING")
