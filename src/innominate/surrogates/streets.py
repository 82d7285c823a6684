"""Streets and house numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random

from innominate.core import UsageError
from innominate.surrogates.sources import mimesis_data, read_data
from innominate.surrogates.weighted import Weighted

_ABBREVIATED = 0.3  # share of streets whose type is shortened: Av., Ave, C/


@dataclass(frozen=True, slots=True)
class _Streets:
    """Types of street with their short forms, and the names that go with them."""

    types: Weighted[tuple[str, str]]
    names: tuple[str, ...]


def draw_street(locale: str, rng: Random) -> tuple[str, str]:
    """Draw a street and a house number, apart.

    >>> draw_street("sv_SE", Random(4))[0][0].isupper()
    True
    """
    if locale not in _DRAW:
        raise UsageError(f"no streets for the locale {locale!r}; there are: {', '.join(_DRAW)}")
    return _DRAW[locale](rng)


def street_names(locale: str) -> tuple[str, ...]:
    """The names of streets without their type, as they follow or precede it.

    >>> "de la Gare" in street_names("fr_CH")
    True
    """
    return _streets(locale).names


def street_types(locale: str) -> tuple[tuple[str, str], ...]:
    """The types of street, in full and short."""
    return _streets(locale).types.values


def _french(rng: Random) -> tuple[str, str]:
    streets = _streets("fr_CH")
    full, short = streets.types.draw(rng)
    kind = short if rng.random() < _ABBREVIATED else full
    return f"{kind} {_pick(streets.names, rng)}", _number(rng, 90, ("a", "b", "bis", "A", "c"), 0.06)


def _english(rng: Random) -> tuple[str, str]:
    streets = _streets("en_US")
    full, short = streets.types.draw(rng)
    draw = rng.random()
    kind = short if draw < _ABBREVIATED else f"{short}." if draw < 0.4 else full
    street = f"{_pick(streets.names, rng)} {kind}"
    if rng.random() < 0.12:
        flat = int(rng.random() * 40) + 1
        street += f", {('Apt', 'Apt.', 'Unit', '#', 'Apt #')[int(rng.random() * 5)]} {flat}{('', 'B', 'A', 'C')[flat % 4]}"
    return street, str(int(10 ** (rng.random() * 3 + 0.8)))


def _swedish(rng: Random) -> tuple[str, str]:
    names = _streets("sv_SE").names
    # the list by hand holds the streets that exist in every town, so it is taken more often than its length says
    street = names[int(rng.random() ** 2 * len(names))] if rng.random() < 0.5 else _pick(names, rng)
    return street, _number(rng, 80, ("A", "B", "C", "D"), 0.15)


def _spanish(rng: Random) -> tuple[str, str]:
    streets = _streets("es_ES")
    full, short = streets.types.draw(rng)
    kind = short if rng.random() < _ABBREVIATED else full
    number = _number(rng, 140, ("B", " bis"), 0.03)
    if rng.random() < 0.55:
        door = ("A", "B", "C", "D", "izq.", "dcha.", "1ª", "2")[int(rng.random() * 8)]
        storey = ("º", "°", "")[int(rng.random() * 3)]
        number += f", {int(rng.random() * 9) + 1}{storey} {door}"
    elif rng.random() < 0.2:
        number = f"nº {number}"
    return f"{kind} {_pick(streets.names, rng)}", number


_DRAW: dict[str, Callable[[Random], tuple[str, str]]] = {
    "fr_CH": _french,
    "en_US": _english,
    "sv_SE": _swedish,
    "es_ES": _spanish,
}


def _pick(values: tuple[str, ...], rng: Random) -> str:
    return values[int(rng.random() * len(values))]


def _number(rng: Random, limit: int, suffixes: tuple[str, ...], share: float) -> str:
    """A house number; low ones are more common because every street has them."""
    number = str(1 + int(rng.random() * rng.random() * limit))
    return number + _pick(suffixes, rng) if rng.random() < share else number


@cache
def _streets(locale: str) -> _Streets:
    data = read_data("streets.toml")[locale]
    types = data.get("types", [["", "", 1]])
    own = [name.strip() for name in "|".join(data.get(_KEY[locale], "").split("\n")).split("|") if name.strip()]
    if locale == "en_US":
        own = own * 6 + list(mimesis_data("en", "address")["street"]["name"])
    if locale == "sv_SE":
        own += list(mimesis_data("sv", "address")["street"]["name"])
    if locale == "es_ES":
        own += [name for name in mimesis_data("es", "address")["street"]["name"] if name.split()[0] not in _TYPED]
    return _Streets(Weighted([(full, short) for full, short, _ in types], [weight for *_, weight in types]), tuple(own))


_KEY = {"fr_CH": "complements", "en_US": "names", "sv_SE": "own", "es_ES": "complements"}
# mimesis' Spanish names that begin with a type already would give `Calle Av de Europa`
_TYPED = frozenset({
    "Av", "Avda", "Avenida", "Calle", "Plaza", "Paseo", "Camino", "Carretera", "Ronda", "C", "Pl", "Travesía", "Alameda",
    "Urbanización", "Rua", "Rúa", "Róa", "Parking",
})  # fmt: skip
