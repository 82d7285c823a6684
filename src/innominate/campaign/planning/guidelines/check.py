"""What is missing in guidelines."""

from __future__ import annotations

from innominate.campaign.planning.guidelines.example import examples_of, label_of_heading
from innominate.labels import Taxonomy


def problems_of(text: str, labels: Taxonomy) -> list[str]:
    """Labels without a section or without a right example, and examples with labels that do not exist.

    >>> from innominate.labels import taxonomy
    >>> problems_of("### TEMPS", taxonomy("chuv"))[-1]
    'TEMPS has no example that says how to mark it'
    """
    headings = (line.lstrip("# ") for line in text.splitlines() if line.startswith("##"))
    sections = {label_of_heading(heading, labels) for heading in headings}
    found = list(examples_of(text, labels))
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
