"""Dates and times in the ways a language writes them, and numbers in words for ages and times of the day.

Month and day names come from Babel and holidays from `holidays`, both asked once per language and year: formatting itself is
plain string work, because a corpus has millions of dates.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from random import Random

from innominate.languages import load_language, read_lines
from innominate.surrogates.weighted import Weighted, pairs

NUMERIC = ("num", "num2", "dm", "mynum", "rangenum")
DRAWN = ("long", "dlong", "my", "m", "wd", "wdd", "range", "time")
_KNOWN_YEAR = 2015  # every country has its holidays in the data; not a leap year
_TWO = tuple(f"{n:02d}" for n in range(100))


@dataclass(frozen=True, slots=True)
class WrittenCalendar:
    """The names a language has for months, days and holidays, and its patterns."""

    lang: str
    months: tuple[str, ...]  # from index 1, as in dates
    short_months: tuple[str, ...]
    days: tuple[str, ...]  # Monday first
    short_days: tuple[str, ...]
    ordinals: tuple[str, ...]
    families: Weighted[Mapping[str, str]]
    forms: Mapping[str, Weighted[str]]
    aliases: Mapping[str, tuple[str, ...]]


Style = Mapping[str, str]  # from a form to the pattern that a note uses for it


@cache
def calendar(lang: str) -> WrittenCalendar:
    """The calendar of a language.

    >>> calendar("sv").days[0]
    'måndag'
    """
    from babel.dates import get_day_names, get_month_names

    language = load_language(lang)
    locale, data = language.locale, language.calendar.written
    months, short = get_month_names("wide", locale=locale), get_month_names("abbreviated", locale=locale)
    days, short_days = get_day_names("wide", locale=locale), get_day_names("abbreviated", locale=locale)
    return WrittenCalendar(
        lang,
        ("", *(months[i] for i in range(1, 13))),
        ("", *(short[i] for i in range(1, 13))),
        tuple(days[i] for i in range(7)),
        tuple(short_days[i] for i in range(7)),
        ("", *(f"{n}{language.ordinals.ending(n)}" for n in range(1, 32))),
        Weighted(*pairs(data.numeric)),
        {form: Weighted(*pairs(getattr(data, form))) for form in DRAWN},
        data.holidays,
    )


def draw_style(lang: str, rng: Random) -> Style:
    """Draw how one note writes its dates and times.

    >>> sorted(draw_style("fr", Random(1)))[:4]
    ['dlong', 'dm', 'iso', 'long']
    """
    known = calendar(lang)
    style = {form: patterns.draw(rng) for form, patterns in known.forms.items()}
    style.update(known.families.draw(rng), iso="{y}-{mm}-{dd}", y="{y}")
    return style


def format_date(day: date, pattern: str, lang: str, end: date | None = None) -> str:
    """Write a date in a pattern; `end` is the last day of a range in the same month.

    >>> format_date(date(2022, 3, 18), "{W} {D} {M} {y}", "fr")
    'vendredi 18 mars 2022'
    """
    known = calendar(lang)
    last = (end or day).day
    return pattern.format(
        d=day.day,
        dd=_TWO[day.day],
        m=day.month,
        mm=_TWO[day.month],
        y=day.year,
        yy=_TWO[day.year % 100],
        D=known.ordinals[day.day],
        M=known.months[day.month],
        b=known.short_months[day.month],
        W=known.days[day.weekday()],
        w=known.short_days[day.weekday()],
        e=last,
        ee=_TWO[last],
    )


def age_on(birth: date, day: date) -> int:
    """Full years from a birth to a day.

    >>> age_on(date(1950, 5, 3), date(2020, 5, 2))
    69
    """
    return day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))


def range_around(day: date, rng: Random) -> tuple[date, date]:
    """A stretch of two to six days that begins on the day, or a little before where the month ends.

    >>> start, end = range_around(date(2022, 2, 28), Random(1))
    >>> start.month == end.month and start < end
    True
    """
    length = int(rng.random() * 5) + 1
    days_left = monthrange(day.year, day.month)[1] - day.day
    start = day - timedelta(days=max(0, length - days_left))
    return start, start + timedelta(days=length)


def format_time(hour: int, minute: int, pattern: str) -> str:
    """Write a time of the day.

    >>> format_time(14, 5, "{H}:{mm} {AM}")
    '2:05 PM'
    """
    half = "PM" if hour >= 12 else "AM"
    return pattern.format(
        h=hour, hh=_TWO[hour], H=(hour - 1) % 12 + 1, mm=_TWO[minute], AM=half, am=half.lower(), dotted=f"{half[0].lower()}.m."
    )


def holiday(day: date, lang: str, rng: Random) -> str:
    """The name of the holiday of that year which is nearest to the day.

    >>> holiday(date(2021, 12, 20), "sv", Random(1)) in ("juldagen", "julafton", "jul")
    True
    """
    known = calendar(lang)
    nearest = min(_holidays(lang, day.year), key=lambda entry: abs((entry[0] - day).days))[1]
    names = known.aliases.get(nearest, (nearest,))
    return names[int(rng.random() * len(names))]


@cache
def _holidays(lang: str, year: int) -> tuple[tuple[date, str], ...]:
    """The public holidays of a year, in the language; `(observed)` doubles are left out."""
    import holidays

    known = load_language(lang)
    region = known.holiday_region or None
    found = holidays.country_holidays(known.country, subdiv=region, years=year, language=known.holiday_language)
    named = tuple((day, name) for day, name in sorted(found.items()) if "(" not in name and ";" not in name)
    if named:
        return named
    # the library knows some countries only from a certain year on; the holidays of a later year will do
    return tuple((day.replace(year=year), name) for day, name in _holidays(lang, _KNOWN_YEAR))


def ways_to_count(lang: str) -> tuple[str, ...]:
    """The columns of the words of a language: French has septante and soixante-dix.

    >>> ways_to_count("fr"), ways_to_count("sv")
    (('fr', 'fr_CH'), ('sv',))
    """
    return tuple(read_lines(lang, "numbers.tsv")[0].split("\t")[1:])


@cache
def words(lang: str) -> tuple[str, ...]:
    """The words for 0 to 110 in a language; `fr_CH` says septante, huitante, nonante.

    >>> words("fr")[92], words("fr_CH")[92], words("es")[31]
    ('quatre-vingt-douze', 'nonante-deux', 'treinta y un')
    """
    header, *rows = read_lines(lang[:2], "numbers.tsv")
    column = header.split("\t").index(lang)
    return tuple(row.split("\t")[column] for row in rows)


def time_in_words(hour: int, minute: int, lang: str) -> str:
    """A time of the day in words, to the quarter of an hour.

    >>> time_in_words(19, 30, "fr"), time_in_words(14, 45, "sv"), time_in_words(14, 15, "es")
    ('sept heures et demie', 'kvart i tre', 'dos y cuarto')
    """
    quarter = round(minute / 15) % 4
    hour = (hour - 1) % 12 + 1
    after = hour % 12 + 1
    number = words(lang)
    spoken = load_language(lang).calendar.spoken
    hours = [spoken.hour.format(number=word) for word in number[:13]]
    hours[1] = spoken.first_hour or hours[1]
    return spoken.quarters[quarter].format(this=hours[hour], next=hours[after])
