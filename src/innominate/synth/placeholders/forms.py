"""The forms of placeholders and what is written for each, read from `mimic.toml`; dates of MIMIC as dates of our time.

MIMIC's dates lie a century or two ahead. All dates of a note move by one number of years: month, day and order stay, and
intervals but for a leap day.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from random import Random

from innominate.formats.mimic import PLACEHOLDER, label_of
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
BLANK_WORDS = "___"  # MIMIC-IV writes nothing else
# A longer line is a line to write on.
_EITHER = re.compile(rf"{PLACEHOLDER.pattern}|(?<!\w){BLANK_WORDS}(?!\w)")
NAMES = frozenset(
    {"first", "first_f", "first_m", "last", "full", "initial", "initials", "patient", "patient_first", "patient_last"}
)
_WINDOW = 60  # characters of context on each side


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
            return self._write_date(self._day(int(match[2]), int(match[1]), 1), "mynum")
        if match := _YEAR_MONTH.fullmatch(words):
            return self._write_date(self._day(int(match[1]), int(match[2]), 1), "mynum")
        if match := _MONTH_DAY.fullmatch(words):
            return self._write_date(self._day(self.around.year + self.years, int(match[1]), int(match[2])), "dm")
        return str(int(words) - self.years) if _YEAR.fullmatch(words) else None

    def _full(self, year: int, month: int, day: int) -> str | None:
        return self._write_date(self._day(year, month, day), "num")

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

    def _write_date(self, day: date | None, form: str) -> str | None:
        return format_date(day, self.style[form], LANG) if day else None

    def draw_date(self, form: str, rng: Random) -> str:
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


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A place in a note, the words that stand there, what is to be written, and the label of that."""

    start: int
    end: int
    words: str
    fill: str
    label: str


@dataclass(frozen=True, slots=True)
class _Blank:
    fill: str
    label: str
    before: re.Pattern[str]
    after: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _PlaceholderForms:
    phrases: tuple[tuple[str, str], ...]
    otherwise: str
    staff: tuple[re.Pattern[str], re.Pattern[str]]
    blanks: tuple[_Blank, ...]


@cache
def _forms() -> _PlaceholderForms:
    content = tomllib.loads((files("innominate.synth.placeholders") / "mimic.toml").read_text(encoding="utf-8"))
    phrases = tuple((phrase, entry["fill"]) for entry in content["form"] for phrase in entry["words"])
    staff = content["staff"]
    blanks = tuple(
        _Blank(entry["fill"], entry["label"], re.compile(entry.get("before", "")), re.compile(entry.get("after", "")))
        for entry in content["blank"]
    )
    return _PlaceholderForms(phrases, content["otherwise"], (re.compile(staff["before"]), re.compile(staff["after"])), blanks)


def fill_of(words: str) -> str:
    """What is written for the words of a placeholder.

    >>> [fill_of(words) for words in ("Known lastname 12", "First Name8 (NamePattern2) ", "Hospital1 18", "2101-5-3", "?")]
    ['patient_last', 'first', 'hospital', 'numeric', 'id_idnum']
    """
    if not any(character.isalpha() for character in words):
        return "numeric" if any(character.isdigit() for character in words) else _forms().otherwise
    if "2 digits" in words:
        return "year_short"
    plain = re.sub(r"[\d\s]+", " ", words.lower()) + " "
    return next((fill for phrase, fill in _forms().phrases if phrase in plain), _forms().otherwise)


def placeholders(text: str) -> list[Placeholder]:
    """All placeholders of a note, in order.

    >>> [(one.words, one.fill, one.label) for one in placeholders("Dr. [**Last Name (un) 5**] saw Mr. ___ today.")]
    [('Last Name (un) 5', 'last', 'DOCTOR'), ('___', 'patient_last', 'PATIENT')]
    """
    matches = _EITHER.finditer(text)
    found = [_blank(text, *match.span()) if match[1] is None else _read_brackets(match) for match in matches]
    return _with_staff(text, found)


def _read_brackets(match: re.Match[str]) -> Placeholder:
    words = " ".join(match[1].split())
    fill = fill_of(words)
    label = "CITY" if fill == "city" else label_of(words)  # a location may be anything, what is written is a town
    return Placeholder(*match.span(), words, fill, "IDNUM" if fill == "numeric" and not is_date(words) else label)


def _blank(text: str, start: int, end: int) -> Placeholder:
    before, after = text[max(0, start - _WINDOW) : start], text[end : end + _WINDOW]
    for form in _forms().blanks:
        if form.before.search(before) and form.after.search(after):
            return Placeholder(start, end, text[start:end], form.fill, form.label)
    return Placeholder(start, end, text[start:end], "patient_last", "PATIENT")  # nothing says what it was


def groups(text: str, found: list[Placeholder]) -> list[list[Placeholder]]:
    """Placeholders that belong together: the parts of one name, with nothing but a blank between them."""
    together: list[list[Placeholder]] = []
    for one in found:
        last = together[-1][-1] if together else None
        if last and {last.fill, one.fill} <= NAMES and re.fullmatch(r"[ \t]*\n?[ \t]*", text[last.end : one.start]):
            together[-1].append(one)
        else:
            together.append([one])
    return together


def _with_staff(text: str, found: list[Placeholder]) -> list[Placeholder]:
    """Names beside a doctor's title are doctors'; all parts of a name have the label of the group."""
    before, after = _forms().staff
    settled: list[Placeholder] = []
    for group in groups(text, found):
        first, last = group[0], group[-1]
        title = before.search(text[max(0, first.start - _WINDOW) : first.start]) or after.search(
            text[last.end : last.end + _WINDOW]
        )
        staff = first.fill in NAMES and bool(title or any(one.label == "DOCTOR" for one in group))
        for one in group:
            label = "DOCTOR" if staff else one.label
            settled.append(Placeholder(one.start, one.end, one.words, one.fill, label))
    return settled
