"""Names of months, seasons and days: which one a word is, in what style it is written, and another one in the same style.

And of holidays: the day on which one falls in a year.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, lru_cache

from innominate.languages import load_language
from innominate.text.accents import fold_word, strip_accents

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_RULE = re.compile(r"(?:(easter)|(?:([a-z]{3}) )?(\d\d)-(\d\d))(?: ([+-]\d+))?")
_SPACES = re.compile(r"\s+")


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


def easter(year: int) -> date:
    """Easter Sunday in the Gregorian calendar (Meeus, Jones and Butcher).

    >>> easter(2022), easter(2019)
    (datetime.date(2022, 4, 17), datetime.date(2019, 4, 21))
    """
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    weekday = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * weekday) // 451
    month, day = divmod(h + weekday - 7 * m + 114, 31)
    return date(year, month, day + 1)


def holiday(name: str, lang: str, year: int) -> date:
    """The day of a holiday in a year; KeyError if the name is none.

    >>> holiday("Thanksgiving", "en", 2021), holiday("Midsommarafton", "sv", 2022)
    (datetime.date(2021, 11, 25), datetime.date(2022, 6, 24))
    """
    return _day(_rules(lang)[_key(name)], year)


def holiday_names(lang: str) -> list[str]:
    """Names as patterns: any white space, with accents or without, longest first."""
    found = {name.lower() for names in load_language(lang).calendar.holidays.values() for name in names}
    found |= {strip_accents(name) for name in found}
    return [r"\s+".join(map(re.escape, name.split())) for name in sorted(found, key=lambda name: (-len(name), name))]


@cache
def _rules(lang: str) -> Mapping[str, str]:
    return {_key(name): rule for rule, names in load_language(lang).calendar.holidays.items() for name in names}


def _key(name: str) -> str:
    return _SPACES.sub(" ", fold_word(name))


@cache
def _day(rule: str, year: int) -> date:
    found = _RULE.fullmatch(rule)
    if not found:
        raise ValueError("a rule of holidays.toml is not a rule")
    from_easter, weekday, month, day, more = found.groups()
    start = easter(year) if from_easter else date(year, int(month), int(day))
    if weekday:
        start += timedelta(days=(_DAYS.index(weekday) - start.weekday()) % 7)
    return start + timedelta(days=int(more or 0))
