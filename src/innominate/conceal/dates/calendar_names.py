"""Names of months, seasons and days: which one a word is, in what style it is written, and another one in the same style."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from innominate.languages import load_language
from innominate.text.accents import fold_word, strip_accents

DATA = files("innominate.conceal.dates") / "data"


@dataclass(frozen=True, slots=True)
class NameStyle:
    """How a name is written: which line of its table, with accents, with a full stop, in what case.

    `table` and `accents` are None where the word does not tell: `mai` is the same in full and short, and has no accent.
    """

    table: int | None
    accents: bool | None
    stop: bool
    case: str  # "lower", "Title" or "UPPER"


@dataclass(frozen=True, slots=True)
class CalendarNames:
    """The names of one thing in one language, by style."""

    styles: tuple[tuple[str, ...], ...]
    known: Mapping[str, tuple[tuple[int, int], ...]]  # a folded word -> (style, position) it may stand for

    def position(self, word: str) -> int:
        """Which of the names a word is, counted from 0.

        >>> calendar_names("fr", "months").position("FEVR.")
        1
        """
        return self.known[fold_word(word.rstrip("."))][0][1]

    def style(self, word: str) -> NameStyle:
        """How the word is written.

        >>> calendar_names("fr", "months").style("Févr.")
        NameStyle(table=1, accents=True, stop=True, case='Title')
        """
        plain = word.rstrip(".")
        readings = self.known[fold_word(plain)]
        table, position = readings[0]  # a line that begins like the first one is another way to write names in full
        accented = self.styles[table][position]
        has_accents = None if accented.isascii() else plain.lower() == accented
        tells = table != 0 or all(self.styles[other][0] == self.styles[0][0] for other, _ in readings)
        return NameStyle(table if tells else None, has_accents, word.endswith("."), case_of(plain))

    def write(self, position: int, style: NameStyle) -> str:
        """Write another name in a style; a name that is never shortened takes no full stop.

        >>> calendar_names("fr", "months").write(4, NameStyle(1, True, True, "Title"))
        'Mai'
        """
        table = style.table or 0
        name = self.styles[table][position]
        stop = "." if style.stop and (table == 0 or name != self.styles[0][position]) else ""
        if style.accents is False:
            name = strip_accents(name)
        return write_in_case(name, style.case) + stop

    def words(self) -> list[str]:
        """All forms, with and without accents, longest first."""
        forms = {name for style in self.styles for name in style}
        return sorted(forms | {strip_accents(name) for name in forms}, key=lambda word: (-len(word), word))


@lru_cache(maxsize=1024)
def style_of(word: str, lang: str, thing: str) -> NameStyle:
    """How a name of a month, a season or a day is written in a language."""
    return calendar_names(lang, thing).style(word)


def case_of(word: str) -> str:
    """The case of a word: `MARS` is UPPER, `Mars` is Title, anything else lower.

    >>> case_of("MARS"), case_of("Mars"), case_of("mars")
    ('UPPER', 'Title', 'lower')
    """
    if word.isupper():
        return "UPPER"
    return "Title" if word[:1].isupper() else "lower"


def write_in_case(word: str, case: str) -> str:
    """Write a lower-case word in a case.

    >>> write_in_case("août", "UPPER"), write_in_case("août", "Title")
    ('AOÛT', 'Août')
    """
    if case == "UPPER":
        return word.upper()
    return word[:1].upper() + word[1:] if case == "Title" else word


@cache
def calendar_names(lang: str, thing: str) -> CalendarNames:
    """The names of `months`, `seasons` or `days` in a language."""
    calendar = load_language(lang).calendar
    lines = {"months": calendar.months, "seasons": calendar.seasons, "days": calendar.days}[thing]
    styles = tuple(tuple(name.replace("_", " ") for name in line.split()) for line in lines)
    known: dict[str, list[tuple[int, int]]] = {}
    for table, line in enumerate(styles):
        for position, name in enumerate(line):
            known.setdefault(strip_accents(name), []).append((table, position))
    return CalendarNames(styles, {word: tuple(found) for word, found in known.items()})


@cache
def content(name: str) -> Mapping[str, Any]:
    """One of this package's TOML files, read once."""
    return tomllib.loads((DATA / name).read_text("utf-8"))
