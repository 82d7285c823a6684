"""Lists as features: a token knows in which lists of the rule pack it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from innominate.detect.rules.providers import provided
from innominate.detect.rules.words import plain

# What is worth asking about a token; names of providers, which exist in every language.
ASKED = ("names:first", "names:last", "places:towns", "places:countries", "words:common")
_FEW_PARTS = 3  # towns such as `Las Palmas de Gran Canaria` say nothing about each of their words


@cache
def _members(lang: str) -> dict[bytes, tuple[str, ...]]:
    """Each word with the features of its lists; parts of short names of several words count as parts."""
    found: dict[bytes, set[str]] = {}
    for name in ASKED:
        for entry in provided(name, lang):
            parts = plain(entry).split()
            if len(parts) == 1:
                found.setdefault(parts[0], set()).add(f"g={name}")
            elif len(parts) <= _FEW_PARTS:
                for part in parts:
                    found.setdefault(part, set()).add(f"g=part:{name}")
    return {word: tuple(sorted(features)) for word, features in found.items()}


def lists_of(lang: str) -> Callable[[str], Iterable[str]]:
    """Make the feature for a language.

    >>> "g=names:first" in lists_of("es")("Ernesto")
    True
    """

    def listed(token: str) -> Iterable[str]:
        return _members(lang).get(plain(token), ()) if token[0].isalpha() else ()

    return listed
