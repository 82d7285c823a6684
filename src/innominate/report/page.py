"""Documents with coloured spans, as a self-contained HTML page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from jinja2 import Environment, select_autoescape

from innominate.core import Document, resolve
from innominate.labels import Taxonomy, names, taxonomy
from innominate.report.colours import colour


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text with its label, empty if it has none."""

    text: str
    label: str = ""
    title: str = ""


def pieces(document: Document) -> list[Piece]:
    """Cut a document into labelled and plain stretches."""
    cut: list[Piece] = []
    position = 0
    for span in resolve(document.spans):
        if position < span.start:
            cut.append(Piece(document.text[position : span.start]))
        source = f", {span.source}" if span.source else ""
        cut.append(
            Piece(span.of(document.text), span.label, f"{span.label} · {span.start}–{span.end} · {span.score:.2f}{source}")
        )
        position = span.end
    if position < len(document.text):
        cut.append(Piece(document.text[position:]))
    return cut


def preview_page(pairs: Sequence[tuple[Document, Document | None]], title: str) -> str:
    """A page that shows each document, and beside it its concealed form where there is one."""
    template = files("innominate.report") / "templates" / "preview.html"
    environment = Environment(autoescape=select_autoescape(default=True), trim_blocks=True, lstrip_blocks=True)
    counts = Counter(span.label for before, _ in pairs for span in before.spans)
    context: dict[str, Any] = {
        "title": title,
        "notes": [(before, pieces(before), pieces(after) if after else None) for before, after in pairs],
        "labels": [(label, colour(label), _describe(label), count) for label, count in sorted(counts.items())],
        "colours": {label: colour(label) for label in counts},
    }
    return environment.from_string(template.read_text(encoding="utf-8")).render(context)


def _describe(label: str) -> str:
    known: list[Taxonomy] = [taxonomy(name) for name in names() if label in taxonomy(name)]
    return known[0][label].description if known else ""
