"""Words as a patient's notes have them: ordinary ones, other spellings, typos, titles.

A name that is an ordinary word is taken with more care, and a typo is none if it makes one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import product

from rapidfuzz import process
from rapidfuzz.distance import OSA

from innominate.detect.known.passage import Passage
from innominate.detect.rules.sources import library_words
from innominate.languages import load_languages, words_of_all
from innominate.surrogates.names import particles
from innominate.text.accents import fold_in_place, fold_word

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


# How a letter may be written where a keyboard does not have it. Without one of these it loses its accent.
_WRITTEN_OUT = {"ä": ("a", "ae"), "ö": ("o", "oe"), "ü": ("u", "ue"), "å": ("a", "aa"), "ø": ("o", "oe"), "œ": ("œ", "oe"),
                "æ": ("æ", "ae", "e"), "ß": ("ß", "ss")}  # fmt: skip
_MOST_SPELLINGS = 16


def spellings(name: str) -> tuple[str, ...]:
    """Fold a name in every way it may be written.

    >>> spellings("Müller")
    ('muller', 'mueller')
    """
    letters = [_WRITTEN_OUT.get(letter, (fold_in_place(letter),)) for letter in unicodedata.normalize("NFC", name).lower()]
    forms: list[str] = []
    for choice in product(*letters):
        forms.append("".join(choice))
        if len(forms) == _MOST_SPELLINGS:
            break
    return tuple(dict.fromkeys(forms))


ONE_EDIT, TWO_EDITS = 5, 9  # letters from which on so many edits are allowed


def edits_allowed(word: str) -> int:
    """How many letters may be wrong, missing, added or swapped.

    >>> [edits_allowed(word) for word in ("Anna", "Marie", "christiansen")]
    [0, 1, 2]
    """
    return (len(word) >= ONE_EDIT) + (len(word) >= TWO_EDITS)


def near(known: Iterable[str], words: Sequence[str]) -> dict[str, str]:
    """Return the words that are nearly a known one, with the one they are nearest to.

    >>> near(["christiansen", "marie"], ["chritsiansne", "maria", "mari", "christian"])
    {'chritsiansne': 'christiansen', 'maria': 'marie', 'mari': 'marie'}
    """
    best: dict[str, tuple[float, str]] = {}
    for name in known:
        allowed = edits_allowed(name)
        if not allowed:
            continue
        for word, distance, _ in process.extract(name, words, scorer=OSA.distance, score_cutoff=allowed, limit=None):
            if distance and (word not in best or distance < best[word][0]):
                best[word] = (distance, name)
    return {word: name for word, (_, name) in best.items()}


_LONGEST_TITLE = 16  # characters of a title with what separates it from the name


def is_after_title(start: int, passage: Passage) -> bool:
    """Say whether a title ends right before a place.

    >>> is_after_title(4, Passage.of("Mme petit")), is_after_title(7, Passage.of("un peu petit"))
    (True, False)
    """
    return _title_before().search(passage.low, max(0, start - _LONGEST_TITLE), start) is not None


@cache
def _title_before() -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W\d_])(?:{'|'.join(titles())})(?:\.\s{{0,2}}|\s{{0,2}}:\s{{0,2}}|\s{{1,2}})\Z")
