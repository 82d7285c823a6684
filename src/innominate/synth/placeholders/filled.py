"""A note with surrogates in the place of its placeholders, and these as its spans."""

from __future__ import annotations

from innominate.core import Document, Edit, Span, apply_edits, resolve
from innominate.synth.placeholders.fillings import Filling
from innominate.synth.placeholders.forms import Placeholder, groups, placeholders

SOURCE = "surrogate"


def filled(document: Document, seed: int | str = 0) -> Document:
    """Write a surrogate for every placeholder; the same words are the same value throughout the note, and the patient's.

    >>> note = filled(Document("n1", "[**Known lastname 7**] came. Mrs. [**Known lastname 7**] left [**2151-7-16**]."), seed=3)
    >>> [span.label for span in note.spans], note.spans[0].of(note.text) == note.spans[1].of(note.text), "[**" in note.text
    (['PATIENT', 'PATIENT', 'DATE'], True, False)
    """
    found = placeholders(document.text)
    if not found:
        return document
    filling = Filling.of(document.text, found, str(seed), str(document.meta.get("patient") or document.id))
    edits = [Edit(one.start, one.end, filling.value(one, number)) for number, one in enumerate(found)]
    text, offsets = apply_edits(document.text, edits)
    made = [_span(group, offsets.to_target(group[0].start, group[-1].end)) for group in groups(document.text, found)]
    places = {(one.start, one.end) for one in found}
    carried = [span for span in document.spans if (span.start, span.end) not in places]
    return Document(document.id, text, resolve([*made, *offsets.spans_to_target(carried)]), document.meta)


def _span(group: list[Placeholder], place: tuple[int, int]) -> Span:
    return Span(*place, group[0].label, source=SOURCE)
