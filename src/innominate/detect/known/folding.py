"""Letters without their accents, one for one, so that offsets stay."""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import product

_WITHOUT_STROKE = {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ħ": "h", "ŧ": "t"}

# How a letter may be written where a keyboard does not have it. Without one of these it loses its accent.
_WRITTEN_OUT = {"ä": ("a", "ae"), "ö": ("o", "oe"), "ü": ("u", "ue"), "å": ("a", "aa"), "ø": ("o", "oe"), "œ": ("œ", "oe"),
                "æ": ("æ", "ae", "e"), "ß": ("ß", "ss")}  # fmt: skip
_MOST_SPELLINGS = 16


def bare(text: str) -> str:
    """Take the accents off, and nothing else; the length stays.

    >>> bare("Åsa Núñez-Lœw")
    'Asa Nunez-Lœw'
    """
    if text.isascii():
        return text
    table = _table()
    for letter in set(text) & table.keys():  # faster than `translate`, because a text has few different ones
        text = text.replace(letter, table[letter])
    return text


def folded(text: str) -> str:
    """In lower case and without accents; the length stays.

    >>> folded("CÉLINE")
    'celine'
    """
    return bare(text).lower()


def spellings(name: str) -> tuple[str, ...]:
    """Fold a name in every way it may be written.

    >>> spellings("Müller")
    ('muller', 'mueller')
    """
    letters = [_WRITTEN_OUT.get(letter, (folded(letter),)) for letter in unicodedata.normalize("NFC", name).lower()]
    forms: list[str] = []
    for choice in product(*letters):
        forms.append("".join(choice))
        if len(forms) == _MOST_SPELLINGS:
            break
    return tuple(dict.fromkeys(forms))


@cache
def _table() -> dict[str, str]:
    """Letters whose first part, taken to pieces, is a Latin letter."""
    table = dict(_WITHOUT_STROKE)
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00)):
        base = unicodedata.normalize("NFD", chr(code))[0]
        if base != chr(code) and base.isascii():
            table[chr(code)] = base
    return table
