"""A date as it stands in a note, and the same form of another day.

Everything that is no part of the date stays, character for character.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from innominate.conceal.dates.calendar_names import calendar_names, case_of, style_of, write_in_case
from innominate.conceal.dates.context import DateContext, season
from innominate.conceal.dates.forms import DateField, DateMatch, which_weekday
from innominate.conceal.dates.habits import WritingHabits
from innominate.conceal.dates.reading import DateReading, learn_context, read_date
from innominate.conceal.dates.shift import check_shift
from innominate.conceal.likeness import ordinal_ending
from innominate.core import InnominateError
from innominate.languages import load_language
from innominate.text.accents import fold_word, strip_accents


class UnwritableError(InnominateError):
    """A moved range that its form cannot hold: `1-31 janvier` would begin and end in two months and look like three days."""


@dataclass(slots=True, repr=False)  # dates of a patient must not reach a log
class DateExpression:
    """A date expression of a note, understood: `parse_date` makes one."""

    text: str
    reading: DateReading
    context: DateContext
    until: date | None = None  # the end of a range that it is the beginning of: `5` in `du 5 au 9 mars`

    @property
    def full(self) -> bool:
        """Whether day, month and year all stand in the text."""
        return self.reading.match.layout.full

    @property
    def kind(self) -> str:
        """What it names: `day`, `week`, `month`, `season`, `year`, `decade` or `weekday`."""
        return self.reading.moments[0].unit if self.reading.moments else "weekday"

    @property
    def days(self) -> tuple[date, ...]:
        """The day, or first and last of a range, that it means or that stands for it; nothing for a day of the week."""
        return tuple([moment.day for moment in self.reading.moments])

    def shifted(self, days: int) -> str:
        """Write the expression as it stands so many days later.

        >>> parse_date("vendredi 18 MARS 2022", "fr").shifted(-372)
        'jeudi 11 MARS 2021'
        """
        check_shift(days)
        moments = self.reading.moments
        if not moments:
            return self._with_weekdays(self.text, days)
        moved = [moment.moved(days) for moment in moments]
        if self.reading.match.has("H"):
            return self._plain_date(moved[0])
        written = write_date(self.reading, moved, self.context.habits)
        if moments[0].unit == "day" and not self._stays_in_order(moved, days):
            raise UnwritableError("a range of days no longer fits its form")
        return self._with_weekdays(written, days)

    def _with_weekdays(self, written: str, days: int) -> str:
        """The days of the week moved along; they stand before everything else, so they are where they were."""
        if days % 7:
            for start, stop in reversed(self.reading.match.layout.weekdays):
                written = written[:start] + move_weekday(written[start:stop], days, self.context.lang) + written[stop:]
        return written

    def _plain_date(self, day: date) -> str:
        """A holiday as a date in words, as the note writes them; what stood before it stays."""
        match = self.reading.match
        with_year = match.has("y")
        model = read_date(self.context.models[not with_year], self.context)
        if not model:
            raise UnwritableError("the model of a plain date cannot be read")
        written = write_date(model, [day], self.context.habits)
        name = match.value("H")
        if case_of(name) == "UPPER" and len(name) > 3:
            written = written.upper()
        return match.text[: next(field.start for field in match.layout.fields if field.role == "H")] + written

    def _stays_in_order(self, moved: Sequence[date], days: int) -> bool:
        """Whether a month that is written once is still that of both days: `23-26 januari` must not become `29-2 juli`.

        Where the original already goes over the end of a month, `30-2 mars`, the moved range may too.
        """
        ends = (*self.days, *([self.until] if self.until else []))
        if len(ends) < 2 or sum(self.reading.roles.get(name, name) in "mM" for name, _ in self.reading.match.parts) == 2:
            return True
        first, last = (*moved, *([self.until + timedelta(days=days)] if self.until else []))
        if _share_month(first, last):
            return True
        return not _share_month(*ends) and last.day < first.day and last - first < timedelta(days=31)


def _share_month(first: date, last: date) -> bool:
    return (first.year, first.month) == (last.year, last.month)


def parse_date(text: str, lang: str, *, context: DateContext | None = None, near: date | None = None) -> DateExpression | None:
    """Read a date expression; None if it is no date that can be moved, and then the caller must mask it.

    `near` is the day of the next date in the text, for a number that stands alone: `5` in `du 5 au 9 mars`.

    >>> parse_date("18#03#2022", "fr").shifted(700)
    '16#02#2024'
    >>> parse_date("18.03.20222", "fr") is None
    True
    """
    known = context or learn_context([text], lang)
    reading = read_date(text, known, near)
    return DateExpression(text, reading, known) if reading else None


def move_weekday(word: str, days: int, lang: str) -> str:
    """The day of the week so many days later, in the style and with the ending of the word.

    >>> move_weekday("Lun.", 1, "fr"), move_weekday("lördagen", 2, "sv"), move_weekday("SÁBADOS", 2, "es")
    ('Mar.', 'måndagen', 'LUNES')
    """
    known, now = calendar_names(lang, "days"), which_weekday(word, lang)
    name, later = known.styles[0][now], (now + days) % 7
    ending = word[len(name) :].rstrip(".") if fold_word(word).startswith(strip_accents(name)) else ""
    written = known.write(later, known.style(word[: len(name)] if ending else word))
    return written if written.lower().endswith(ending.lower()) else written + ending


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
