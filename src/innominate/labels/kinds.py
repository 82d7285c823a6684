"""What there is to identify a person by: the kinds that labels of all taxonomies stand for, one entry each in `kinds.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from innominate.core import LabelError
from innominate.languages import load_language

FILE = files("innominate.labels") / "kinds.toml"
OTHER = "other"


@dataclass(frozen=True, slots=True)
class Kind:
    """One entry of `kinds.toml`, where each of these is explained.

    >>> kinds()["zip"].title, kinds()["zip"].identifier, kinds()["zip"].cuts
    ('postal codes', 'quasi', ['zip3', 'zip1'])
    """

    name: str
    title: str
    identifier: Literal["direct", "quasi"]
    policy: str
    examples: Sequence[str]
    recall: str = ""
    surrogate: str = ""
    stays: bool = False
    cuts: Sequence[str] = ()
    again: Literal["", "name", "number", "whole", "place"] = ""
    certain: bool = False
    pseudonym: str = field(default="", kw_only=True)

    def example(self, lang: str) -> Sequence[str]:
        """Texts of this kind in a language, or in any."""
        return load_language(lang).examples.get(self.name) or self.examples


@cache
def kinds() -> Mapping[str, Kind]:
    """All kinds by name."""
    return {name: read_kind(name, entry) for name, entry in tomllib.loads(FILE.read_text(encoding="utf-8")).items()}


def read_kind(name: str, entry: Mapping[str, Any]) -> Kind:
    """Read one entry; one that lacks something, or says something unknown, is refused."""
    try:
        kind = Kind(name, **entry)
    except TypeError as error:
        raise LabelError(f"kinds.toml: [{name}]: {str(error).partition(' ')[2]}") from None
    if kind.identifier not in ("direct", "quasi"):
        raise LabelError(f"kinds.toml: [{name}]: identifier is {kind.identifier!r}; write direct or quasi")
    return kind


@cache
def kinds_in_policy_group() -> Mapping[str, tuple[str, ...]]:
    """Words that a policy may use for several kinds, with these kinds.

    >>> kinds_in_policy_group()["names"]
    ('person', 'first', 'last', 'username')
    """
    words = dict.fromkeys(kind.policy for kind in kinds().values())
    return {word: tuple(name for name, kind in kinds().items() if kind.policy == word) for word in words}


@cache
def kinds_that_stay() -> tuple[str, ...]:
    """Kinds that stay in a text with surrogates, unless a policy says otherwise.

    >>> kinds_that_stay()
    ('country', 'age', 'time', 'kin', 'sex')
    """
    return tuple(name for name, kind in kinds().items() if kind.stays)


@cache
def recall_groups() -> tuple[str, ...]:
    """Words that `--recall` knows.

    >>> recall_groups()
    ('names', 'places', 'organisations', 'contact', 'ids', 'ages', 'dates')
    """
    return tuple(dict.fromkeys(kind.recall for kind in kinds().values() if kind.recall))
