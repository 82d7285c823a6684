"""Dates of MIMIC, which lie a century or two ahead, as dates of our time.

All dates of a note move by one number of years: month, day and order stay, and intervals but for a leap day.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from innominate.surrogates.dates import Style, format_date

LANG = "en"  # of MIMIC

_FUTURE = 2100  # from here on years are shifted ones
_YEARS = (1999, 2014)  # where the last year of a note comes to lie
_YEAR = re.compile(r"\b(?:1[89]|2[0-3])\d\d\b")
_FULL = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})")
_FULL_LAST = re.compile(r"(\d{1,2})[-/](\d{1,2})[-/](\d{4})")
_YEAR_MONTH = re.compile(r"(\d{4})[-/](\d{1,2})[-/]?")
_MONTH_YEAR = re.compile(r"(\d{1,2})[-/]{1,2}(\d{4})")
_MONTH_DAY = re.compile(r"(\d{1,2})[-/](\d{1,2})")


@dataclass(frozen=True, slots=True)
class Moments:
    """How the dates of one note are moved and written."""

    years: int  # taken off every year
    style: Style
    around: date  # dates that the placeholder does not say lie near here

    stay: int = 4  # days in hospital, up to that day

    @classmethod
    def of(cls, words: Iterable[str], style: Style, rng: Random) -> Moments:
        """From all placeholders of a note: its last year becomes one of our time."""
        years = [int(year) for text in words if not any(map(str.isalpha, text)) for year in _YEAR.findall(text)]
        last = _YEARS[0] + int(rng.random() * (_YEARS[1] - _YEARS[0] + 1))
        shift = max(years) - last if years and max(years) >= _FUTURE else 0
        return cls(shift, style, date(last, 1, 1) + timedelta(int(rng.random() * 365)), 2 + int(rng.random() * 12))

    def numeric(self, words: str) -> str | None:
        """A placeholder of numbers, moved and written as the note writes dates; None if it is no date.

        >>> style = {"num": "{m}/{d}/{y}", "dm": "{m}/{d}", "mynum": "{m}/{y}"}
        >>> moments = Moments(150, style, date(2001, 1, 1))
        >>> [moments.numeric(words) for words in ("2151-7-16", "7-16", "5-/2150", "2152", "12345")]
        ['7/16/2001', '7/16', '5/2000', '2002', None]
        """
        if match := _FULL.fullmatch(words):
            return self._full(int(match[1]), int(match[2]), int(match[3]))
        if match := _FULL_LAST.fullmatch(words):
            return self._full(int(match[3]), int(match[1]), int(match[2]))
        if match := _MONTH_YEAR.fullmatch(words):
            return self._written(self._day(int(match[2]), int(match[1]), 1), "mynum")
        if match := _YEAR_MONTH.fullmatch(words):
            return self._written(self._day(int(match[1]), int(match[2]), 1), "mynum")
        if match := _MONTH_DAY.fullmatch(words):
            return self._written(self._day(self.around.year + self.years, int(match[1]), int(match[2])), "dm")
        return str(int(words) - self.years) if _YEAR.fullmatch(words) else None

    def _full(self, year: int, month: int, day: int) -> str | None:
        return self._written(self._day(year, month, day), "num")

    def _day(self, year: int, month: int, day: int) -> date | None:
        """A day of the shifted year; the 29th of February is the 28th where there is none."""
        if not (1 <= month <= 12 and 1 <= day <= 31 and year > self.years):
            return None
        for last in (day, 30, 29, 28):
            try:
                return date(year - self.years, month, min(day, last))
            except ValueError:
                continue
        return None

    def _written(self, day: date | None, form: str) -> str | None:
        return format_date(day, self.style[form], LANG) if day else None

    def drawn(self, form: str, rng: Random) -> str:
        """A date near the others, in a form that has a name in the style: num, dm, m, my, y, wd."""
        return format_date(self.near(rng), self.style[form], LANG)

    def of_stay(self, what: str, rng: Random) -> str:
        """The day of birth, of admission or of discharge, or one between the last two."""
        days = {"born": -int((20 + 70 * rng.random()) * 365), "admitted": -self.stay, "discharged": 0}
        day = self.around + timedelta(days.get(what, -int(rng.random() * self.stay)))
        return format_date(day, self.style["num"], LANG)

    def near(self, rng: Random) -> date:
        """A day within two months."""
        return self.around + timedelta(int(rng.random() * 120) - 60)


def is_date(words: str) -> bool:
    """Whether a placeholder of numbers is a date.

    >>> is_date("2151-7-16"), is_date("7-16"), is_date("13-40"), is_date("12345")
    (True, True, False, False)
    """
    style = {"num": "{y}", "dm": "{d}", "mynum": "{y}"}
    return Moments(0, style, date(2000, 1, 1)).numeric(words) is not None
