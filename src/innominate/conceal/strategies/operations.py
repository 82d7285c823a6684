"""What a policy can do to a span besides pseudonyms: keep it, keep a part of it, or put its class or a mask in its place.

Kept is what pseudonyms leave as well, as long as it is what it says: times of the day, ages, countries, relations.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

from innominate.conceal.people.ages import age_of, generalise_age
from innominate.conceal.people.kin import DESCRIBED, is_description, tells_relation
from innominate.conceal.places.atlas import atlas
from innominate.core import Document, Span
from innominate.languages import load_language
from innominate.surrogates.dates import words
from innominate.text.accents import fold_word

_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_DIGIT = re.compile(r"\d")
_MASK = "XXXX"
_OLDEST = 89
_CLOCK = re.compile(
    r"(?i)\W*\d{1,2}\s?(?:[:h.]\s?(?:\d{2})?|hrs?|heures?|uhr)?\s?(?:\d{2})?\s?(?:[ap]\.?\s?m\.?|h(?:rs?)?|min|hours?)?\W*"
)
_WORD = re.compile(r"[^\W\d_]+")
_LONGEST_AGE = 40  # characters


@dataclass(frozen=True, slots=True)
class SpanInNote:
    """A span to treat, with what an operation may want to know."""

    span: Span
    original: str
    document: Document
    lang: str


Operation = Callable[[SpanInNote], str | None]  # the new text, or None where the class has to stand in


def by_class(case: SpanInNote) -> str:
    """The name of the label."""
    return f"<{case.span.label}>"


def mask(case: SpanInNote) -> str:
    """The same mask whatever the length."""
    return _MASK


def year(case: SpanInNote) -> str | None:
    """The year of a date alone. One more than 89 years before the last year of the note would tell a high age.

    >>> year(SpanInNote(Span(0, 10, "DATE"), "3 mai 1950", Document("n", "3 mai 1950, vu le 4.5.2021"), "fr"))
    '1950'
    """
    found = _YEAR.findall(case.original)
    if len(found) != 1:
        return None
    # the note may have no year at all where the span is a piece of a longer number
    latest = max(map(int, (found[0], *_YEAR.findall(case.document.text))))
    return found[0] if latest - int(found[0]) <= _OLDEST else None


def zip3(case: SpanInNote) -> str | None:
    """The first three digits of a postal code, or 000 where fewer than 20,000 people live under them (45 CFR 164.514).

    >>> note = Document("n", "02139, 03601")
    >>> [zip3(SpanInNote(Span(0, 5, "ZIP"), code, note, "en")) for code in ("02139", "03601")]
    ['021', '000']
    """
    digits = "".join(_DIGIT.findall(case.original))
    if len(digits) < 5:  # three digits of four are nearly all of it
        return None
    return "000" if digits[:3] in load_language(case.lang).places.small_zips else digits[:3]


def zip1(case: SpanInNote) -> str | None:
    """The first digit of a postal code, which is a large area everywhere: 1xxx."""
    digits = "".join(_DIGIT.findall(case.original))
    return digits[0] + "x" * (len(digits) - 1) if len(digits) >= 4 else None


def region(case: SpanInNote) -> str | None:
    """The canton, state, province or county of a town; a region stays; anything smaller has none.

    >>> region(SpanInNote(Span(0, 8, "CITY"), "Lausanne", Document("n", "Lausanne"), "fr"))
    'VD'
    """
    known = atlas(case.lang)
    form = fold_word(case.original.strip())
    if form in known.regions:
        return case.original
    town = known.towns.get(form)
    return town.town.region or None if town and town.town.country == known.home else None


def age90(case: SpanInNote) -> str | None:
    """Ages over 89 become 90+, others stay."""
    if age_of(case.original, case.lang) is None:
        return None  # what is no age must not stay as one
    return generalise_age(case.original, case.lang) or case.original


def keep(case: SpanInNote) -> str:
    """What it was."""
    return case.original


# Those that cut a text down serve the kinds that name them under `cuts`.
OPERATIONS: dict[str, Operation] = {
    "class": by_class,
    "mask": mask,
    "keep": keep,
    "year": year,
    "zip3": zip3,
    "zip1": zip1,
    "region": region,
    "age90": age90,
}


@lru_cache(maxsize=4096)  # ages, times and countries are few
def is_what_it_says(original: str, kind: str, lang: str) -> bool:
    """Say whether a text is what its kind says, so that keeping it keeps nothing else.

    >>> is_what_it_says("Suisse", "country", "fr"), is_what_it_says("Rochat", "country", "fr")
    (True, False)
    """
    if kind == "age":
        return len(original) < _LONGEST_AGE and age_of(original, lang) is not None
    if kind == "time":
        return is_time(original, lang)
    if kind == "country":
        return is_country(original, lang)
    if kind == "region":
        return fold_word(original) in atlas(lang).regions
    if kind == "sex":
        return is_sex(original, lang)
    if kind == "kin":
        return tells_relation(original, lang)
    return kind not in DESCRIBED or is_description(original, kind, lang)


def is_country(text: str, lang: str) -> bool:
    """Say whether a text names a country."""
    return fold_word(text.strip(" .()")) in atlas(lang).countries


def is_time(text: str, lang: str) -> bool:
    """Say whether a text is a time of the day and nothing else.

    >>> is_time("14h30", "fr"), is_time("sept heures et demie", "fr"), is_time("Rochat", "fr")
    (True, True, False)
    """
    if _CLOCK.fullmatch(text):
        return True
    found = [fold_word(word) for word in _WORD.findall(text)]
    return bool(found) and len(re.findall(r"\d", text)) <= 8 and all(word in _time_words(lang) for word in found)


def is_sex(text: str, lang: str) -> bool:
    """Say whether a text is the sex of a person and nothing else.

    >>> is_sex("Varón", "es"), is_sex("Eva", "es")
    (True, False)
    """
    known = load_language(lang).sex_words
    return all(fold_word(word) in known for word in _WORD.findall(text)) and not re.search(r"\d", text)


@cache
def _time_words(lang: str) -> frozenset[str]:
    numbers = {part for word in words(lang)[:61] for part in _WORD.findall(fold_word(word))}
    return load_language(lang).time_words | numbers
