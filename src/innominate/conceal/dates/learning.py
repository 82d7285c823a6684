"""Learning the context of a note from all of its date expressions, before any of them is moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from innominate.conceal.dates.context import UNKNOWN, Context, newest_year
from innominate.conceal.dates.forms import Match, matches
from innominate.conceal.dates.habits import Habits
from innominate.conceal.dates.moment import Unit
from innominate.conceal.dates.names import read_data
from innominate.conceal.dates.reading import Reading, read


def learn(
    texts: Iterable[str], lang: str, *, reference: date | None = None, births: Sequence[date] = (), accents: bool = True
) -> Context:
    """The context of a note with these date expressions.

    `reference` is the day of the note if the caller knows it (else its latest full date), `births` are known birth dates, and
    `accents` is False for a note that is written without any.

    >>> learn(["18/03/2022", "05/04/2022"], "en").order.preferred("/")
    'dmy'
    """
    return learned(texts, lang, reference=reference, births=births, accents=accents)[0]


def learned(
    texts: Iterable[str], lang: str, *, reference: date | None = None, births: Sequence[date] = (), accents: bool = True
) -> tuple[Context, dict[str, Reading]]:
    """The same, with the readings of the full dates, which nothing else in the note can change."""
    expressions = list(dict.fromkeys(texts))
    likeliest = [read_as[0] for text in expressions if (read_as := matches(text, lang))]
    usual = Context.of(lang)
    order, newest = usual.order.learned(likeliest), newest_year(_years(likeliest), reference)
    context = Context(order, usual.habits, reference or UNKNOWN, newest)
    full = _read([match for match in likeliest if match.layout.full], lang, context)
    dates = [moment.day for reading in full for moment in reading.moments]
    days = tuple(sorted({*dates, *births}))
    context = Context(order, usual.habits, reference or max(dates, default=UNKNOWN), newest, days)
    parts = _read([match for match in likeliest if not match.layout.full], lang, context)
    readings = [*full, *parts]
    habits = Habits(lang, accents=accents).learned((reading.match, reading.roles) for reading in readings)
    models = _models([reading.match for reading in readings], lang)
    found = Context(order, habits, context.reference, newest, days, _days(parts, "day"), _days(parts, "month"), models)
    return found, {reading.match.text: reading for reading in full}


def _days(readings: Iterable[Reading], unit: Unit) -> tuple[date, ...]:
    """What is known to the day, or to the month, once the full dates tell the year."""
    return tuple(sorted({moment.day for reading in readings for moment in reading.moments if moment.unit == unit}))


def _read(expressions: Sequence[Match], lang: str, context: Context) -> list[Reading]:
    return [reading for match in expressions if (reading := read(match.text, lang, context))]


def _years(found: Iterable[Match]) -> Iterator[int]:
    for match in found:
        yield from (int(field.text) for field in match.fields if field.role == "y" and len(field.text) == 4)


def _models(found: Sequence[Match], lang: str) -> tuple[str, str]:
    """A date in words with its year and one without: the note's own, or those that are usual in the language."""
    full, short = read_data("habits.toml", lang)["model"]
    for match in found:
        if match.layout.kind != "name" or match.layout.is_range or match.layout.weekday is not None:
            continue
        if match.fields[0].start == 0 and match.fields[-1].stop == len(match.text):
            if match.layout.full:
                full = match.text
            elif match.has("d"):
                short = match.text
    return full, short
