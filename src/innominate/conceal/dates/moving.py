"""The dates of a note, moved by the secret shift of its patient: the one place where pseudonyms meet `conceal.dates`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from innominate.conceal.dates import DateExpression, UnwritableError, parse_all, shift_days
from innominate.conceal.dates.moved import MovedDates
from innominate.conceal.dates.verify import verify
from innominate.conceal.keys import Key

_YEAR = 365.25
_MONTH = 31
_LEAST = 371  # days; a year by itself changes with every such shift
# Weeks of a shift where no birth date asks for one that keeps ages on every day. Some 86 shifts are left. More would hide the
# days better and the shift worse: the years of a corpus crowd together, and dates that leave them tell surrogates from
# originals (five years either way: AUC 0.70 on MEDDOCAN train; two years: 0.64).
_NEAR = (52, 104)
_COARSE = ("weekday", "decade")  # a decade is so long that most shifts stay in it, and says no more than a weekday


@dataclass(slots=True, repr=False)
class MovedDate:
    """What a date expression became: another text, the same one because it is a weekday or a decade, or None to be masked."""

    text: str | None
    kept: bool = False

    def __repr__(self) -> str:
        return "MovedDate()"  # dates of a patient must not reach a log


@lru_cache(maxsize=4096)
def days_of(key: Key, name: str, births: tuple[date, ...] = ()) -> int:
    """The shift of a patient or document. Months and years that stand alone change with it, whatever they are.

    >>> days_of(Key(bytes(32)), "patient:7") % 7
    0
    """
    source = key.digest("dates", name)
    for attempt in range(200):
        number = (source >> attempt) + attempt
        days = shift_days(number, births=births) if births else shift_days(number, weeks=_NEAR)
        if abs(days) >= _LEAST and _MONTH <= abs(days) % _YEAR <= _YEAR - _MONTH:
            return days
    return days


def moved(texts: Sequence[str], lang: str, days: int) -> tuple[list[MovedDate], MovedDates | None]:
    """Move the date expressions of a note, in the order of the text; `DatesChangedError` if they no longer add up.

    >>> [found.text for found in moved(["18.03.2022", "lundi", "le 99.99.99"], "fr", 700)[0]]
    ['16.02.2024', 'lundi', None]
    """
    if not texts:
        return [], None
    expressions = parse_all(texts, lang)
    result = [_moved(expression, days) if expression else MovedDate(None) for expression in expressions]
    both = [(one, made.text) for one, made in zip(expressions, result, strict=True) if one and made.text is not None]
    if both:  # what cannot be true any more must not be written; the note is withheld
        pairs = [(one.text, text) for one, text in both]
        return result, verify(pairs, lang, context=both[0][0].context, originals=[one for one, _ in both])
    return result, None


def _moved(expression: DateExpression, days: int) -> MovedDate:
    try:
        other = expression.shifted(days)
    except UnwritableError:
        return MovedDate(None)
    if other != expression.text:
        return MovedDate(other)
    return MovedDate(other, kept=True) if expression.kind in _COARSE else MovedDate(None)
