"""The invariant of dates, checked on what was written: intervals, ages and forms are those of the original note.

The note is read again with the order and habits of the original, without asking how its dates were moved.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, timedelta

from innominate.conceal.dates.calendar_names import calendar_names, style_of
from innominate.conceal.dates.context import DateContext, season
from innominate.conceal.dates.expression import DateExpression, parse_date
from innominate.conceal.dates.forms import DateMatch, match_as, match_like
from innominate.conceal.dates.reading import DateReading, learn_context, read_date, read_match
from innominate.conceal.dates.shift import age_changes
from innominate.core import InnominateError
from innominate.languages import load_language

Pair = tuple[str, str]  # a date expression, and what stands in its place
_CENTURY = 50  # years after the original up to which two digits are read
_TABLES = {"M": "months", "S": "seasons"}
_DIGITS = "0123456789"


class DatesChangedError(InnominateError):
    """The dates of a concealed note no longer add up: quarantine it. Says which date it is, never what it says."""


def verify_dates(
    pairs: Sequence[Pair],
    lang: str,
    *,
    context: DateContext | None = None,
    births: Collection[date] = (),
    ages: Collection[int] = (),
    originals: Sequence[DateExpression] = (),
) -> None:
    """Raise `DatesChangedError` if an interval, an age or a form changed. Pairs are those that were moved, not masked.

    `births` are the original birth dates of the patient; `ages` are the ages that the note states. The age on a full date
    of the note must stay; with `ages`, only where it is one of those. `originals` are the first of each pair where they have
    been read already.

    >>> verify_dates([("18.03.2022", "16.04.2021"), ("mars 2022", "avril 2021")], "fr")
    >>> verify_dates([("18.03.2022", "16.04.2021"), ("19.03.2022", "18.04.2021")], "fr")
    Traceback (most recent call last):
    innominate.conceal.dates.verify.DatesChangedError: date 2: an interval to another date changed
    """
    known = context or learn_context((original for original, _ in pairs), lang)
    olds = originals or [_original(number, original, lang, known) for number, (original, _) in enumerate(pairs, 1)]
    both = [(number, old, new) for number, (old, (_, new)) in enumerate(zip(olds, pairs, strict=True), 1)]
    full = [one for one in both if one[1].reading.match.layout.full]
    shift = _shift(full, known)
    days = tuple([moment.day for _, old, _ in full for moment in old.reading.moments])
    parts = [one for one in both if not one[1].reading.match.layout.full] if len(full) < len(both) else []
    later = known.moved(shift) if shift and parts else None
    if shift:
        _check_weekdays(both, shift)
    for number, old, new in parts:
        if new == old.text and not old.reading.moments:
            continue  # a day of the week stays where the shift is whole weeks
        reading = _read_again(number, old, new, later)
        if shift and reading and old.kind in _LABELS and not _agrees(old, reading, days, shift):
            raise DatesChangedError(f"date {number}: a part of a date contradicts a full one")
    if shift and any(age_changes(birth, day, shift.days, ages) for birth in births for day in days):
        raise DatesChangedError("the patient's age on a day of the note changed")


def _original(number: int, original: str, lang: str, context: DateContext) -> DateExpression:
    found = parse_date(original, lang, context=context)
    if not found:
        raise DatesChangedError(f"date {number}: cannot be read, and was not masked")
    return found


def _check_weekdays(both: Sequence[tuple[int, DateExpression, str]], shift: timedelta) -> None:
    for number, old, new in both:
        before = old.reading.match.layout
        match = match_as(new, old.context.lang, before.form) if before.weekday is not None else None
        if match and before.weekday is not None and match.layout.weekday != (before.weekday + shift.days) % 7:
            raise DatesChangedError(f"date {number}: a day of the week did not move along")


def _read_again(number: int, old: DateExpression, concealed: str, context: DateContext | None) -> DateReading | None:
    """What stands in the place of an expression, read in the same form; without a context only the form is checked."""
    before, lang = old.reading.match, old.context.lang
    if before.has("H"):
        plain = read_date(concealed, context or old.context)
        if not plain or plain.match.has("H"):
            raise DatesChangedError(f"date {number}: a holiday did not become a plain date")
        return plain
    match = match_like(concealed, before)
    if not match:
        match = match_as(concealed, lang, before.layout.form)
        if not match or not same_form(before, match, lang):
            raise DatesChangedError(f"date {number}: the form changed")
    if not context:
        return None
    near = context
    if match.layout.short_year and old.reading.moments:
        near = context.until(old.reading.moments[0].day.year + _CENTURY)
    reading = read_match(match, near, old.reading.roles)
    if not reading:
        raise DatesChangedError(f"date {number}: is no real date any more")
    return reading


def _shift(full: Sequence[tuple[int, DateExpression, str]], context: DateContext) -> timedelta | None:
    """The number of days by which all full dates moved; None if there is no full date."""
    shift: timedelta | None = None
    for number, old, new in full:
        reading = _read_again(number, old, new, context)
        moments = reading.moments if reading else ()
        for i, before in enumerate(old.reading.moments):
            moved = moments[i].day - before.day
            if shift is not None and moved != shift:
                raise DatesChangedError(f"date {number}: an interval to another date changed")
            shift = moved
            if not shift:
                raise DatesChangedError(f"date {number}: stands as it stood")
    return shift


_LABELS: Mapping[str, Callable[[date], tuple[int, int]]] = {
    "month": lambda day: (day.year, day.month),
    "season": lambda day: (day.year, season(day)),
    "year": lambda day: (day.year, 0),
}


def _agrees(old: DateExpression, new: DateReading, days: Sequence[date], shift: timedelta) -> bool:
    """Whether a month, season or year still is that of a full date with which it shared it before."""
    if not old.reading.match.has("y"):
        return True
    label = _LABELS[old.kind]
    for before, after in zip(old.days, new.moments, strict=True):
        shared = [day + shift for day in days if label(day) == label(before)]
        if shared and label(after.day) not in map(label, shared):
            return False
    return True


def same_form(old: DateMatch, new: DateMatch, lang: str) -> bool:
    """Say whether only values differ: same words and separators, same digits, same style of names.

    >>> from innominate.conceal.dates.forms import match_forms
    >>> old, new, other = (match_forms(text, "fr")[0] for text in ("08.03.2022", "02.11.2021", "2.11.2021"))
    >>> same_form(old, new, "fr"), same_form(old, other, "fr")
    (True, False)
    """
    if len(old.parts) != len(new.parts):
        return False
    position = passed = 0
    for i, (role, value) in enumerate(old.parts):
        name, other = new.parts[i]
        _, _, start, stop = old.layout.fields[i]
        _, _, begins, ends = new.layout.fields[i]
        if (
            name != role
            or between(old, position, start) != between(new, passed, begins)
            or not _same(role, value, other, lang)
        ):
            return False
        position, passed = stop, ends
    return between(old, position, len(old.text)) == between(new, passed, len(new.text))


def between(match: DateMatch, start: int, stop: int) -> str:
    """What stands between two fields, without the days of the week, which move."""
    text = match.text[start:stop]
    for begin, end in reversed(match.layout.weekdays if not start else ()):
        text = text[:begin] + text[end:]
    return text


def _same(role: str, old: str, new: str, lang: str) -> bool:
    if role in _TABLES:
        return _same_name(old, new, lang, _TABLES[role])
    before, after = len(old) - len(old.lstrip(_DIGITS)), len(new) - len(new.lstrip(_DIGITS))
    if role in ("y", "t", "c"):
        return before == after
    if old.startswith("0") or (new.startswith("0") and before == 1):
        return before == after
    return _same_ending(old, new, lang)


def _same_ending(old: str, new: str, lang: str) -> bool:
    """Days with an ending keep one, unless only the first of the month has one in the language."""
    if not load_language(lang).ordinals.other:
        return new.isdecimal() or new.startswith("1")
    return old.isdecimal() == new.isdecimal()


def _same_name(old: str, new: str, lang: str, thing: str) -> bool:
    """Same case, and the same line of the table and full stop where both tell."""
    known = calendar_names(lang, thing)
    before, after = style_of(old, lang, thing), style_of(new, lang, thing)
    if before.case != after.case:
        return False
    if before.table is None or after.table is None:
        return True
    place = known.position(new)
    return before.stop == after.stop and known.styles[before.table][place] == known.styles[after.table][place]
