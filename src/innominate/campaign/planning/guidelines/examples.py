"""Examples in guidelines, each under its label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from innominate.core import Document, MarkupError, UsageError, annotated
from innominate.labels import Taxonomy

_HEADING = re.compile(r"^(#{2,4})\s+(.+?)\s*$")
_EXAMPLE = re.compile(r"^\s*[-*]\s+([✓✗])\s+(.+?)\s*$")
_MARKS = re.compile(r"[*`_]{1,2}(?=\S)|(?<=\S)[*`]{1,2}")  # emphasis around a label in a heading


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
