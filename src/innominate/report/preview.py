"""Documents with coloured spans: a self-contained HTML page, and a piece of HTML for a notebook, with its own style."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from innominate.core import Document, resolve
from innominate.labels import Taxonomy, names, taxonomy
from innominate.report.colours import colour_of
from innominate.report.rendering import render_page

_BOX = "border:1px solid #c8ccd0;border-radius:6px;padding:10px 14px;max-width:60em"
_TEXT = "white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.7 ui-monospace,'DejaVu Sans Mono',monospace"
_MARK = "color:#202124;border-radius:3px;padding:1px 3px;background:"
_LABEL = (
    "display:inline-block;color:#202124;border-radius:4px;padding:1px 7px;margin-right:6px;"
    "font:600 11px system-ui,sans-serif;background:"
)


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


def render_snippet(document: Document) -> Markup:
    """The text with its spans on coloured ground, and below it the labels with their counts.

    >>> from innominate.core import annotated
    >>> "<mark" in render_snippet(annotated("[<DATE>](DATE): well"))
    True
    """
    parts = [
        Markup('<mark style="{}{}" title="{}">{}</mark>').format(_MARK, colour_of(piece.label), piece.label, piece.text)
        if piece.label
        else Markup("{}").format(piece.text)
        for piece in cut_into_pieces(document)
    ]
    counts = Counter(span.label for span in document.spans)
    labels = [
        Markup('<span style="{}{}">{} {}</span>').format(_LABEL, colour_of(label), label, count)
        for label, count in sorted(counts.items())
    ]
    return Markup('<div style="{}"><div style="{}">{}</div><div style="margin-top:8px">{}</div></div>').format(
        _BOX, _TEXT, Markup("").join(parts), Markup("").join(labels) or "nothing to conceal"
    )
