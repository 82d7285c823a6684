"""Answers and references as documents, which every format can hold: chunk by chunk, or put together to the original notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from innominate.campaign.analysis.analysis import Analysis
from innominate.campaign.planning.notes import CampaignNote
from innominate.campaign.records import Annotator, Answer, Sample
from innominate.campaign.store.answers import answer_record
from innominate.core import Document, Span, UsageError
from innominate.formats.json_values import json_bytes

Spans = Mapping[str, Sequence[Span]]  # by the id of the sample


@dataclass(frozen=True, slots=True)
class Together:
    """Notes put together from their chunks, and how many were left out because somebody has not seen all of them."""

    documents: tuple[Document, ...]
    left_out: int


def sample_as_document(sample: Sample, spans: Iterable[Span] = (), **meta: Any) -> Document:
    """A sample as a document; its meta data says where it is from.

    >>> sample_as_document(Sample("n1#1", "n1", 4, 13, "Eva dort."), patient_seen=True).meta
    {'document': 'n1', 'start': 4, 'end': 13, 'patient_seen': True}
    """
    place = {"document": sample.document, "start": sample.start, "end": sample.end}
    known = {key: value for key, value in (("patient", sample.patient), ("unit", sample.unit)) if value}
    return Document(sample.id, sample.text, tuple(spans), {**place, **known, **meta})


def reference_documents(analysis: Analysis, *, provisional: bool) -> list[Document]:
    """The reference of every sample that is settled, with people, votes and agreement as meta data."""
    pending = Counter(one.sample for one in analysis.pending)
    return [
        sample_as_document(analysis.samples[record.sample], record.spans, **record.as_meta(), pending=pending[record.sample])
        for record in analysis.records
        if provisional or not pending[record.sample]
    ]


def tasks_as_documents(samples: Iterable[Sample], spans: Spans | None = None) -> Iterator[Document]:
    """Samples as tasks for another tool, with suggestions if there are some."""
    return (sample_as_document(sample, (spans or {}).get(sample.id, ())) for sample in samples)


def gather_accepted_chunks(answers: Iterable[Answer], samples: Iterable[Sample], annotator: Annotator) -> Iterator[Document]:
    """What one person accepted, chunk by chunk."""
    by_id = {sample.id: sample for sample in samples}
    for answer in answers:
        if answer.annotator == annotator.id and answer.decision == "accept" and answer.sample in by_id:
            yield sample_as_document(by_id[answer.sample], answer.spans, annotator=annotator.id, at=answer.at)


def prodigy_tasks(answers: Iterable[Answer], samples: Iterable[Sample], annotator: Annotator) -> Iterator[Document]:
    """All that one person decided, with session, time and decision as Prodigy writes them."""
    by_id = {sample.id: sample for sample in samples}
    for answer in answers:
        if answer.annotator == annotator.id and answer.sample in by_id:
            own = {"_session_id": f"{annotator.id}_{annotator.team}", "_timestamp": answer.at, "answer": answer.decision}
            yield sample_as_document(by_id[answer.sample], answer.spans, **own)


def gather_accepted_spans(answers: Iterable[Answer], annotator: str) -> dict[str, Sequence[Span]]:
    """The spans of what one person accepted, by sample."""
    return {answer.sample: answer.spans for answer in answers if answer.annotator == annotator and answer.decision == "accept"}


def join_chunks(notes: Iterable[CampaignNote], spans: Spans, *, partial: bool = False) -> Together:
    """Put the original notes together, with spans in their own offsets.

    A note with a chunk that has no answer is left out: it would look as if nothing in that chunk were an identifier. With
    `partial` it is kept if any chunk has one, and its meta data says so.
    """
    documents, left_out = [], 0
    for note in notes:
        samples = [sample for sample in note.samples if not sample.training]
        seen = [sample for sample in samples if sample.id in spans]
        if not samples:
            continue
        if len(seen) < len(samples) and not (partial and seen):
            left_out += 1
            continue
        found = {span for sample in seen for span in note.to_original(sample, spans[sample.id])}
        unseen = {"chunks_without_answer": len(samples) - len(seen)} if len(seen) < len(samples) else {}
        documents.append(Document(note.document.id, note.document.text, tuple(found), {**note.document.meta, **unseen}))
    return Together(tuple(documents), left_out)


class Documents:
    """Chunks, or whole notes, with the spans of a person or of a reference."""

    def __init__(
        self,
        samples: Sequence[Sample],
        answers: Sequence[Answer],
        notes: Sequence[CampaignNote] | None = None,
        *,
        partial: bool = False,
    ) -> None:
        self._samples, self._answers = samples, answers
        self._notes, self._partial = notes, partial  # None: chunk by chunk

    def of_annotator(self, person: Annotator, format: str) -> Together:
        """What one person accepted; for Prodigy, all that they decided."""
        if self._notes is not None:
            return join_chunks(self._notes, gather_accepted_spans(self._answers, person.id), partial=self._partial)
        kind = prodigy_tasks if format == "prodigy" else gather_accepted_chunks
        return Together(tuple(kind(self._answers, self._samples, person)), 0)

    def of_reference(self, reference: Sequence[Document], source: str) -> Together:
        """A reference that was written chunk by chunk; its chunks must be those of the campaign."""
        texts = {sample.id: sample.text for sample in self._samples}
        for document in reference:
            if texts.get(document.id) != document.text:
                raise UsageError(f"{source}: {document.id!r} is not a sample of this campaign, or has another text")
        if self._notes is None:
            return Together(tuple(reference), 0)
        return join_chunks(self._notes, {document.id: document.spans for document in reference}, partial=self._partial)


def answer_lines(answers: Iterable[Answer]) -> Iterator[bytes]:
    """Answers with everything in them, one JSON object per line."""
    return (json_bytes(answer_record(answer)) + b"\n" for answer in answers)
