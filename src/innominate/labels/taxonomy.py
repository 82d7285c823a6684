"""Sets of labels, read from TOML files in `data/`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from innominate.core import LabelError
from innominate.languages import load_language

DATA = files("innominate.labels") / "data"


@dataclass(frozen=True, slots=True)
class Label:
    """One kind of identifier: whether it points to a person alone (direct) or with others (quasi), and its colour."""

    name: str
    category: str
    description: str
    identifier: Literal["direct", "quasi"]
    colour: str
    hipaa: bool = False


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """The labels of one standard. Extensions are labels we add where the standard leaves an identifier nameless.

    >>> taxonomy("chuv")["ÂGE"].category
    'DÉMOGRAPHIE'
    >>> len(taxonomy("swedish").standard), "Personal_Number" in taxonomy("swedish")
    (8, True)
    """

    name: str
    title: str
    language: str
    source: str
    categories: Mapping[str, str]  # category -> description
    standard: Mapping[str, Label]
    extensions: Mapping[str, Label]

    @property
    def labels(self) -> Mapping[str, Label]:
        """All labels, those of the standard first."""
        return {**self.standard, **self.extensions}

    def __contains__(self, name: object) -> bool:
        return name in self.standard or name in self.extensions

    def __getitem__(self, name: str) -> Label:
        try:
            return self.labels[name]
        except KeyError:
            raise LabelError(f"taxonomy {self.name!r} has no label {name!r}; it has: {', '.join(self.labels)}") from None


def names() -> list[str]:
    """Names of the taxonomies that ship with Innominate.

    >>> names()
    ['chuv', 'hipaa', 'i2b2', 'innominate', 'meddocan', 'swedish']
    """
    return sorted(entry.name.removesuffix(".toml") for entry in DATA.iterdir() if entry.name.endswith(".toml"))


@cache
def taxonomy(name: str) -> Taxonomy:
    """Load a taxonomy by name."""
    if name not in names():
        raise LabelError(f"no taxonomy is called {name!r}; there are: {', '.join(names())}")
    content = tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))
    categories = content["categories"]

    def labels(section: str) -> dict[str, Label]:
        return {key: _label(key, entry, categories) for key, entry in content.get(section, {}).items()}

    return Taxonomy(
        name,
        content["title"],
        content["language"],
        content["source"],
        {key: entry["description"] for key, entry in categories.items()},
        labels("labels"),
        labels("extensions"),
    )


def _label(name: str, entry: Mapping[str, Any], categories: Mapping[str, Any]) -> Label:
    if entry["category"] not in categories:
        raise LabelError(f"label {name!r} names a category {entry['category']!r} that is not declared")
    return Label(name, colour=categories[entry["category"]]["colour"], **entry)


def for_language(lang: str) -> Taxonomy:
    """The taxonomy in which detectors of a language speak by default.

    >>> for_language("fr").name
    'chuv'
    """
    return taxonomy(load_language(lang).taxonomy)


def with_labels(labels: Iterable[str], lang: str = "") -> Taxonomy | None:
    """The taxonomy that has all these labels, that of the language before any other.

    >>> with_labels(["PAYS", "RUE"]).name, with_labels(["DATE"], "en").name, with_labels(["MOON"])
    ('chuv', 'i2b2', None)
    """
    wanted = set(labels)
    known = [taxonomy(name) for name in names()]
    known.sort(key=lambda one: not lang or one.name != for_language(lang).name)
    return next((one for one in known if wanted <= one.labels.keys()), None)
