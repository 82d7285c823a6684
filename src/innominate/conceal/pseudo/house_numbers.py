"""Numbers of houses, floors and doors, as common as they are on the doors of a town."""

from __future__ import annotations

from random import Random

from innominate.conceal.pseudo.forms import other_characters

# Letters of doors, floors, first digits of floors from ten on, low house numbers, hundreds: low ones are in every street.
_DOORS, _STOREYS, _TENS = "AAABBBCCCDDDEF", "11112222333344445555667788", "11111112"
_LOW, _HUNDREDS = "1112223334445556677889", "111111222222333345678"
_ROUND = 3  # digits from which on zeros at the end say that a number is a round one, as in km 12,500
_WIDEST = 60  # numbers that one building has


def house_number(text: str, rng: Random, *, inside: bool = False) -> str:
    """Another number as long as a text: first digits by Benford's law, doors with the first letters, round ones round.

    `inside` are floors and doors: every house has the lower ones.

    >>> house_number("12B", Random(1)), house_number("3", Random(1), inside=True), house_number("500", Random(1))
    ('38B', '7', '100')
    """
    drawn = list(other_characters(text, rng))
    for i, character in enumerate(text):
        if character.isascii() and character.isalpha():
            door = _DOORS[int(rng.random() * len(_DOORS))]
            drawn[i] = door if character.isupper() else door.lower()
    first = next((i for i, character in enumerate(text) if character.isdigit() and character != "0"), None)
    if first is None or (first and text[first - 1].isdigit()):
        return "".join(drawn)
    digits = len(text[first:]) - len(text[first:].lstrip("0123456789"))
    choices = _INSIDE.get(digits) if inside else _OUTSIDE.get(digits)
    drawn[first] = choices[int(rng.random() * len(choices))] if choices else str(int(10 ** rng.random()))
    if len(text) >= _ROUND and text.isdecimal():
        zeros = len(text) - len(text.rstrip("0"))
        drawn[len(text) - zeros :] = "0" * zeros
    return "".join(drawn)


_INSIDE = {1: _STOREYS, 2: _TENS}
_OUTSIDE = {1: _LOW, 3: _HUNDREDS}


def last_of_range(first: str, last: str, drawn: str) -> str:
    """The end of a range of houses whose beginning became another; empty where the two numbers are no range.

    >>> last_of_range("119", "129", "38"), last_of_range("18", "2", "31")
    ('48', '')
    """
    if not (first.isdecimal() and last.isdecimal() and drawn.isdecimal()):
        return ""
    apart = int(last) - int(first)
    return str(int(drawn) + apart) if 0 < apart <= _WIDEST else ""
