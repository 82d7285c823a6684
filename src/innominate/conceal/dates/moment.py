"""What an expression means on the calendar, and where it goes when the patient's time is shifted.

Rules, in this order:

1. Days and weeks move by exactly the number of days, so every interval between them stays.
2. A month, a season or a year in which the note also has a full date moves to the month, season or year of that date
   when it has moved: `mars 2022` and `18.03.2022` never contradict each other. With several such dates, the middle one
   decides.
3. Other months, seasons and years move by the number of months, quarters or years that is nearest to the shift. It is
   the same number for every note of the patient, so intervals between such expressions stay, also those between notes.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

Unit = Literal["day", "week", "month", "season", "year", "decade", "weekday"]

YEAR = 365.2425  # days
_LENGTH: dict[str, float] = {"month": YEAR / 12, "season": YEAR / 4, "year": YEAR, "decade": YEAR}
_MONTHS = {"month": 1, "season": 3, "year": 12, "decade": 12}


@dataclass(slots=True, repr=False)
class Moment:
    """A day, or a longer stretch by a day that stands for it; `anchor` is a moment of the note that it must go along with."""

    unit: Unit
    day: date
    anchor: Moment | None = None

    def __repr__(self) -> str:
        return "Moment()"  # dates of a patient must not reach a log

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
