"""Lists as features: a token knows in which lists of the rule pack it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache

from innominate.detect.rules.providers import library_words
from innominate.detect.rules.words import plain

# What is worth asking about a token; names of providers, which exist in every language.
ASKED = ("names:first", "names:last", "places:towns", "places:countries", "words:common")
_FEW_PARTS = 3  # towns such as `Las Palmas de Gran Canaria` say nothing about each of their words


@cache
def _members(lang: str) -> Mapping[str, frozenset[bytes]]:
    """Each feature with its words; those of short names of several words count as parts."""
    found: dict[str, frozenset[bytes]] = {}
    for name in ASKED:
        entries = library_words(name, lang)
        whole = {entry for entry in entries if entry.isalpha()}
        several = [plain(entry).split() for entry in entries - whole]
        alone = {*plain(" ".join(whole)).split(), *(parts[0] for parts in several if len(parts) == 1)}
        found[f"g={name}"] = frozenset(alone)
        found[f"g=part:{name}"] = frozenset(part for parts in several if 1 < len(parts) <= _FEW_PARTS for part in parts)
    return found


def lists_of(lang: str) -> Callable[[str], Iterable[str]]:
    """Make the feature for a language.

    >>> "g=names:first" in lists_of("es")("Ernesto")
    True
    """

    def listed(token: str) -> Iterable[str]:
        if not token[0].isalpha():
            return ()
        word = plain(token)
        return sorted(feature for feature, words in _members(lang).items() if word in words)

    return listed
