"""People in notes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from innominate.surrogates.names import Name

YEAR = 365.25


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody; `key` seeds what follows from the person, such as the e-mail address."""

    name: Name
    birth: date
    key: int


@dataclass(frozen=True, slots=True)
class Kin:
    """A relative and what the patient calls them."""

    person: Person
    word: str


def years_between(birth: date, day: date) -> int:
    """Full years from a birth to a day.

    >>> years_between(date(1950, 5, 3), date(2020, 5, 2))
    69
    """
    return day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))
