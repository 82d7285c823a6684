"""A note as a reader sees the identifiers in it: markup inside of spans is taken off, everything else stays."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from innominate.core import Document, Edit, Span, apply_edits
from innominate.text.html import Html, is_html

# How a tag begins. Looking for this first spares the scan of all markup where a `<` is in `TA < 120` or before an address.
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9]{0,15}[\s/:>]")


def with_plain_spans(document: Document) -> Document:
    """The document with plain text in its spans; it has the same spans in the same order.

    >>> shown = with_plain_spans(Document("n", "<p>Andr&eacute; slept</p>", (Span(3, 15, "NAME"),)))
    >>> shown.text, shown.spans[0].of(shown.text)
    ('<p>André slept</p>', 'André')
    """
    text = document.text
    if not document.spans or not has_tags(text):
        return document
    edits: list[Edit] = []
    for span in document.spans:
        inside = span.of(text)
        if "<" in inside or "&" in inside:
            # the tag tells the scanner that this is HTML; it is not part of the span
            found = Html().edits("<p>" + inside)
            moved = [
                Edit(e.start - 3 + span.start, e.end - 3 + span.start, e.text.replace("\n", " "))
                for e in found
                if e.start >= 3
            ]
            edits += moved
    if not edits:
        return document
    shown, offsets = apply_edits(text, edits)
    spans = [_moved(span, offsets.to_target(span.start, span.end)) for span in document.spans]
    return replace(document, text=shown, spans=tuple(span for span in spans if span)) if all(spans) else document


@lru_cache(maxsize=8)  # every note is asked about three times
def has_tags(text: str) -> bool:
    """Say whether a text is HTML.

    >>> has_tags("TA <b>120</b>"), has_tags("TA < 120")
    (True, False)
    """
    return _TAG.search(text) is not None and is_html(text)


def _moved(span: Span, place: tuple[int, int]) -> Span | None:
    start, end = place
    return replace(span, start=start, end=end) if start < end else None
