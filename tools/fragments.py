"""Pieces of notes: a few sentences or lines without what stands before and after them.

Whole notes say where their names are: at the top, in the field called *Name*, in the signature. Text that is cut off from that
teaches a model to look at the words themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from innominate.core import Document
from innominate.text.sentences import sentences

_SIZES = (1, 1, 2, 3)  # sentences in a piece; short ones are the hardest


def fragments(document: Document, rng: Random, share: float = 0.6) -> Iterator[Document]:
    """Cut a note into pieces at the ends of sentences and yield a share of them; no identifier is cut.

    >>> from innominate.core import annotated, marked
    >>> note = annotated("Vu par [Rey](DOCTOR) hier. Il va bien. Signé: [Blanc](DOCTOR)", id="n1")
    >>> [(piece.id, marked(piece)) for piece in fragments(note, Random(2), share=1)]
    [('n1/0', 'Vu par [Rey](DOCTOR) hier.'), ('n1/17', 'Il va bien. Signé: [Blanc](DOCTOR)')]
    """
    places = sentences(document.text, str(document.meta.get("lang", "en")))
    first = 0
    while first < len(places):
        last = min(first + rng.choice(_SIZES), len(places))
        while last < len(places) and _cuts(document, places[last][0]):
            last += 1
        start, end = places[first][0], places[last - 1][1]
        first = last
        if rng.random() < share:
            yield _piece(document, start, end)


def _cuts(document: Document, position: int) -> bool:
    return any(span.start < position < span.end for span in document.spans)


def _piece(document: Document, start: int, end: int) -> Document:
    inside = (span for span in document.spans if start <= span.start and span.end <= end)
    spans = tuple(replace(span, start=span.start - start, end=span.end - start) for span in inside)
    return Document(f"{document.id}/{start}", document.text[start:end], spans, document.meta)
