"""From a form to moments: what the parts of an expression say, and what the rest of the note adds.

The context of a note is learned from all of its date expressions, before any of them is moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from innominate.conceal.dates.calendar_names import calendar_names, holiday
from innominate.conceal.dates.context import UNKNOWN, DateContext, Moment, Unit, add_months, newest_year, season_start
from innominate.conceal.dates.forms import DateMatch, match_forms
from innominate.conceal.dates.habits import WritingHabits

_NO_ROLES: tuple[Mapping[str, str], ...] = ({},)


@dataclass(slots=True, repr=False)  # dates of a patient must not reach a log
class DateReading:
    """An expression understood: its form, the roles of its ambiguous numbers, and one moment, or two for a range."""

    match: DateMatch
    roles: Mapping[str, str]
    moments: tuple[Moment, ...]


Parts = dict[str, int]


def read_date(text: str, context: DateContext, near: date | None = None) -> DateReading | None:
    """Read an expression in the light of its note; None if it is no date, or an impossible one such as 31.02.2020.

    >>> reading = read_date("3-4#12#2020", DateContext.of("fr"))
    >>> [str(moment.day) for moment in reading.moments], reading.match.layout.full
    (['2020-12-03', '2020-12-04'], True)
    """
    for match in match_forms(text, context.lang):
        for roles in context.order.readings(match) if "a" in match.layout.roles else _NO_ROLES:
            reading = read_match(match, context, roles, near)
            if reading:
                return reading
    return None


def read_match(
    match: DateMatch, context: DateContext, roles: Mapping[str, str], near: date | None = None
) -> DateReading | None:
    """Read an expression whose form, and order of numbers, are known already."""
    if not match.parts:
        return DateReading(match, roles, ()) if match.layout.weekday is not None else None
    try:
        if match.layout.plain:
            return DateReading(match, roles, (Moment("day", _plain_day(match, context, roles)),))
        parts = _parts(match, context, roles, 0)
        if match.layout.is_range:
            return DateReading(match, roles, _range((parts, _parts(match, context, roles, 1)), context))
        return DateReading(match, roles, (_moment(match, parts, context, near),))
    except ValueError:  # the 31st of February, week 60
        return None


def _plain_day(match: DateMatch, context: DateContext, roles: Mapping[str, str]) -> date:
    """The day of a date with day, month and year, as most dates are; ValueError if there is no such day."""
    year = month = day = 0
    for name, text in match.parts:
        role = roles.get(name, name)
        if role == "y":
            year = int(text) if len(text) == 4 else context.full_year(text)
        elif role == "M":
            month = calendar_names(context.lang, "months").position(text) + 1
        else:
            number = int(text if text.isdecimal() else "".join([c for c in text if c.isdecimal()]))
            if role == "d":
                day = number
            else:
                month = number
    return date(year, month, day)


def _parts(match: DateMatch, context: DateContext, roles: Mapping[str, str], end: int) -> Parts:
    """The numbers of one end of an expression by role."""
    parts: Parts = {}
    for i, (name, text) in enumerate(match.parts):
        if match.layout.fields[i].end != end:
            continue
        role = roles.get(name, name)
        if role == "y":
            parts["y"] = context.full_year(text)
        elif role == "M":
            parts["m"] = calendar_names(context.lang, "months").position(text) + 1
        elif role == "S":
            parts["S"] = calendar_names(context.lang, "seasons").position(text)
        elif role == "t":
            parts["t"] = context.full_year(text)
        elif role != "H":
            parts[role] = int(text if text.isdecimal() else "".join(c for c in text if c.isdecimal()))
    return parts


def _moment(match: DateMatch, parts: Parts, context: DateContext, near: date | None) -> Moment:
    """The moment of an expression that is no range; ValueError if there is no such day."""
    if match.has("H"):
        return _holiday(match, parts.get("y"), context)
    if "d" in parts and "m" not in parts:
        return _day(context.day_in_some_month(parts["d"], match.layout.weekday, near))
    if "d" in parts and "y" not in parts:
        if not 1 <= parts["d"] <= 31 or not 1 <= parts["m"] <= 12:
            raise ValueError
        date(2000, parts["m"], parts["d"])
        return _day(context.day_in_some_year(parts["m"], parts["d"], match.layout.weekday))
    return _single(parts, context)


def _single(parts: Parts, context: DateContext) -> Moment:
    """A moment whose year is written or does not matter much."""
    year = parts.get("y")
    if "d" in parts and "m" in parts:
        day = date(year, parts["m"], parts["d"]) if year else context.day_in_some_year(parts["m"], parts["d"])
        return _day(day)
    if "m" in parts:
        return context.month(date(year, parts["m"], 1) if year else context.month_in_some_year(parts["m"]))
    if "k" in parts:
        return Moment("week", date.fromisocalendar(year or context.reference.year, parts["k"], 1))
    if "S" in parts:
        return context.season(season_start(year or context.reference.year, parts["S"]))
    if "t" in parts:
        return Moment("decade", date(parts["t"] + 5, 1, 1))
    if year:
        return context.year(year)
    raise ValueError


def _day(day: date | None) -> Moment:
    if not day:
        raise ValueError
    return Moment("day", day)


def _holiday(match: DateMatch, year: int | None, context: DateContext) -> Moment:
    name = match.value("H")
    if year:
        return Moment("day", holiday(name, context.lang, year))
    around = (holiday(name, context.lang, context.reference.year + step) for step in (-1, 0, 1))
    return Moment("day", min(around, key=lambda day: abs((day - context.reference).days)))


def _range(ends: tuple[Parts, Parts], context: DateContext) -> tuple[Moment, Moment]:
    """Both ends of a range. The end that says more is read first; the other is the nearest day before or after it."""
    first, second = ends
    if "m" in first and ("m" not in second or ("y" in first and "y" not in second)):
        start = _single(first, context)
        return start, _other(second, start, context, step=1)
    end = _single(second, context) if set(second) != {"y"} or "y" in first else _single({**first, **second}, context)
    return _other(first, end, context, step=-1), end


def _other(parts: Parts, known: Moment, context: DateContext, step: int) -> Moment:
    """The end of a range that leaves out what the other says: `30-2 mars` begins in February, `March 30-2` ends in April."""
    base = known.day
    if "y" in parts:
        return _single(parts, context)
    if "k" in parts:
        week = Moment("week", date.fromisocalendar(base.isocalendar().year, parts["k"], 1))
        return (
            week
            if (week.day - base).days * step >= 0
            else Moment("week", date.fromisocalendar(base.year + step, parts["k"], 1))
        )
    year, month = base.year, parts.get("m", base.month)
    if "d" not in parts:
        first = date(year, month, 1)
        return context.month(first if (first - base).days * step >= 0 else date(year + step, month, 1))
    if "m" in parts:
        behind = ((month, parts["d"]) < (base.month, base.day)) if step > 0 else ((month, parts["d"]) > (base.month, base.day))
        return Moment("day", date(year + step if behind else year, month, parts["d"]))
    if (parts["d"] - base.day) * step < 0:
        neighbour = add_months(base, step)
        year, month = neighbour.year, neighbour.month
    return Moment("day", date(year, month, parts["d"]))


def learn_context(texts: Iterable[str], lang: str) -> DateContext:
    """The context of a note with these date expressions.

    >>> learn_context(["18/03/2022", "05/04/2022"], "en").order.preferred("/")
    'dmy'
    """
    return learn_with_readings(texts, lang)[0]


def learn_with_readings(texts: Iterable[str], lang: str) -> tuple[DateContext, dict[str, DateReading]]:
    """The same, with the readings that nothing else in the note can change: those of full dates, or else all."""
    likeliest = [read_as[0] for text in dict.fromkeys(texts) if (read_as := match_forms(text, lang))]
    usual = DateContext.of(lang)
    order, newest = usual.order.learned(likeliest), newest_year(_years(likeliest))
    context = DateContext(order, usual.habits, UNKNOWN, newest)
    full = _read([match for match in likeliest if match.layout.full], context)
    dates = [moment.day for reading in full for moment in reading.moments]
    days = tuple(sorted(set(dates)))
    context = DateContext(order, usual.habits, max(dates, default=UNKNOWN), newest, days)
    parts = _read([match for match in likeliest if not match.layout.full], context)
    readings = [*full, *parts]
    habits = WritingHabits(lang).learned([(reading.match, reading.roles) for reading in readings])
    models = _models(readings, usual.models)
    inferred, months = (_days(parts, "day"), _days(parts, "month")) if parts else ((), ())
    found = DateContext(order, habits, context.reference, newest, days, inferred, months, models)
    settled = full if inferred or months else readings  # a year has no more to go along with than when it was read
    return found, {reading.match.text: reading for reading in settled}


def _days(readings: Iterable[DateReading], unit: Unit) -> tuple[date, ...]:
    """What is known to the day, or to the month, once the full dates tell the year."""
    return tuple(sorted({moment.day for reading in readings for moment in reading.moments if moment.unit == unit}))


def _read(expressions: Sequence[DateMatch], context: DateContext) -> list[DateReading]:
    return [reading for match in expressions if (reading := read_date(match.text, context))]


def _years(found: Iterable[DateMatch]) -> list[int]:
    return [int(value) for match in found for role, value in match.parts if role == "y" and len(value) == 4]


def _models(readings: Sequence[DateReading], usual: tuple[str, str]) -> tuple[str, str]:
    """A date in words with its year and one without: the note's own, or those that are usual in the language."""
    full, short = usual
    for reading in readings:
        match, layout = reading.match, reading.match.layout
        if layout.kind != "name" or layout.is_range or layout.weekday is not None:
            continue
        if layout.fields[0].start == 0 and layout.fields[-1].stop == len(match.text):
            if layout.full:
                full = match.text
            elif match.has("d"):
                short = match.text
    return full, short
