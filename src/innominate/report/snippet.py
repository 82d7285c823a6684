"""A document with coloured spans as a piece of HTML, for a notebook: it brings its own style and touches nothing else."""

from __future__ import annotations

from collections import Counter

from markupsafe import Markup

from innominate.core import Document
from innominate.report.colours import colour_of
from innominate.report.preview import cut_into_pieces

_BOX = "border:1px solid #c8ccd0;border-radius:6px;padding:10px 14px;max-width:60em"
_TEXT = "white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.7 ui-monospace,'DejaVu Sans Mono',monospace"
_MARK = "color:#202124;border-radius:3px;padding:1px 3px;background:"
_LABEL = (
    "display:inline-block;color:#202124;border-radius:4px;padding:1px 7px;margin-right:6px;"
    "font:600 11px system-ui,sans-serif;background:"
)


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
