"""Documents with coloured spans, for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rich.text import Text

from innominate.core import Document, Span, resolve
from innominate.report.colours import colour_of


def colour_spans(document: Document, *, labels: bool = True) -> Text:
    """The text of a document with its spans on coloured ground, each followed by its label.

    >>> from innominate.core import annotated
    >>> colour_spans(annotated("[Eva](First_Name) slept.")).plain
    'Eva First_Name slept.'
    """
    text = Text()
    position = 0
    for span in resolve(document.spans):
        text.append(escape_controls(document.text[position : span.start]))
        text.append(escape_controls(span.of(document.text)), style=f"black on {colour_of(span.label)}")
        if labels:
            text.append(f" {span.label}", style=f"dim {colour_of(span.label)}")
        position = span.end
    text.append(escape_controls(document.text[position:]))
    return text


def describe_span(text: str, span: Span) -> Text:
    """A span on coloured ground, with its label, place, score and who found it.

    >>> describe_span("vue le 3 mai", Span(7, 12, "DATE", 0.98, "crf")).plain
    '  3 mai DATE 7:12 0.98 crf'
    """
    told = f" {span.label} {span.start}:{span.end} {span.score:.2f} {span.source}".rstrip()
    return Text.assemble("  ", (escape_controls(span.of(text)).replace("\n", "␊"), f"black on {colour_of(span.label)}"), told)


def escape_controls(text: str) -> str:
    """Show control characters as pictures, so that a note cannot move the cursor or recolour the terminal."""
    return "".join(c if c in "\n\t" or (ord(c) >= 32 and c != "\x7f") else chr(0x2400 + ord(c) % 127) for c in text)


def count_labels(spans: Iterable[Span]) -> Text:
    """The labels that occur, with their colours and counts."""
    counts = Counter(span.label for span in spans)
    parts = [Text.assemble((f" {label} ", f"black on {colour_of(label)}"), f" {n}  ") for label, n in sorted(counts.items())]
    return Text.assemble(*parts) if parts else Text("nothing found", style="dim")
