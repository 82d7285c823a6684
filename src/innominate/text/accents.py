"""Letters without their accents, and words as they are compared: in lower case and without accents."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

_WITHOUT_STROKE = {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ħ": "h", "ŧ": "t"}


def strip_accents(text: str) -> str:
    """Take the accents off, and nothing else; the length stays.

    >>> strip_accents("Åsa Núñez-Lœw")
    'Asa Nunez-Lœw'
    """
    if text.isascii():
        return text
    table = _table()
    for letter in set(text) & table.keys():  # faster than `translate`, because a text has few different ones
        text = text.replace(letter, table[letter])
    return text


def fold_in_place(text: str) -> str:
    """In lower case and without accents; the length stays, so places in the text do.

    >>> fold_in_place("CÉLINE")
    'celine'
    """
    return strip_accents(text).lower()


def fold_word(text: str) -> str:
    """In lower case and without accents, however they were typed.

    >>> fold_word("Mu\\u0308LLER")
    'muller'
    """
    return text.lower() if text.isascii() else _fold(text)


@lru_cache(maxsize=8192)
def _fold(text: str) -> str:
    return fold_in_place(unicodedata.normalize("NFC", text))


@cache
def _table() -> dict[str, str]:
    """Letters whose first part, taken to pieces, is a Latin letter."""
    table = dict(_WITHOUT_STROKE)
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00)):
        base = unicodedata.normalize("NFD", chr(code))[0]
        if base != chr(code) and base.isascii():
            table[chr(code)] = base
    return table
