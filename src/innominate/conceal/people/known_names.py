"""What the lists of names say about a word: how common it is as a name, of what sort, and of whom."""

from __future__ import annotations

from functools import lru_cache

from innominate.conceal.people.bank import bank
from innominate.languages import language_codes

_SURE = 3.0  # how many times more common a name must be for one gender, or as a first name, to decide


@lru_cache(maxsize=8192)
def weights(form: str, lang: str) -> tuple[float, float, float]:
    """How common a folded word is as a first name of women, of men, and as a last name; 0 where no list knows it."""
    return bank(lang, "f").weight(form), bank(lang, "m").weight(form), bank(lang, "").weight(form)


@lru_cache(maxsize=8192)
def anywhere(form: str, lang: str) -> tuple[float, float, float]:
    """The weights of a folded word, where the lists of the language do not know it those of the others: people move."""
    own = weights(form, lang)
    if any(own):
        return own
    others = [weights(form, other) for other in language_codes() if other != lang]
    return max(w for w, _, _ in others), max(m for _, m, _ in others), max(last for _, _, last in others)


@lru_cache(maxsize=8192)
def leaning(form: str, lang: str) -> str:
    """Whether a folded word is a first or a last name; empty where it is both or neither.

    >>> leaning("eva", "sv"), leaning("andersson", "sv"), leaning("asthma", "sv"), leaning("keisha", "en")
    ('first', 'last', '', 'first')
    """
    woman, man, last = anywhere(form, lang)
    first = max(woman, man)
    if first > last * _SURE:
        return "first"
    return "last" if last > first * _SURE else ""


@lru_cache(maxsize=8192)
def gender(form: str, lang: str) -> str:
    """The gender of those who bear a first name, f or m; empty where the lists leave a doubt.

    >>> gender("eva", "sv"), gender("sven", "sv"), gender("asthma", "sv")
    ('f', 'm', '')
    """
    woman, man, _ = anywhere(form, lang)
    if woman != man and max(woman, man) >= _SURE * min(woman, man):
        return "f" if woman > man else "m"
    return ""
