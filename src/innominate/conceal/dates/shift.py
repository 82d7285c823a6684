"""The shift of a patient: a secret number of days by which all of their dates move, and the ages that it would change.

Range. A shift is one of the 1,024 shortest, forwards or backwards, that are longer than a year and at least a month away from
whole years: a month or a year that stands alone then changes too. They reach 2.7 years where days of the week move. Those
of whole weeks, which leave them as they are, reach 13 years, and dates that leave the years of a corpus are seen to be false:
that is why the days of the week move unless the policy keeps them.

Ages. Moving a birth date and a visit by the same number of days can change the age when the visit is near a birthday, because
there may be one leap day more or fewer between them. `age_changes` tells on which days; these have to be masked. Shifts that
change no age of a given birth date are one in four, and whoever knows the moved birth date would be left with these.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta
from functools import cache
from itertools import count, islice

from innominate.core import UsageError
from innominate.surrogates.dates import age_on

MOVE, KEEP = "move", "keep"
WEEKDAYS = (MOVE, KEEP)  # what a shift does to the days of the week
SHIFTS = 1024  # a power of two, so that the bits of a digest draw each as often
_LEAST = 371  # days; a year by itself changes with every such shift
_YEAR = 365.25
_MONTH = 31


def check_shift(days: int) -> None:
    """Refuse a shift that moves nothing."""
    if days == 0:
        raise UsageError("a shift is a number of days and not 0")


@cache
def possible_shifts(weekdays: str = MOVE) -> tuple[int, ...]:
    """The shifts that patients may get, shortest first.

    >>> [(len(found), found[:3], found[-1]) for found in map(possible_shifts, WEEKDAYS)]
    [(1024, (397, -397, 398), -970), (1024, (399, -399, 406), -4655)]
    """
    lengths = (days for days in count(_LEAST, 7 if weekdays == KEEP else 1) if _MONTH <= days % _YEAR <= _YEAR - _MONTH)
    return tuple(sign * days for days in islice(lengths, SHIFTS // 2) for sign in (1, -1))


def age_changes(birth: date, day: date, days: int, stated: Collection[int] = ()) -> bool:
    """Whether somebody is older or younger on a day when both days move; with `stated`, only of those ages.

    >>> age_changes(date(1950, 3, 18), date(2020, 3, 18), 364), age_changes(date(1950, 3, 18), date(2020, 3, 17), -364)
    (False, True)
    """
    if day < birth:
        return False
    age, shift = age_on(birth, day), timedelta(days=days)
    return (not stated or age in stated) and age != age_on(birth + shift, day + shift)
