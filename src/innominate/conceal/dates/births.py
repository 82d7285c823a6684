"""Birth dates: those that the metadata of a note say, and those that its text says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any

from innominate.conceal.dates.expression import parse_date
from innominate.conceal.dates.learning import learn_context
from innominate.core import Document
from innominate.detect.known.births import readings
from innominate.labels import kind_of
from innominate.languages import load_language
from innominate.text.accents import fold_word

META = "birth"  # a date, or several, in the metadata of a note
_REACH = 40  # characters before a date in which a word such as "born" counts


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
