"""The dates of a note, moved by the secret shift of its patient: the one place where pseudonyms meet `conceal.dates`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from innominate.conceal.dates import UnwritableError, parse_all, shift_days
from innominate.conceal.keys import Key

_YEAR = 365.25
_MONTH = 31
_LEAST = 371  # days; a year by itself changes with every such shift


@dataclass(frozen=True, slots=True)
class MovedDate:
    """What a date expression became: another text, the same one because it is a day of the week, or None to be masked."""

    text: str | None
    kept: bool = False


@lru_cache(maxsize=4096)
def days_of(key: Key, name: str, births: tuple[date, ...] = ()) -> int:
    """The shift of a patient or document. Months and years that stand alone change with it, whatever they are.

    >>> days_of(Key(bytes(32)), "patient:7") % 7
    0
    """
    source = key.digest("dates", name)
    for attempt in range(200):
        days = shift_days((source >> attempt) + attempt, births=births)
        if abs(days) >= _LEAST and _MONTH <= abs(days) % _YEAR <= _YEAR - _MONTH:
            return days
    return days


def moved(texts: Sequence[str], lang: str, days: int) -> list[MovedDate]:
    """Move the date expressions of a note, in the order of the text.

    >>> [found.text for found in moved(["18.03.2022", "lundi", "le 99.99.99"], "fr", 700)]
    ['16.02.2024', 'lundi', None]
    """
    if not texts:
        return []
    result: list[MovedDate] = []
    for text, expression in zip(texts, parse_all(texts, lang), strict=True):
        if expression is None:
            result.append(MovedDate(None))
            continue
        try:
            other = expression.shifted(days)
        except UnwritableError:
            result.append(MovedDate(None))
            continue
        if other != text:
            result.append(MovedDate(other))
        else:
            result.append(MovedDate(text, kept=True) if expression.kind == "weekday" else MovedDate(None))
    return result
