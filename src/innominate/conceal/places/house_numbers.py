"""Numbers of houses, floors and doors: a near one takes their place, as low ones are in every street and high ones in few."""

from __future__ import annotations

import re

from innominate.conceal.likeness import other_characters
from innominate.surrogates.weighted import Dice

_DOORS = "AAABBBCCCDDDEF"  # every floor has the first letters
_NUMBER = re.compile(r"(?<!\d)[1-9]\d*")
_NEAR = 0.4  # of a number: how far its surrogate may be, and
_STEPS = 2  # the least that this is
_ROUND = 3  # digits from which on zeros at the end say that a number is a round one, as in km 12,500
_WIDEST = 60  # numbers that one building has


def draw_house_number(text: str, rng: Dice) -> str:
    """Another number as long as a text and near it, doors with the first letters, round ones round.

    >>> from random import Random
    >>> draw_house_number("12B", Random(1)), draw_house_number("3", Random(1)), draw_house_number("500", Random(1))
    ('13B', '5', '400')
    """
    drawn = list(other_characters(text, rng))
    for i, character in enumerate(text):
        if character.isascii() and character.isalpha():
            door = _DOORS[int(rng.random() * len(_DOORS))]
            drawn[i] = door if character.isupper() else door.lower()
    if number := _NUMBER.search(text):
        drawn[number.start() : number.end()] = _near(number[0], rng)
    return "".join(drawn)


def _near(number: str, rng: Dice) -> str:
    """Another number with as many digits, at most two fifths away."""
    zeros = len(number) - len(number.rstrip("0")) if len(number) >= _ROUND else 0
    unit, digits = 10**zeros, len(number) - zeros
    value = int(number) // unit
    lowest, highest = 10 ** (digits - 1), 10**digits - 1
    far = max(_STEPS, int(value * _NEAR))
    low, high = max(lowest, value - far), min(highest, value + far)
    drawn = low + int(rng.random() * (high - low))
    return str((drawn + (drawn >= value)) * unit)


def last_of_range(first: str, last: str, drawn: str) -> str:
    """The end of a range of houses whose beginning became another; empty where the two numbers are no range.

    >>> last_of_range("119", "129", "38"), last_of_range("18", "2", "31")
    ('48', '')
    """
    if not (first.isdecimal() and last.isdecimal() and drawn.isdecimal()):
        return ""
    apart = int(last) - int(first)
    return str(int(drawn) + apart) if 0 < apart <= _WIDEST else ""
