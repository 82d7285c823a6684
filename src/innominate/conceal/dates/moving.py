"""The dates of a note, moved by the secret shift of its patient; birth dates, as metadata and text say them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from innominate.conceal.dates.context import DateContext
from innominate.conceal.dates.expression import DateExpression, UnwritableError, parse_date
from innominate.conceal.dates.reading import DateReading, learn_context, learn_with_readings
from innominate.conceal.dates.shift import MOVE, age_changes, possible_shifts
from innominate.conceal.dates.verify import verify_dates
from innominate.conceal.keys import Key
from innominate.core import Document
from innominate.detect.known.numbers import readings
from innominate.labels import kind_of
from innominate.languages import load_language
from innominate.text.accents import fold_word

_COARSE = ("weekday", "decade")  # a decade is so long that most shifts stay in it, and says no more than a weekday
_STRETCHES = ("month", "season", "year")  # these go along with a day of the note
META = "birth"  # a date, or several, in the metadata of a note
_REACH = 40  # characters before a date in which a word such as "born" counts


@dataclass(slots=True, repr=False)  # dates of a patient must not reach a log
class MovedDate:
    """What a date expression became: another text, the same one because it is a weekday or a decade, or None to be masked."""

    text: str | None
    kept: bool = False


def patient_shift(key: Key, name: str, weekdays: str = MOVE) -> int:
    """The shift of a patient or document: it depends on these and the key alone, so notes and tables always agree.

    >>> patient_shift(Key(bytes(32)), "patient:7", "keep") % 7
    0
    """
    shifts = possible_shifts(weekdays)
    return shifts[key.digest("dates", name) % len(shifts)]


def parse_dates(texts: Sequence[str], lang: str, context: DateContext | None = None) -> list[DateExpression | None]:
    """Read the date expressions of a note, in the order of the text; None for those that must be masked.

    >>> [found.days[0].isoformat() for found in parse_dates(["5", "9 mars", "12.3.2021"], "fr") if found]
    ['2021-03-05', '2021-03-09', '2021-03-12']
    """
    full: dict[str, DateReading] = {}
    known = context
    if known is None:
        known, full = learn_with_readings(texts, lang)
    found: list[DateExpression | None] = []
    near: date | None = None
    for text in reversed(texts):  # a lone number of a day belongs to the date that follows it
        reading = full.get(text)
        expression = DateExpression(text, reading, known) if reading else parse_date(text, lang, context=known, near=near)
        first = expression.reading.moments[:1] if expression else ()
        near = first[0].day if first and first[0].unit == "day" else None
        found.append(expression)
    return found[::-1]


def move_dates(
    texts: Sequence[str],
    lang: str,
    days: int,
    *,
    followed: Collection[int] = (),
    births: Collection[date] = (),
    ages: Collection[int] = (),
) -> list[MovedDate]:
    """Move the date expressions of a note, in the order of the text; `DatesChangedError` if they no longer add up.

    `followed` are the numbers of those right after which the next one stands, as in `du 5 au 9 mars`. A day on which the age
    of somebody born on one of `births` would change is masked; if the note states `ages`, only where it is one of those.

    >>> [found.text for found in move_dates(["18.03.2022", "lundi", "le 99.99.99"], "fr", 700)]
    ['16.02.2024', 'lundi', None]
    """
    expressions = parse_dates(texts, lang)
    _join_ranges(expressions, followed)
    result = [_move(expression, days) if expression else MovedDate(None) for expression in expressions]
    for i, expression in enumerate(expressions):
        told = expression.days if births and expression and expression.full else ()
        if any(age_changes(birth, day, days, ages) for birth in births for day in told):
            result[i] = MovedDate(None)
    _follow_what_shows(expressions, result, days)
    both = [(one, made.text) for one, made in zip(expressions, result, strict=True) if one and made.text is not None]
    if both:  # what cannot be true any more must not be written; the note is withheld
        pairs = [(one.text, text) for one, text in both]
        originals = [one for one, _ in both]
        verify_dates(pairs, lang, context=originals[0].context, originals=originals, births=births, ages=ages)
    return result


def _join_ranges(expressions: Sequence[DateExpression | None], followed: Collection[int]) -> None:
    """Tell a number of a day that it begins a range; what it is itself has been read from the end already."""
    for i in sorted(followed, reverse=True):
        begin, end = expressions[i], expressions[i + 1] if i + 1 < len(expressions) else None
        if begin and end and end.kind == "day" and begin.reading.match.layout.kind == "day":
            begin.until = end.until or end.days[0]


def _follow_what_shows(expressions: list[DateExpression | None], result: list[MovedDate], days: int) -> None:
    """Move months, seasons and years with the days that can still be read; one that was masked no longer decides."""
    both = [(one, made.text is not None) for one, made in zip(expressions, result, strict=True) if one]
    if all(shows for _, shows in both):
        return
    context = both[0][0].context.showing({day for one, shows in both if shows for day in one.days})
    for i, expression in enumerate(expressions):
        if expression and expression.kind in _STRETCHES:
            again = expressions[i] = parse_date(expression.text, context.lang, context=context)
            result[i] = _move(again, days) if again else MovedDate(None)


def _move(expression: DateExpression, days: int) -> MovedDate:
    try:
        other = expression.shifted(days)
    except UnwritableError:
        return MovedDate(None)
    if other != expression.text:
        return MovedDate(other)
    return MovedDate(other, kept=True) if expression.kind in _COARSE else MovedDate(None)


def births_of(meta: Mapping[str, Any]) -> tuple[date, ...]:
    """The birth dates that the metadata say; where day and month could be either, both.

    >>> births_of({"birth": "1950-05-13"}), births_of({})
    ((datetime.date(1950, 5, 13),), ())
    """
    given = meta.get(META)
    if not given:
        return ()
    values = (given,) if isinstance(given, str) else given if isinstance(given, Sequence) else (str(given),)
    return tuple(dict.fromkeys(day for value in values for day in readings(str(value))))


def births_in(document: Document, lang: str) -> tuple[date, ...]:
    """The birth dates that the marked dates of a note are, by the words before them.

    >>> from innominate.core import annotated
    >>> births_in(annotated("Mme X, née le [3 mai 1950](DATE), vue le [4.5.2021](DATE)"), "fr")
    (datetime.date(1950, 5, 3),)
    """
    dates = [span for span in document.spans if kind_of(span.label) == "date"]
    text = document.text
    # the words end where another date does: `née le 3.5.1950, vue le 4.5.2021`
    ends = [0, *(span.end for span in dates)]
    born = [
        bool(_cue(lang).search(fold_word(text[max(end, span.start - _REACH) : span.start])))
        for end, span in zip(ends, dates, strict=False)
    ]
    if not any(born):
        return ()
    known = learn_context([span.of(text) for span in dates], lang)
    found = [parse_date(span.of(text), lang, context=known) for span, is_birth in zip(dates, born, strict=True) if is_birth]
    return tuple(dict.fromkeys(one.days[0] for one in found if one and one.full))


@cache
def _cue(lang: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W\d_])(?:{'|'.join(load_language(lang).dates.birth)})[^\n.;]*\Z")
