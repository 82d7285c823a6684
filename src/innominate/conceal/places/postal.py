"""Postal codes as the streets of a town have them."""

from __future__ import annotations

import re
from functools import cache

from innominate.languages import home_language
from innominate.surrogates.places import Town
from innominate.surrogates.shapes import fill
from innominate.surrogates.weighted import Dice

_OPEN = re.compile(r"[#%]")
_UNKNOWN = re.compile(r"%#[#0]\Z")  # the data knows the province and no more
# Most towns of Spain with a post office have a round code, and the largest of a district the roundest: Aranjuez is 28300.
_ROUND = ("%00", "%#0", "%#0", "%##")


def draw_code(town: Town, rng: Dice) -> str:
    """A postal code of a town; empty where the data has none.

    >>> from random import Random
    >>> draw_code(Town("Pamplona", "Navarra", "ES", ("3100%", "3101#")), Random(1))
    '31003'
    """
    if not town.zips:
        return ""
    codes = own_codes(town)
    if codes:
        return codes[int(rng.random() * len(codes))]
    pattern = town.zips[int(rng.random() * len(town.zips))]
    if town.country == "ES" and _UNKNOWN.search(pattern):
        pattern = pattern[:-3] + _ROUND[int(rng.random() * len(_ROUND))]
    return fill(pattern, rng).replace(" ", "")


@cache
def own_codes(town: Town) -> tuple[str, ...]:
    """All codes of a town whose number of codes is listed; of another with hospitals, theirs.

    >>> own_codes(Town("Teruel", "Teruel", "ES", ("4400%", "4401#")))
    ('44001', '44002', '44003')
    """
    language = home_language(town.country)
    count = language.places.postal.get(town.name, 0) if language else 0
    first = _OPEN.sub("0", town.zips[0])
    return tuple(f"{int(first) + number:0{len(first)}}" for number in range(1, count + 1)) or _of_hospitals(town)


def _of_hospitals(town: Town) -> tuple[str, ...]:
    language = home_language(town.country)
    codes = (line.rsplit("|", 1)[1] for line in (language.hospitals.towns.get(town.name, ()) if language else ()))
    return tuple(code for code in codes if code[:2] == town.zips[0][:2])  # there may be two towns of a name


def write_into(layout: str, digits: str) -> str:
    """Write digits into the places of the digits of a layout.

    >>> write_into("S-123 45", "98765")
    'S-987 65'
    """
    pending = iter(digits)
    return "".join(next(pending, character) if character.isdigit() else character for character in layout)
