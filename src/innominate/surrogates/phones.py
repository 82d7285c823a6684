"""Telephone and fax numbers in the ways people write them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from innominate.core import UsageError
from innominate.surrogates.shapes import fill
from innominate.surrogates.sources import read_data
from innominate.surrogates.weighted import Weighted, pairs


@dataclass(frozen=True, slots=True)
class _Plan:
    """The numbering plan of a country, ready to draw from."""

    numbers: Weighted[str]
    styles: Weighted[str]
    groups: tuple[int, ...]
    fictional: tuple[str, ...]
    areas: tuple[str, ...]
    area_numbers: Weighted[str] | None
    area_fictional: tuple[tuple[str, str], ...]


def draw_phone(locale: str, rng: Random, *, fictional: bool = True) -> str:
    """Draw a number. With `fictional` it comes from a range kept for films and books, where the country has one.

    >>> draw_phone("en_US", Random(2))[-4:-2]
    '01'
    """
    plan = _plan(locale)
    if plan.areas and rng.random() < 0.4:
        return _with_area(plan, rng, fictional=fictional)
    if fictional and plan.fictional:
        pattern = plan.fictional[int(rng.random() * len(plan.fictional))]
    else:
        pattern = plan.numbers.draw(rng)
    return _written(fill(pattern, rng), plan, rng)


def _written(digits: str, plan: _Plan, rng: Random) -> str:
    """Write digits in one of the styles; two-digit area codes (08) shift the groups."""
    groups = plan.groups if not digits.startswith("08") or len(plan.groups) < 4 else (2, 3, 2, 2)
    parts, position = [], 0
    for size in groups:
        parts.append(digits[position : position + size])
        position += size
    style = plan.styles.draw(rng)
    pairs_of_digits = (digits[:3], digits[3:5], digits[5:7], digits[7:9])  # Spanish 612 34 56 78
    text = style.format(*parts, *pairs_of_digits, t=parts[0][1:]) if len(parts) == 3 else style.format(*parts, t=parts[0][1:])
    return fill(text, rng) if "#" in style else text


def _with_area(plan: _Plan, rng: Random, *, fictional: bool) -> str:
    """A Swedish fixed line: 018-12 34 56."""
    if fictional:
        area, pattern = plan.area_fictional[int(rng.random() * len(plan.area_fictional))]
    else:
        assert plan.area_numbers is not None
        area = plan.areas[int(rng.random() * len(plan.areas))]
        pattern = plan.area_numbers.draw(rng)[: 10 - len(area)]  # a long area code leaves six digits
    digits = fill(pattern, rng)
    head = len(digits) - 4
    local = f"{digits[:head]} {digits[head : head + 2]} {digits[head + 2 :]}"
    draw = rng.random()
    if draw < 0.1:
        return f"+46 {area[1:]} {local}"
    return f"{area}-{local}" if draw < 0.8 else f"{area}-{digits}" if draw < 0.9 else f"{area} {local}"


@cache
def _plan(locale: str) -> _Plan:
    plans: dict[str, Any] = read_data("phones.toml")
    if locale not in plans:
        raise UsageError(f"no telephone numbers for the locale {locale!r}; there are: {', '.join(plans)}")
    plan = plans[locale]
    return _Plan(
        Weighted(*pairs(plan["numbers"])),
        Weighted(*pairs(plan["styles"])),
        tuple(plan["groups"]),
        tuple(plan["fictional"]),
        tuple(plan.get("areas", ())),
        Weighted(*pairs(plan["area_numbers"])) if "area_numbers" in plan else None,
        tuple((area, pattern) for area, pattern in plan.get("area_fictional", ())),
    )
