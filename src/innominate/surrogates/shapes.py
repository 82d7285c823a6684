"""Fill patterns: `#` becomes a digit, `%` one from 1 to 9, `^` one from 2 to 9, `?` a capital letter; the rest stays."""

from __future__ import annotations

from innominate.surrogates.weighted import Dice

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # no I and O, as on most labels


def fill(pattern: str, rng: Dice) -> str:
    """Fill one pattern.

    >>> from random import Random
    >>> fill("AB-%##", Random(1))
    'AB-287'
    """
    random = rng.random
    parts: list[str] = []
    for character in pattern:
        if character == "#":
            parts.append("0123456789"[int(random() * 10)])
        elif character == "%":
            parts.append("123456789"[int(random() * 9)])
        elif character == "^":
            parts.append("23456789"[int(random() * 8)])
        elif character == "?":
            parts.append(_LETTERS[int(random() * 24)])
        else:
            parts.append(character)
    return "".join(parts)
