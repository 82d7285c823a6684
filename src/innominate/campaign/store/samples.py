"""Notes and their chunks in the store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from innominate.campaign.planning.notes import CampaignNote
from innominate.campaign.records import Sample
from innominate.campaign.store.database import Transaction
from innominate.campaign.store.packing import pack_offsets, pack_spans, packed, unpack_offsets, unpack_spans, unpacked
from innominate.core import Document, UsageError

_SAMPLE = """SELECT c.id, d.id, c.view_start, c.view_end, c.text, c.patient, c.unit, c.training
FROM chunks c JOIN documents d ON d.number = c.document"""


def add_note(transaction: Transaction, note: CampaignNote) -> bool:
    """Keep a note with its chunks, and say whether it is new; a note that is there already must be the same."""
    document = note.document
    known = transaction.row("SELECT text FROM documents WHERE id = :id", id=document.id)
    if known is not None:
        if unpacked(known[0]) != document.text:
            raise UsageError(f"document {document.id!r} is in the store with another text; ids must be unique")
        return False
    transaction.run(
        "INSERT INTO documents (id, text, spans, meta, offsets) VALUES (:id, :text, :spans, :meta, :offsets)",
        id=document.id,
        text=packed(document.text),
        spans=pack_spans(document.spans),
        meta=packed(dict(document.meta)),
        offsets=pack_offsets(note.offsets),
    )
    row = transaction.row("SELECT number FROM documents WHERE id = :id", id=document.id)
    number = row[0] if row else 0
    transaction.run_many(
        "INSERT INTO chunks (id, document, position, view_start, view_end, text, patient, unit, training) "
        "VALUES (:id, :document, :position, :start, :end, :text, :patient, :unit, :training)",
        [_row(sample, number, position) for position, sample in enumerate(note.samples)],
    )
    return True


def samples(transaction: Transaction, *, training: bool | None = False) -> list[Sample]:
    """All samples in the order in which they came: those of the campaign, those for training, or (None) both."""
    where = "" if training is None else f" WHERE c.training = {int(training)}"
    return [_sample(row) for row in transaction.rows(f"{_SAMPLE}{where} ORDER BY c.number")]


def sample(transaction: Transaction, id: str) -> Sample:
    """One sample."""
    row = transaction.row(f"{_SAMPLE} WHERE c.id = :id", id=id)
    if row is None:
        raise UsageError(f"there is no sample {id!r} in this campaign")
    return _sample(row)


def sample_numbered(transaction: Transaction, number: int) -> Sample:
    """One sample by its number in the store."""
    (row,) = transaction.rows(f"{_SAMPLE} WHERE c.number = :number", number=number)
    return _sample(row)


def chunk_numbers(transaction: Transaction) -> tuple[list[int], list[int]]:
    """The numbers of the chunks for training and of the others."""
    rows = transaction.rows("SELECT number, training FROM chunks ORDER BY number")
    return [number for number, training in rows if training], [number for number, training in rows if not training]


def last_chunk(transaction: Transaction) -> int:
    """The highest number of a chunk; it grows whenever notes are added."""
    row = transaction.row("SELECT max(number) FROM chunks")
    return int(row[0]) if row and row[0] else 0


def notes(transaction: Transaction) -> list[CampaignNote]:
    """All notes with their samples."""
    by_document: dict[str, list[Sample]] = {}
    for one in samples(transaction, training=None):
        by_document.setdefault(one.document, []).append(one)
    rows = transaction.rows("SELECT id, text, spans, meta, offsets FROM documents ORDER BY number")
    return [_note(row, by_document.get(row[0], ())) for row in rows]


def _note(row: Sequence[Any], of_document: Iterable[Sample]) -> CampaignNote:
    id, text, spans, meta, offsets = row
    document = Document(id, unpacked(text), unpack_spans(spans), unpacked(meta))
    return CampaignNote(document, unpack_offsets(offsets), tuple(of_document))


def _row(one: Sample, document: int, position: int) -> dict[str, Any]:
    return {
        "id": one.id,
        "document": document,
        "position": position,
        "start": one.start,
        "end": one.end,
        "text": packed(one.text),
        "patient": packed(one.patient),
        "unit": packed(one.unit),
        "training": int(one.training),
    }


def _sample(row: Sequence[Any]) -> Sample:
    id, document, start, end, text, patient, unit, training = row
    return Sample(id, document, start, end, unpacked(text), unpacked(patient), unpacked(unit), bool(training))
