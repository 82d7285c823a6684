"""Annotation guidelines: one markdown source, in which examples are marked up like everywhere else.

A category is a heading, a label a heading below it, and an example an item that begins with ✓ (right) or ✗ (wrong):

    ### TEMPS
    - ✓ arrivée à [14h30](TEMPS)
    - ✗ pendant [48h](TEMPS)

A first version is written out where we have one, else it is a frame with examples from synthetic notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from jinja2 import Environment

from innominate.core import Document, MarkupError, Span, UsageError, annotated, marked
from innominate.labels import Taxonomy, for_language
from innominate.languages import language_codes

_HEADING = re.compile(r"^(#{2,4})\s+(.+?)\s*$")
_EXAMPLE = re.compile(r"^\s*[-*]\s+([✓✗])\s+(.+?)\s*$")
_MARKS = re.compile(r"[*`_]{1,2}(?=\S)|(?<=\S)[*`]{1,2}")  # emphasis around a label in a heading
_DATA = files("innominate.campaign.planning") / "data"
_NOTES = 60  # synthetic ones that examples are looked for in
_AROUND = 40  # characters on each side of an example
Examples = Mapping[str, Sequence[str]]  # marked up, by label


@dataclass(frozen=True, slots=True)
class GuidelineExample:
    """One example: whether to do it so, and the words with what is marked in them."""

    label: str  # the label whose section it stands in; empty outside of any
    right: bool
    document: Document
    line: int


def label_of_heading(heading: str, labels: Taxonomy) -> str:
    """The label that a heading is about; empty if it is about something else.

    >>> from innominate.labels import taxonomy
    >>> label_of_heading("TEMPORAL:TEMPS", taxonomy("chuv")), label_of_heading("Purpose", taxonomy("chuv"))
    ('TEMPS', '')
    """
    name = heading.strip("*` ").rpartition(":")[2].strip("*` ").replace("\\_", "_")
    return name if name in labels else ""


def read_examples(text: str, labels: Taxonomy) -> Iterator[GuidelineExample]:
    """Yield the examples; one that is marked up wrongly raises, with its line."""
    label = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if found := _HEADING.match(line):
            label = label_of_heading(found[2], labels)
        elif found := _EXAMPLE.match(line):
            try:
                document = annotated(found[2].replace("`", ""))
            except MarkupError as error:
                raise UsageError(f"line {number} of the guidelines: {error}") from None
            yield GuidelineExample(label, found[1] == "✓", document, number)


def check_guidelines(text: str, labels: Taxonomy) -> list[str]:
    """Labels without a section or without a right example, and examples with labels that do not exist.

    >>> from innominate.labels import taxonomy
    >>> check_guidelines("### TEMPS", taxonomy("chuv"))[-1]
    'TEMPS has no example that says how to mark it'
    """
    headings = (line.lstrip("# ") for line in text.splitlines() if line.startswith("##"))
    sections = {label_of_heading(heading, labels) for heading in headings}
    found = list(read_examples(text, labels))
    problems = [
        f"line {one.line}: no label is called {span.label!r}"
        for one in found
        for span in one.document.spans
        if span.label not in labels
    ]
    shown = {one.label for one in found if one.right and any(span.label == one.label for span in one.document.spans)}
    without = [label for label in labels.standard if label not in sections]
    if without:
        problems.append(f"no section for {', '.join(without)}")
    return problems + [
        f"{label} has no example that says how to mark it"
        for label in labels.standard
        if label in sections and label not in shown
    ]


def find_guidelines(taxonomy: str, lang: str) -> str:
    """The guidelines that come with Innominate for a taxonomy in a language; empty if there are none.

    >>> find_guidelines("chuv", "fr").splitlines()[0], find_guidelines("hipaa", "fr")
    ('# Guide d’annotation', '')
    """
    path = _DATA / f"{taxonomy}.{lang}.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def begin_guidelines(labels: Taxonomy, lang: str = "en", examples: Examples | None = None) -> str:
    """Guidelines to begin with; where none are written, examples are taken from synthetic notes unless some are given."""
    text = find_guidelines(labels.name, lang)
    if text:
        return text
    frame = Environment(trim_blocks=True, keep_trailing_newline=True).from_string(
        (_DATA / "frame.md").read_text(encoding="utf-8")
    )
    shown = _synthetic_examples(labels) if examples is None else examples
    return frame.render(labels=labels, examples=shown).removesuffix("\n")


def _synthetic_examples(labels: Taxonomy) -> Examples:
    """From synthetic notes, if there are some with these labels."""
    from innominate.synth.generate import generate  # loads the name lists of several libraries

    if labels.language not in language_codes() or for_language(labels.language).name != labels.name:
        return {}
    return excerpt_examples(list(generate(labels.language, _NOTES, seed=0)))


def excerpt_examples(documents: Sequence[Document], most: int = 2) -> dict[str, list[str]]:
    """Places where each label occurs, with some words around them, as marked-up text.

    >>> from innominate.core import annotated
    >>> excerpt_examples([annotated("Vu par [Rochat](DOCTOR) le [3 mai](DATE).")])["DATE"]
    ['Vu par [Rochat](DOCTOR) le [3 mai](DATE).']
    """
    found: dict[str, list[str]] = {}
    for document in documents:
        for span in document.spans:
            have = found.setdefault(span.label, [])
            if len(have) < most:
                text = _excerpt(document, span)
                have += [text] if text not in have else []
    return found


def _excerpt(document: Document, span: Span) -> str:
    """The words around a span, on its line, with whatever else is marked there."""
    text = document.text
    start = max(text.rfind("\n", 0, span.start) + 1, text.rfind(" ", 0, max(0, span.start - _AROUND)) + 1)
    line_end = text.find("\n", span.end)
    end = len(text) if line_end < 0 else line_end
    if end - span.end > _AROUND:
        end = max(span.end, text.rfind(" ", span.end, span.end + _AROUND))
    if "\n" in text[start:end]:
        start, end = span.start, span.end
    inside = [one for one in document.spans if start <= one.start and one.end <= end]
    moved = tuple(Span(one.start - start, one.end - start, one.label) for one in inside)
    return marked(Document("", text[start:end], moved)).strip().replace("\n", " ")
