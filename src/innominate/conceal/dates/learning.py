"""Learning the context of a note from all of its date expressions, before any of them is moved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from innominate.conceal.dates.context import UNKNOWN, DateContext, newest_year
from innominate.conceal.dates.forms import DateMatch, match_forms
from innominate.conceal.dates.habits import WritingHabits
from innominate.conceal.dates.moment import Unit
from innominate.conceal.dates.reading import DateReading, read_date


def learn_context(
    texts: Iterable[str], lang: str, *, reference: date | None = None, births: Sequence[date] = (), accents: bool = True
) -> DateContext:
    """The context of a note with these date expressions.

    `reference` is the day of the note if the caller knows it (else its latest full date), `births` are known birth dates, and
    `accents` is False for a note that is written without any.

    >>> learn_context(["18/03/2022", "05/04/2022"], "en").order.preferred("/")
    'dmy'
    """
    return learn_with_readings(texts, lang, reference=reference, births=births, accents=accents)[0]


def learn_with_readings(
    texts: Iterable[str], lang: str, *, reference: date | None = None, births: Sequence[date] = (), accents: bool = True
) -> tuple[DateContext, dict[str, DateReading]]:
    """The same, with the readings that nothing else in the note can change: those of full dates, or else all."""
    likeliest = [read_as[0] for text in dict.fromkeys(texts) if (read_as := match_forms(text, lang))]
    usual = DateContext.of(lang)
    order, newest = usual.order.learned(likeliest), newest_year(_years(likeliest), reference)
    context = DateContext(order, usual.habits, reference or UNKNOWN, newest)
    full = _read([match for match in likeliest if match.layout.full], context)
    dates = [moment.day for reading in full for moment in reading.moments]
    days = tuple(sorted({*dates, *births}))
    context = DateContext(order, usual.habits, reference or max(dates, default=UNKNOWN), newest, days)
    parts = _read([match for match in likeliest if not match.layout.full], context)
    readings = [*full, *parts]
    habits = WritingHabits(lang, accents=accents).learned([(reading.match, reading.roles) for reading in readings])
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
