"""What pseudonyms leave as it is, as long as it is what it says: times of the day, ages, countries, relations."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from innominate.conceal.people.ages import age_of
from innominate.conceal.people.descriptions import DESCRIBED, is_description
from innominate.conceal.people.kin import tells_relation
from innominate.conceal.places.atlas import atlas
from innominate.languages import load_language
from innominate.surrogates.numbers import words
from innominate.text.accents import fold_word

_CLOCK = re.compile(
    r"(?i)\W*\d{1,2}\s?(?:[:h.]\s?(?:\d{2})?|hrs?|heures?|uhr)?\s?(?:\d{2})?\s?(?:[ap]\.?\s?m\.?|h(?:rs?)?|min|hours?)?\W*"
)
_WORD = re.compile(r"[^\W\d_]+")
_LONGEST_AGE = 40  # characters


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
