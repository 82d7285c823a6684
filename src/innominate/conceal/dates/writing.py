"""Writing a moved date into the form of the old one: everything that is no part of the date stays, character for character."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from innominate.conceal.dates.calendar_names import calendar_names, case_of, style_of, write_in_case
from innominate.conceal.dates.forms import DateField, DateMatch
from innominate.conceal.dates.habits import WritingHabits
from innominate.conceal.dates.moment import season
from innominate.conceal.dates.reading import DateReading
from innominate.conceal.likeness import ordinal_ending
from innominate.languages import load_language


def write_date(reading: DateReading, days: Sequence[date], habits: WritingHabits) -> str:
    """Write days in the form of an expression.

    >>> from innominate.conceal.dates.context import DateContext
    >>> from innominate.conceal.dates.reading import read_date
    >>> write_date(read_date("18.3.-22", DateContext.of("sv")), [date(2019, 12, 4)], WritingHabits("sv"))
    '4.12.-19'
    """
    match, roles = reading.match, reading.roles
    text = match.text
    pieces: list[str] = []
    position = place = 0
    last = len(days) - 1
    for field in match.layout.fields:
        name, end, start, stop = field
        value = text[start:stop]
        day = days[end if end < last else last]
        role = roles.get(name, name)
        pieces.append(text[position:start])
        if role == "y":
            pieces.append(_digits(value, day.year))
        elif role in "dm" and value.isdecimal():
            number = day.day if role == "d" else day.month
            if number > 9:
                pieces.append(str(number))
            elif number == 1 and (first := _first_of_month(match, field, habits.lang)):
                pieces.append(first)
            else:
                pieces.append(f"0{number}" if habits.pads(match, roles, place) else str(number))
            place += 1
        else:
            pieces.append(_part(value, role, day, habits))
        position = stop
    pieces.append(text[position:])
    return "".join(pieces)


def _first_of_month(match: DateMatch, field: DateField, lang: str) -> str:
    """`1er` for the first of a month by its name, in a language that says so; empty elsewhere."""
    ending = load_language(lang).ordinals.first_only
    if not ending or field.role != "d" or not _before_name(match, field):
        return ""
    return write_in_case(f"1{ending}", case_of(match.value("M")))


def _part(text: str, role: str, day: date, habits: WritingHabits) -> str:
    """Any other part: a day with its ending, a name, a week, a decade."""
    lang = habits.lang
    if role == "M":
        return calendar_names(lang, "months").write(day.month - 1, habits.month_style(style_of(text, lang, "months")))
    if role == "d":
        return _ordinal(text, day.day, lang)
    if role == "S":
        known = calendar_names(lang, "seasons")
        return known.write(season(day), known.style(text))
    if role == "t":
        return _digits(text, day.year // 10 * 10)
    week = day.isocalendar().week
    return f"{week:02d}" if text.startswith("0") else str(week)


def _digits(text: str, year: int) -> str:
    """A year in as many digits as the old one has."""
    return f"{year % 100:02d}" if len(text) == 2 else str(year)


def _ordinal(text: str, number: int, lang: str) -> str:
    """The number with the ending that the old one had, as far as the language gives one to every number."""
    ending = text.lstrip("0123456789")
    digits = text[: len(text) - len(ending)]
    written = f"{number:02d}" if digits.startswith("0") else str(number)
    if not load_language(lang).ordinals.other and number != 1:  # only the first has an ending
        return written
    return written + ordinal_ending(ending, number, lang)


def _before_name(match: DateMatch, field: DateField) -> bool:
    """Whether the name of a month, or a word and another day, follows: `1er mars`, `1er au 3 mars`, but `1-3 mars`."""
    if not match.has("M"):
        return False
    return match.text[field.stop : field.stop + 1].isspace() and not match.text[field.stop :].lstrip().startswith(("-", "–"))
