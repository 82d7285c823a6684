"""The day on which a holiday falls in a year."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache

from innominate.languages import load_language
from innominate.text.accents import fold_word, strip_accents

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_RULE = re.compile(r"(?:(easter)|(?:([a-z]{3}) )?(\d\d)-(\d\d))(?: ([+-]\d+))?")
_SPACES = re.compile(r"\s+")


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
