"""What is peculiar to a language: labels, extents, layouts and titles, read from languages/LANG.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from innominate.core import FormatError
from innominate.languages import language_folder
from innominate.surrogates.weighted import Weighted, pairs
from innominate.synth.template import Agree, Choice, Marked, Nodes, Template, parse_template

EXTENTS = ("each", "whole", "parts")


@dataclass(frozen=True, slots=True)
class Ages:
    """How ages are written. `units` are (singular, plural, one in words) of year, month, week and day."""

    whole: bool  # the unit is written and inside the annotation; else the number stands alone
    units: tuple[tuple[str, str, str], ...]
    conjunction: str
    days_of_life: str


@dataclass(frozen=True, slots=True, eq=False)  # compared by identity, so that it can be a key of caches
class Language:
    """Everything the engine must know about a language and its taxonomy."""

    lang: str
    locale: str
    labels: frozenset[str]
    extents: str
    reversed_caps: float
    initials: str  # "whole", "first" or "" for not annotated
    roles: Mapping[str, tuple[str, str]]  # label of first names and of surnames, for patient, kin and staff
    slots: Mapping[str, str]
    ids: Mapping[str, tuple[str, str]]  # label, and what it belongs to: patient, episode, new
    full_date: str
    part_date: str
    layouts: Mapping[str, Nodes]
    titles: Mapping[str, tuple[tuple[str, str], ...]]
    ages: Ages
    sexes: tuple[tuple[str, str], ...]
    kin_groups: Mapping[str, str]  # from a word to its generation
    numbers: Weighted[str]
    fictional_phones: float
    years: tuple[int, int]

    def label(self, slot: str) -> str:
        """The label of a slot, '' if it is not annotated in this language."""
        return self.slots.get(slot, "")


@cache
def language(lang: str) -> Language:
    """Load a language; a label that its taxonomy does not have is an error.

    >>> language("fr").extents, language("sv").label("time")
    ('each', '')
    """
    path = language_folder(lang) / "notes.toml"
    data = tomllib.loads(path.read_text("utf-8"))
    layouts = {name: parse_template(text, name, source=path.name) for name, text in data["layout"].items()}
    names = data["names"]
    loaded = Language(
        lang=lang,
        locale=data["locale"],
        labels=frozenset(data["labels"]),
        extents=names["extents"],
        reversed_caps=names["reversed_caps"],
        initials=names["initials"],
        roles={
            role: (label, label) if isinstance(label, str) else (label[0], label[1]) for role, label in data["roles"].items()
        },
        slots=data["slots"],
        ids={kind: (label, owner) for kind, (label, owner) in data["ids"].items()},
        full_date=data["dates"]["full"],
        part_date=data["dates"]["part"],
        layouts={name: layout.nodes for name, layout in layouts.items()},
        titles={role: tuple((m, f) for m, f in forms) for role, forms in data["titles"].items()},
        ages=_ages(data["age"]),
        sexes=tuple((m, f) for m, f in data["sex"]["values"]),
        kin_groups={word: group for group, words in data["kin"].items() for word in words},
        numbers=Weighted(*pairs(data["numbers"])),
        fictional_phones=data["fictional_phones"],
        years=(data["years"][0], data["years"][1]),
    )
    _check(loaded, path.name, layouts)
    return loaded


def _ages(data: Mapping[str, list[str]]) -> Ages:
    names = ("year", "month", "week", "day")
    units = tuple((data[name][0], data[name][1], one) for name, one in zip(names, data["one"], strict=True))
    return Ages(bool(data["whole"]), units, str(data["and"]), str(data["days_of_life"]))


def _check(loaded: Language, source: str, layouts: Mapping[str, Template]) -> None:
    """Refuse labels outside the taxonomy and extents that do not exist."""
    used = {*loaded.slots.values(), *(label for label, _ in loaded.ids.values()), loaded.full_date, loaded.part_date}
    used |= {label for pair in loaded.roles.values() for label in pair}
    used |= {label for layout in layouts.values() for label in labels_in(layout.nodes)}
    unknown = sorted(used - loaded.labels)
    if unknown:
        raise FormatError(f"labels that the taxonomy does not have: {', '.join(unknown)}", source=source)
    if loaded.extents not in EXTENTS:
        raise FormatError(f"name extents are one of {', '.join(EXTENTS)}", source=source)


def labels_in(nodes: Nodes) -> set[str]:
    """The labels of literal annotations anywhere in a tree."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, Marked):
            found.add(node.label)
        elif isinstance(node, Choice):
            found |= {label for option in node.options for label in labels_in(option)}
        elif isinstance(node, Agree):
            found |= labels_in(node.masculine) | labels_in(node.feminine)
    return found
