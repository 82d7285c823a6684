"""The orders in which the numbers of an expression make a real date."""

from __future__ import annotations

from calendar import isleap
from collections.abc import Iterable

_LENGTHS = (0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LEAP = 2000  # stands for a year that is not known, so that 29.02 is a day


def possible_orders(numbers: Iterable[tuple[str, int, str]], *, year_first: bool) -> tuple[str, ...]:
    """All orders in which the numbers a, b and c make a real date, or a month with a year that cannot be a day.

    The numbers come with their role and the end of the range to which they belong; `year_first` says whether 22-03-18
    may begin with the year.

    >>> possible_orders([("a", 0, "18"), ("b", 0, "03"), ("c", 0, "22")], year_first=True)
    ('dmy', 'ymd')
    >>> possible_orders([("a", 0, "03"), ("b", 0, "85")], year_first=False)
    ('my',)
    >>> possible_orders([("a", 0, "8"), ("b", 0, "0")], year_first=False)  # no year has one digit
    ()
    """
    first: list[int] = []
    second: list[int] = []
    year = 0
    last = ""
    for role, end, text in numbers:
        last = text
        if role == "y":
            year = int(text)
        else:
            (second if end else first).append(int(text))
    orders = _orders(first, year, year_first=year_first)
    if second:
        a, b = second[:2]
        orders = [order for order in orders if is_day(_LEAP, *((b, a) if order.startswith("dm") else (a, b)))]
    return tuple(orders) if orders != ["my"] or len(last) > 1 else ()


def _orders(numbers: list[int], year: int, *, year_first: bool) -> list[str]:
    a, b, *short_year = numbers
    known = year or (_LEAP + short_year[0] if short_year else _LEAP)
    orders = (["dm"] if is_day(known, b, a) else []) + (["md"] if is_day(known, a, b) else [])
    if year or short_year:
        orders = [order + "y" for order in orders]
    elif not orders:  # 03/85 and 85-03, where one number can be no day
        return ["my"] if 1 <= a <= 12 else ["ym"] if 1 <= b <= 12 and a > 31 else []
    return [*orders, "ymd"] if short_year and year_first and is_day(_LEAP + a, b, short_year[0]) else orders


def is_day(year: int, month: int, day: int) -> bool:
    """Whether the calendar has such a day.

    >>> is_day(2020, 2, 29), is_day(2022, 2, 29)
    (True, False)
    """
    return 1 <= month <= 12 and 1 <= day <= _LENGTHS[month] and (day != 29 or month != 2 or isleap(year))
