"""Streets and house numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random

from innominate.core import UsageError
from innominate.languages import load_language
from innominate.languages.topics import Streets
from innominate.surrogates.sources import mimesis_data
from innominate.surrogates.weighted import Weighted

_ABBREVIATED = 0.3  # share of streets whose type is shortened: Av., Ave, C/


def draw_street(lang: str, rng: Random) -> tuple[str, str]:
    """Draw a street and a house number, apart.

    >>> draw_street("sv", Random(4))[0][0].isupper()
    True
    """
    layout = load_language(lang).streets.layout
    if layout not in _LAYOUTS:
        raise UsageError(f"{lang}/streets.toml: layout is {layout!r}; there are: {', '.join(_LAYOUTS)}")
    return _LAYOUTS[layout](lang, rng)


@cache
def street_names(lang: str) -> tuple[str, ...]:
    """The names of streets without their type, as they follow or precede it.

    >>> "de la Gare" in street_names("fr")
    True
    """
    streets = load_language(lang).streets
    if not streets.library:
        return streets.names
    listed = mimesis_data(streets.library, "address")["street"]["name"]
    return (*streets.names * streets.own_times, *(name for name in listed if name.split()[0] not in streets.not_first))


def _type_and_name(lang: str, rng: Random) -> tuple[str, str]:
    """`Rue de la Gare`, `12bis`."""
    full, short = _types(lang).draw(rng)
    kind = short if rng.random() < _ABBREVIATED else full
    return f"{kind} {_pick(street_names(lang), rng)}", _number(load_language(lang).streets, rng)


def _name_and_type(lang: str, rng: Random) -> tuple[str, str]:
    """`Oak Street, Apt 4`, `212`."""
    full, short = _types(lang).draw(rng)
    draw = rng.random()
    kind = short if draw < _ABBREVIATED else f"{short}." if draw < 0.4 else full
    street = f"{_pick(street_names(lang), rng)} {kind}"
    if rng.random() < 0.12:
        flat = int(rng.random() * 40) + 1
        street += f", {('Apt', 'Apt.', 'Unit', '#', 'Apt #')[int(rng.random() * 5)]} {flat}{('', 'B', 'A', 'C')[flat % 4]}"
    return street, str(int(10 ** (rng.random() * 3 + 0.8)))


def _joined(lang: str, rng: Random) -> tuple[str, str]:
    """`Storgatan`, `5B`: the type is a part of the name."""
    names = street_names(lang)
    # the list by hand holds the streets that exist in every town, so it is taken more often than its length says
    street = names[int(rng.random() ** 2 * len(names))] if rng.random() < 0.5 else _pick(names, rng)
    return street, _number(load_language(lang).streets, rng)


def _type_and_name_with_floor(lang: str, rng: Random) -> tuple[str, str]:
    """`Calle Mayor`, `5, 3º izq.`"""
    full, short = _types(lang).draw(rng)
    kind = short if rng.random() < _ABBREVIATED else full
    number = _number(load_language(lang).streets, rng)
    if rng.random() < 0.55:
        door = ("A", "B", "C", "D", "izq.", "dcha.", "1ª", "2")[int(rng.random() * 8)]
        storey = ("º", "°", "")[int(rng.random() * 3)]
        number += f", {int(rng.random() * 9) + 1}{storey} {door}"
    elif rng.random() < 0.2:
        number = f"nº {number}"
    return f"{kind} {_pick(street_names(lang), rng)}", number


_LAYOUTS: dict[str, Callable[[str, Random], tuple[str, str]]] = {
    "type-name": _type_and_name,
    "name-type": _name_and_type,
    "joined": _joined,
    "type-name-floor": _type_and_name_with_floor,
}


def _pick(values: Sequence[str], rng: Random) -> str:
    return values[int(rng.random() * len(values))]


def _number(streets: Streets, rng: Random) -> str:
    """A house number; low ones are more common because every street has them."""
    number = str(1 + int(rng.random() * rng.random() * streets.house_limit))
    return number + _pick(streets.house_letters, rng) if rng.random() < streets.lettered_share else number


@cache
def _types(lang: str) -> Weighted[tuple[str, str]]:
    types = load_language(lang).streets.types
    return Weighted([(full, short) for full, short, _ in types], [weight for *_, weight in types])
