"""What kind of thing a label stands for, whatever the taxonomy calls it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

OTHER = "other"


@cache
def read_data(name: str) -> Mapping[str, Any]:
    """Read one of this package's TOML files, once."""
    return tomllib.loads((files("innominate.conceal") / "data" / name).read_text("utf-8"))


@cache
def kinds() -> Mapping[str, str]:
    """The kind of every label.

    >>> kinds()["PERSONNEL_MÉDICAL"], kinds()["ZIP"]
    ('person', 'zip')
    """
    return {label: kind for kind, labels in read_data("kinds.toml")["kinds"].items() for label in labels.split()}


@cache
def groups() -> Mapping[str, tuple[str, ...]]:
    """Groups of kinds that a policy may name.

    >>> groups()["names"]
    ('person', 'first', 'last', 'username')
    """
    return {group: tuple(members.split()) for group, members in read_data("kinds.toml")["groups"].items()}


@cache
def words() -> Mapping[str, str]:
    """Each kind in plain words."""
    return dict(read_data("kinds.toml")["words"])


@cache
def staff() -> frozenset[str]:
    """The labels of people who work in a hospital.

    >>> "DOCTOR" in staff(), "PATIENT" in staff()
    (True, False)
    """
    return frozenset(read_data("kinds.toml")["staff"]["labels"].split())


@lru_cache(maxsize=4096)  # labels, of which there are some hundred
def kind_of(label: str) -> str:
    """The kind of a label; a label that nobody declared is something else.

    >>> kind_of("First_Name"), kind_of("MY_LABEL")
    ('first', 'other')
    """
    return kinds().get(label, OTHER)
