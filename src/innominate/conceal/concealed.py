"""Apply a concealment strategy to a document."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from innominate.core import Document, Edit, OffsetMap, apply_edits, resolve
from innominate.core.protocols import Concealer
from innominate.text.html import is_html


@dataclass(frozen=True, slots=True)
class Concealed:
    """The concealed document, its spans in its own coordinates, and the map from the original text to it."""

    document: Document
    offsets: OffsetMap


def conceal(document: Document, concealer: Concealer) -> Concealed:
    """Hide every span of the document; overlaps are settled by trimming first.

    >>> from innominate.core import annotated
    >>> from innominate.conceal.by_class import ByClass
    >>> conceal(annotated("[Eva](First_Name) slept."), ByClass()).document.text
    '<First_Name> slept.'
    """
    settled = document.with_spans(resolve(document.spans))
    edits = concealer.edits(settled)
    if is_html(document.text):  # a browser would take <DATE> for a tag and show nothing
        edits = [Edit(start, end, escape(text, quote=False)) for start, end, text in edits]
    text, offsets = apply_edits(document.text, edits)
    return Concealed(Document(document.id, text, tuple(offsets.spans_to_target(settled.spans)), document.meta), offsets)
