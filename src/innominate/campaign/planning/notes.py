"""A note of a campaign: the original, the chunks that annotators see one at a time, and the way between them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from innominate.campaign.planning.config import Campaign
from innominate.campaign.records import Sample
from innominate.core import Document, FormatError, OffsetMap, Span
from innominate.formats.json_values import json_bytes
from innominate.text.chunks import chunks
from innominate.text.view import named, view

_ENDS = ".!?;:"  # where a long line is cut rather than between any two words
_MOST_MARKS = 16  # a letter with more marks on it than this may be cut
_INK = re.compile(r"\S")


def cut_text(view_text: str, target: int = 0, most: int = 1000) -> list[tuple[int, int]]:
    r"""Return where the pieces stand: lines, joined while they fit into `target` characters and cut above `most`.

    With a target of 0 every line is a piece, as in the seed. Blank lines are in no piece.

    >>> cut_text("Anamnèse\nEva dort.\nElle mange bien.", target=20)
    [(0, 18), (19, 35)]
    """
    pieces: list[tuple[int, int]] = []
    for start, end in (part for line in chunks(view_text) for part in _parts(view_text, *line, most)):
        if pieces and end - pieces[-1][0] <= target and "\n" in view_text[pieces[-1][1] : start]:
            pieces[-1] = (pieces[-1][0], end)
        else:
            pieces.append((start, end))
    return pieces


def _parts(text: str, start: int, end: int, most: int) -> list[tuple[int, int]]:
    """Cut one line into parts of at most `most` characters, without the blanks between them."""
    parts = []
    start = _after_blanks(text, start)
    while end - start > most:
        middle = _place(text, start, start + most)
        parts.append((start, start + len(text[start:middle].rstrip())))
        start = _after_blanks(text, middle)
    return [*parts, (start, end)] if start < end else parts


def _place(text: str, start: int, limit: int) -> int:
    """The last good place to cut at or before the limit: after a sentence, between words, or between any two characters."""
    blanks = [place for place in range(start + 1, limit + 1) if text[place].isspace() and not text[place - 1].isspace()]
    ends = [place for place in blanks if place > (start + limit) // 2 and text[place - 1] in _ENDS]
    if ends or blanks:
        return (ends or blanks)[-1]
    letters = (place for place in range(limit, limit - _MOST_MARKS, -1) if not unicodedata.combining(text[place]))
    return next(letters, limit)


def _after_blanks(text: str, place: int) -> int:
    found = _INK.search(text, place)
    return found.start() if found else len(text)


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
        return self.offsets.spans_to_source(_move_spans(spans, sample.start))

    def from_original(self, sample: Sample, spans: Iterable[Span]) -> list[Span]:
        """Carry spans of the original text into a sample; what lies outside of it is cut off."""
        shown = (
            replace(span, start=max(span.start, sample.start), end=min(span.end, sample.end))
            for span in self.offsets.spans_to_target(spans)
            if span.start < sample.end and sample.start < span.end
        )
        return _move_spans(shown, -sample.start)


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


def _move_spans(spans: Iterable[Span], by: int) -> list[Span]:
    return [replace(span, start=span.start + by, end=span.end + by) for span in spans]
