"""The colour of a label, wherever it is shown."""

from __future__ import annotations

from functools import cache

from innominate.labels import names, taxonomy

FALLBACK = "#9aa0a6"


@cache
def all_colours() -> dict[str, str]:
    """Colours of all labels of all taxonomies. A label that several share has the colour of its kind in each."""
    return {label.name: label.colour for name in names() for label in taxonomy(name).labels.values()}


def colour_of(label: str) -> str:
    """The colour of a label, grey if no taxonomy knows it.

    >>> colour_of("PATIENT_E") == colour_of("PATIENT")
    True
    """
    return all_colours().get(label, FALLBACK)
