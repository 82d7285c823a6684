"""The shift of a patient: a whole number of weeks, drawn from a range, that changes nobody's age.

Ages. Moving a birth date and a visit by the same number of days can change the age when the visit is near a birthday,
because there may be one leap day more or fewer between them. No age changes, on any day, if the years of life that hold
a 29 February stay the same ones; one shift in four does that. `possible_shifts` are those alone when it is told the
birth date. Without it, a day on which a stated age would be wrong has to be masked: `age_changes` tells which.

Range. One to five years, forwards or backwards: 418 shifts, of which 104 or so keep the ages of a given birth date.
Whoever knows the range and the moved birth date is left with these. Weekdays stay, and with them the pattern of working
days that would betray a shift.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta
from functools import lru_cache

from innominate.core import UsageError
from innominate.surrogates.dates import age_on

WEEKS = (52, 260)  # the smallest and the largest shift, either way
_LAST_YEAR = 2099  # 2100 has no leap day, and no note


def check_shift(days: int) -> None:
    """Refuse a shift that would move weekdays, or nothing."""
    if days == 0 or days % 7:
        raise UsageError(f"a shift is a number of whole weeks and not 0, but this is {days} days")


@lru_cache(maxsize=4096)
def possible_shifts(births: tuple[date, ...], weeks: tuple[int, int] = WEEKS) -> tuple[int, ...]:
    """All shifts of a range that keep the ages of everybody born on these days, or of all but the last ones.

    >>> len(possible_shifts(())), possible_shifts((date(1950, 2, 3), date(1950, 3, 2)))
    (418, (-1442, -1449, -1456, 1463, 1470, 1477, 1484))
    """
    least, most = weeks
    if not 1 <= least <= most:
        raise UsageError(f"a range of weeks needs 1 <= least <= most, not {least} and {most}")
    every = [sign * 7 * week for sign in (-1, 1) for week in range(least, most + 1)]
    found = tuple(days for days in every if all(keeps_ages(birth, days) for birth in births))
    return found or possible_shifts(births[:-1], weeks)


def keeps_ages(birth: date, days: int) -> bool:
    """Whether somebody born that day has the same age on every day when both days move.

    >>> keeps_ages(date(1950, 3, 18), 1463), keeps_ages(date(1950, 3, 18), 364 * 2)
    (True, False)
    """
    moved = birth + timedelta(days=days)
    years = min(116, _LAST_YEAR - max(birth.year, moved.year))
    return all(birthday(moved, age) - birthday(birth, age) == timedelta(days=days) for age in range(1, years))


def birthday(birth: date, age: int) -> date:
    """The day on which somebody reaches an age; whoever was born on 29 February, on 1 March in other years.

    >>> birthday(date(2000, 2, 29), 1)
    datetime.date(2001, 3, 1)
    """
    try:
        return birth.replace(year=birth.year + age)
    except ValueError:
        return date(birth.year + age, 3, 1)


def age_changes(birth: date, day: date, days: int, stated: Collection[int] = ()) -> bool:
    """Whether somebody is older or younger on a day when both days move; with `stated`, only of those ages.

    >>> age_changes(date(1950, 3, 18), date(2020, 3, 18), 364), age_changes(date(1950, 3, 18), date(2020, 3, 17), -364)
    (False, True)
    """
    if day < birth:
        return False
    age, shift = age_on(birth, day), timedelta(days=days)
    return (not stated or age in stated) and age != age_on(birth + shift, day + shift)
