"""What the dates of a note say about each other: order and habits, the days they share, when the note was written.

Where an expression goes when the patient's time is shifted:

1. Days and weeks move by exactly the number of days, so every interval between them stays.
2. A month, a season or a year in which the note also has a full date moves to the month, season or year of that date
   when it has moved: `mars 2022` and `18.03.2022` never contradict each other. With several such dates, the middle one
   decides.
3. Other months, seasons and years move by the number of months, quarters or years that is nearest to the shift. It is
   the same number for every note of the patient, so intervals between such expressions stay, also those between notes.
"""

from __future__ import annotations

from calendar import isleap
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from typing import Literal

from innominate.conceal.dates.habits import DateOrder, WritingHabits
from innominate.languages import load_language

UNKNOWN = date(2021, 7, 1)  # a note with no full date was written about now; only leap days depend on it
NEWEST = 2035  # without a year in four digits, 36 is 1936
_AHEAD = 3  # years after the latest that a note names, for plans and expiry dates
_YEARS = 6  # how far to look for a leap year, or one in which the 12th of March was a Wednesday
Unit = Literal["day", "week", "month", "season", "year", "decade", "weekday"]

YEAR = 365.2425  # days
_LENGTH: dict[str, float] = {"month": YEAR / 12, "season": YEAR / 4, "year": YEAR, "decade": YEAR}
_MONTHS = {"month": 1, "season": 3, "year": 12, "decade": 12}


@dataclass(slots=True, repr=False)  # dates of a patient must not reach a log
class DateContext:
    """The dates of one note, as far as they help to read and write each of them. `learn` makes one."""

    order: DateOrder
    habits: WritingHabits
    reference: date = UNKNOWN
    newest: int = NEWEST
    days: tuple[date, ...] = ()  # full dates, sorted
    inferred: tuple[date, ...] = ()  # days whose year or month the full dates tell
    months: tuple[date, ...] = ()  # firsts of months that are named with their year
    models: tuple[str, str] = ("", "")  # dates in words as the note writes them, with the year and without

    @property
    def lang(self) -> str:
        """The language of the note."""
        return self.habits.lang

    @staticmethod
    @cache
    def of(lang: str) -> DateContext:
        """What is usual in a language, for an expression that stands alone."""
        return DateContext(DateOrder.of(lang), WritingHabits(lang), models=load_language(lang).dates.model)

    def until(self, newest: int) -> DateContext:
        """The same for a date of two digits that mean no later year than this."""
        return replace(self, newest=newest)

    def moved(self, shift: timedelta) -> DateContext:
        """The note's days after a shift: they tell the year of `29-2 mars`, or whether there is a 29 February."""
        days, inferred = tuple([day + shift for day in self.days]), tuple([day + shift for day in self.inferred])
        return replace(self, reference=self.reference + shift, days=days, inferred=inferred)

    def showing(self, days: Collection[date]) -> DateContext:
        """The same for a reader who sees no other days and months than these."""
        seen = ((day for day in known if day in days) for known in (self.days, self.inferred, self.months))
        shown, inferred, months = map(tuple, seen)
        return replace(self, days=shown, inferred=inferred, months=months)

    def full_year(self, text: str) -> int:
        """The year that two or four digits mean: of two, the latest that the note can speak of.

        >>> DateContext.of("fr").full_year("22"), DateContext.of("fr").full_year("50")
        (2022, 1950)
        """
        year = int(text)
        if len(text) == 4:
            return year
        return year + 2000 if year + 2000 <= self.newest else year + 1900

    def day_in_some_year(self, month: int, day: int, weekday: int | None = None) -> date | None:
        """The day that a day and a month mean: one of the note's, or else the nearest to the note that fits the weekday.

        >>> DateContext.of("sv").day_in_some_year(2, 29)
        datetime.date(2020, 2, 29)
        """
        same = [known for known in (*self.days, *self.inferred) if known.day == day and known.month == month]
        if same:
            return self._nearest(same)
        if weekday is None and (month, day) != (2, 29):
            year = self.reference.year
            return self._nearest([date(year - 1, month, day), date(year, month, day), date(year + 1, month, day)])
        around = _YEARS
        years = range(self.reference.year - around, self.reference.year + around + 1)
        found = [date(year, month, day) for year in years if (month, day) != (2, 29) or isleap(year)]
        fitting = [other for other in found if weekday is None or other.weekday() == weekday]
        return self._nearest(fitting or found) if found else None

    def day_in_some_month(self, day: int, weekday: int | None = None, near: date | None = None) -> date | None:
        """The day that a number of a day means: before `near` if that is given, as in `du 5 au 9 mars`.

        >>> DateContext.of("fr").day_in_some_month(12, 2)
        datetime.date(2021, 5, 12)
        """
        if near:
            back = (near - timedelta(days=n) for n in range(62))
            return next((other for other in back if other.day == day), None)
        span = 31 if weekday is None else 400
        around = (self.reference + timedelta(days=n) for step in range(span + 1) for n in (step, -step))
        fitting = (other for other in around if other.day == day and weekday in (None, other.weekday()))
        found = next(fitting, None)
        return found if found or weekday is None else self.day_in_some_month(day)

    def month_in_some_year(self, month: int) -> date:
        """The first of the month nearest to the note."""
        known = [first for first in self.months if first.month == month]
        known += [day.replace(day=1) for day in (*self.days, *self.inferred) if day.month == month]
        years = (self.reference.year - 1, self.reference.year, self.reference.year + 1)
        return self._nearest(known or [date(year, month, 1) for year in years])

    def month(self, first: date) -> Moment:
        """A month, with the day of the note that it must go along with."""
        return Moment("month", first, self._anchor(lambda day: (day.year, day.month) == (first.year, first.month)))

    def season(self, first: date) -> Moment:
        """A season of a year, likewise."""
        return Moment("season", first, self._anchor(lambda day: (day.year, season(day)) == (first.year, season(first))))

    def year(self, year: int) -> Moment:
        """A year, with the day or else the month of the note that it must go along with."""
        shared = [day for day in self.days if day.year == year] or [day for day in self.inferred if day.year == year]
        anchor = _middle(shared)
        if not anchor:
            months = [first for first in self.months if first.year == year]
            anchor = Moment("month", months[len(months) // 2]) if months else None
        return Moment("year", date(year, 1, 1), anchor)

    def _anchor(self, fits: Callable[[date], bool]) -> Moment | None:
        return _middle([day for day in self.days if fits(day)] or [day for day in self.inferred if fits(day)])

    def _nearest(self, days: Iterable[date]) -> date:
        reference = self.reference.toordinal()
        return min(days, key=lambda day: abs(day.toordinal() - reference))


def _middle(days: Sequence[date]) -> Moment | None:
    return Moment("day", days[len(days) // 2]) if days else None


def newest_year(years: Iterable[int]) -> int:
    """The latest year that two digits may mean in a note that names some years in four."""
    latest = max(years, default=0)
    return latest + _AHEAD if latest >= 2000 else NEWEST


@dataclass(slots=True, repr=False)  # dates of a patient must not reach a log
class Moment:
    """A day, or a longer stretch by a day that stands for it; `anchor` is a moment of the note that it must go along with."""

    unit: Unit
    day: date
    anchor: Moment | None = None

    def moved(self, days: int) -> date:
        """The day that stands for the moment after the shift.

        >>> Moment("day", date(2022, 3, 18)).moved(-364)
        datetime.date(2021, 3, 19)
        >>> Moment("month", date(2022, 3, 1)).moved(-364)
        datetime.date(2021, 3, 1)
        >>> Moment("month", date(2022, 3, 1), Moment("day", date(2022, 3, 31))).moved(371)
        datetime.date(2023, 4, 6)
        """
        if self.anchor:
            return self.anchor.moved(days)
        if self.unit in ("day", "week", "weekday"):
            return self.day + timedelta(days=days)
        return add_months(self.day, round(days / _LENGTH[self.unit]) * _MONTHS[self.unit])


def add_months(day: date, months: int) -> date:
    """The first of the month so many months later.

    >>> add_months(date(2022, 11, 30), 3)
    datetime.date(2023, 2, 1)
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, 1)


def season(day: date) -> int:
    """The season of a day: 0 is winter (December to February), 3 autumn.

    >>> season(date(2022, 12, 1)), season(date(2022, 7, 1))
    (0, 2)
    """
    return day.month % 12 // 3


def season_start(year: int, index: int) -> date:
    """A day well inside a season; winter is that of January."""
    return date(year, 1 + 3 * index, 1)
