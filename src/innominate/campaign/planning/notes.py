"""A note of a campaign: the original, the chunks that annotators see, and the way between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from innominate.campaign.planning.chunks import cut_text
from innominate.campaign.planning.config import Campaign
from innominate.campaign.records import Sample
from innominate.core import Document, FormatError, OffsetMap, Span
from innominate.formats.json_values import json_bytes
from innominate.text.view import named, view


@dataclass(frozen=True, slots=True)
class CampaignNote:
    """A document as it was read, the map to its cleaned view, and the samples cut from the view.

    >>> campaign = Campaign("c", "chuv")
    >>> note = prepare_note(Document("n1", "<p>🙂 <b>Eva</b></p><p>dort&nbsp;bien"), campaign)
    >>> [sample.text for sample in note.samples]
    ['🙂 Eva', 'dort bien']
    >>> note.to_original(note.samples[0], [Span(2, 5, "NAME")])[0].of(note.document.text)
    'Eva'
    """

    document: Document
    offsets: OffsetMap = field(repr=False)
    samples: tuple[Sample, ...]

    def to_original(self, sample: Sample, spans: Iterable[Span]) -> list[Span]:
        """Bring spans of a sample back to the original text."""
        return self.offsets.spans_to_source(_moved(spans, sample.start))

    def from_original(self, sample: Sample, spans: Iterable[Span]) -> list[Span]:
        """Carry spans of the original text into a sample; what lies outside of it is cut off."""
        shown = (
            replace(span, start=max(span.start, sample.start), end=min(span.end, sample.end))
            for span in self.offsets.spans_to_target(spans)
            if span.start < sample.end and sample.start < span.end
        )
        return _moved(shown, -sample.start)


def prepare_note(document: Document, campaign: Campaign, *, training: bool = False) -> CampaignNote:
    """Clean a note and cut it into samples; their ids are the document's with a number."""
    seen = view(document.text, named(campaign.cleaners))
    patient, unit = (str(document.meta.get(key, "") or "") for key in ("patient", campaign.unit_key))
    samples = (
        Sample(f"{document.id}#{number}", document.id, start, end, seen.text[start:end], patient, unit, training)
        for number, (start, end) in enumerate(
            cut_text(seen.text, campaign.target_characters, campaign.most_characters), start=1
        )
    )
    return CampaignNote(document, seen.offsets, tuple(samples))


def problem_of_note(document: Document) -> str:
    """Say why a store cannot hold a document; nothing if it can.

    >>> problem_of_note(Document("n1", "Eva")), problem_of_note(Document("n\\0", "Eva"))
    ('', 'an id with characters that cannot be printed')
    """
    if not document.id or not document.id.isprintable():
        return "an id with characters that cannot be printed"
    try:
        json_bytes(dict(document.meta))
    except FormatError as error:
        return error.reason
    return ""


def _moved(spans: Iterable[Span], by: int) -> list[Span]:
    return [replace(span, start=span.start + by, end=span.end + by) for span in spans]
