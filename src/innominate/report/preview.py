"""Documents with coloured spans, as a self-contained HTML page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from innominate.core import Document, resolve
from innominate.labels import Taxonomy, names, taxonomy
from innominate.report.colours import colour_of
from innominate.report.rendering import render_page


@dataclass(frozen=True, slots=True)
class PreviewPiece:
    """A stretch of text with its label, empty if it has none."""

    text: str
    label: str = ""
    title: str = ""


def cut_into_pieces(document: Document) -> list[PreviewPiece]:
    """Cut a document into labelled and plain stretches."""
    cut: list[PreviewPiece] = []
    position = 0
    for span in resolve(document.spans):
        if position < span.start:
            cut.append(PreviewPiece(document.text[position : span.start]))
        source = f", {span.source}" if span.source else ""
        cut.append(
            PreviewPiece(
                span.of(document.text), span.label, f"{span.label} · {span.start}–{span.end} · {span.score:.2f}{source}"
            )
        )
        position = span.end
    if position < len(document.text):
        cut.append(PreviewPiece(document.text[position:]))
    return cut


def render_preview(pairs: Sequence[tuple[Document, Document | None]], title: str) -> str:
    """A page that shows each document, and beside it its concealed form where there is one."""
    counts = Counter(span.label for before, _ in pairs for span in before.spans)
    return render_page(
        "preview.html",
        title,
        notes=[(before, cut_into_pieces(before), cut_into_pieces(after) if after else None) for before, after in pairs],
        labels=[(label, colour_of(label), _describe(label), count) for label, count in sorted(counts.items())],
        colours={label: colour_of(label) for label in counts},
    )


def _describe(label: str) -> str:
    known: list[Taxonomy] = [taxonomy(name) for name in names() if label in taxonomy(name)]
    return known[0][label].description if known else ""
