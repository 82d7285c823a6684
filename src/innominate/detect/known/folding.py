"""The ways in which a name may be written where a keyboard does not have its letters."""

from __future__ import annotations

import unicodedata
from itertools import product

from innominate.text.accents import fold_in_place

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
