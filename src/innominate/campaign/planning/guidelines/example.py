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
class Example:
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


def examples_of(text: str, labels: Taxonomy) -> Iterator[Example]:
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
            yield Example(label, found[1] == "✓", document, number)
