"""All dates of a note at once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from innominate.conceal.dates.context import Context
from innominate.conceal.dates.expression import DateExpression, UnwritableError, parse
from innominate.conceal.dates.learning import learned
from innominate.conceal.dates.reading import Reading


def parse_all(texts: Sequence[str], lang: str, context: Context | None = None) -> list[DateExpression | None]:
    """Read the date expressions of a note, in the order of the text; None for those that must be masked.

    >>> [found.days[0].isoformat() for found in parse_all(["5", "9 mars", "12.3.2021"], "fr") if found]
    ['2021-03-05', '2021-03-09', '2021-03-12']
    """
    full: dict[str, Reading] = {}
    known = context
    if known is None:
        known, full = learned(texts, lang)
    found: list[DateExpression | None] = []
    near: date | None = None
    for text in reversed(texts):  # a lone number of a day belongs to the date that follows it
        reading = full.get(text)
        expression = DateExpression(text, lang, reading, known) if reading else parse(text, lang, context=known, near=near)
        first = expression.reading.moments[:1] if expression else ()
        near = first[0].day if first and first[0].unit == "day" else None
        found.append(expression)
    return found[::-1]


def shift_all(texts: Sequence[str], lang: str, days: int, context: Context | None = None) -> list[str | None]:
    """Move the date expressions of a note; None where the caller must mask.

    >>> shift_all(["le 18 mars 2022", "mars 2022", "18.03.20222"], "fr", 7 * 100)
    ['le 16 février 2024', 'février 2024', None]
    """
    return [_shifted(found, days) if found else None for found in parse_all(texts, lang, context)]


def _shifted(expression: DateExpression, days: int) -> str | None:
    try:
        return expression.shifted(days)
    except UnwritableError:
        return None
