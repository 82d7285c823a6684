"""A date as it stands in a note, and the same form of another day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from innominate.conceal.dates.calendar_names import case_of
from innominate.conceal.dates.context import DateContext
from innominate.conceal.dates.learning import learn_context
from innominate.conceal.dates.reading import DateReading, read_date
from innominate.conceal.dates.shift import check_shift
from innominate.conceal.dates.writing import write_date
from innominate.core import InnominateError


class UnwritableError(InnominateError):
    """A moved range that its form cannot hold: `1-31 janvier` would begin and end in two months and look like three days."""


@dataclass(slots=True, repr=False)
class DateExpression:
    """A date expression of a note, understood: `parse_date` makes one."""

    text: str
    reading: DateReading
    context: DateContext
    until: date | None = None  # the end of a range that it is the beginning of: `5` in `du 5 au 9 mars`

    def __repr__(self) -> str:
        return "DateExpression()"  # dates of a patient must not reach a log

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
        """Write the expression as it stands so many days later; `days` is a multiple of seven.

        >>> parse_date("vendredi 18 MARS 2022", "fr").shifted(-371)
        'vendredi 12 MARS 2021'
        """
        check_shift(days)
        moments = self.reading.moments
        if not moments:  # weekdays stay, because the shift is whole weeks
            return self.text
        moved = [moment.moved(days) for moment in moments]
        if self.reading.match.has("H"):
            return self._plain_date(moved[0])
        written = write_date(self.reading, moved, self.context.habits)
        if moments[0].unit == "day" and not self._stays_in_order(moved, days):
            raise UnwritableError("a range of days no longer fits its form")
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
