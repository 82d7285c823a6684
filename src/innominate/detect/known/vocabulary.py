"""Ordinary words: a name that is one is taken with more care, and a typo is none if it makes one."""

from __future__ import annotations

from functools import cache, lru_cache

from innominate.detect.rules.providers import library_words
from innominate.languages import load_languages, words_of_all
from innominate.surrogates.names import particles
from innominate.text.accents import fold_word

_SHORT_PARTICLES = frozenset(["d", "l", "o", "y", "e", "i", "et", "and", "och", "ne", "nee"])
KNOWN_FROM = 1.5  # Zipf frequency, one in 30 million words; rarer words are taken for typos


@cache
def common(lang: str) -> frozenset[str]:
    """The words of a language that a reader would not take for a name, folded.

    >>> "petit" in common("fr"), "christiansen" in common("fr")
    (True, False)
    """
    return frozenset(fold_word(word) for word in library_words("words:common", lang))


@lru_cache(maxsize=100_000)
def is_word(word: str, lang: str) -> bool:
    """Say whether a word, as it is written but in lower case, is known to the language at all.

    >>> is_word("rénale", "fr"), is_word("christiensen", "fr")
    (True, False)
    """
    from wordfreq import zipf_frequency

    return zipf_frequency(word, lang) >= KNOWN_FROM


def is_particle(word: str) -> bool:
    """Say whether a folded word goes with the name after it."""
    return word in _particles()


@cache
def _particles() -> frozenset[str]:
    """Particles, those that are written with an apostrophe, and words between two names."""
    return frozenset(map(fold_word, particles())).union(_SHORT_PARTICLES)


@cache
def titles() -> tuple[str, ...]:
    """Words before a name, folded, the longest first."""
    return tuple(sorted(words_of_all(lambda language: language.names.cues), key=lambda word: (-len(word), word)))


@cache
def street_types() -> dict[str, frozenset[str]]:
    """The forms of each word that says what kind of street it is.

    >>> "bd" in street_types()["boulevard"]
    True
    """
    groups = [frozenset(line.split()) for language in load_languages() for line in language.streets.forms]
    return {word: frozenset().union(*(group for group in groups if word in group)) for group in groups for word in group}
