"""Telephone and fax numbers in the ways people write them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

from innominate.languages import load_language
from innominate.languages.topics import Phones
from innominate.surrogates.shapes import fill
from innominate.surrogates.weighted import Weighted, pairs

_WITH_AREA = 0.4  # share of fixed lines with one of the listed area codes


@dataclass(frozen=True, slots=True)
class _Plan:
    """The numbering plan of a country, ready to draw from."""

    code: str
    phones: Phones
    numbers: Weighted[str]
    styles: Weighted[str]


def draw_phone(lang: str, rng: Random, *, fictional: bool = True) -> str:
    """Draw a number. With `fictional` it comes from a range kept for films and books, where the country has one.

    >>> draw_phone("en", Random(2))[-4:-2]
    '01'
    """
    plan = _plan(lang)
    if plan.phones.areas and rng.random() < _WITH_AREA:
        return _draw_with_area(plan, rng, fictional=fictional)
    kept = plan.phones.fictional
    pattern = kept[int(rng.random() * len(kept))] if fictional and kept else plan.numbers.draw(rng)
    return _write(fill(pattern, rng), plan, rng)


def _write(digits: str, plan: _Plan, rng: Random) -> str:
    """Write digits in one of the styles."""
    parts, position = [], 0
    own = (groups for area, groups in plan.phones.area_groups.items() if digits.startswith(area))
    for size in next(own, plan.phones.groups):
        parts.append(digits[position : position + size])
        position += size
    style = plan.styles.draw(rng)
    by_twos = (digits[:3], digits[3:5], digits[5:7], digits[7:9])  # 612 34 56 78, where there are three groups
    text = style.format(*parts, *by_twos, t=parts[0][1:])
    return fill(text, rng) if "#" in style else text


def _draw_with_area(plan: _Plan, rng: Random, *, fictional: bool) -> str:
    """A fixed line whose area code has its own length: 018-12 34 56."""
    phones = plan.phones
    if fictional:
        area, pattern = phones.area_fictional[int(rng.random() * len(phones.area_fictional))]
    else:
        area = phones.areas[int(rng.random() * len(phones.areas))]
        pattern = Weighted(*pairs(phones.area_numbers)).draw(rng)[: 10 - len(area)]  # a long area code leaves six digits
    digits = fill(pattern, rng)
    head = len(digits) - 4
    local = f"{digits[:head]} {digits[head : head + 2]} {digits[head + 2 :]}"
    draw = rng.random()
    if draw < 0.1:
        return f"+{plan.code} {area[1:]} {local}"
    return f"{area}-{local}" if draw < 0.8 else f"{area}-{digits}" if draw < 0.9 else f"{area} {local}"


@cache
def _plan(lang: str) -> _Plan:
    language = load_language(lang)
    phones = language.contacts.phones
    return _Plan(language.phone_code, phones, Weighted(*pairs(phones.numbers)), Weighted(*pairs(phones.styles)))
