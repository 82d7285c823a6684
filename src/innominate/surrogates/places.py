"""Places that belong together: a town with its region, country and a postal code of the right area; streets, house numbers."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random

from innominate.core import UsageError
from innominate.languages import home_language, load_language
from innominate.languages.topics import Streets
from innominate.surrogates.names import mimesis_data
from innominate.surrogates.weighted import Weighted, fill

_ABBREVIATED = 0.3  # share of streets whose type is shortened: Av., Ave, C/
# Plain population would make every tenth American live in New York and every fifth Swede in Stockholm; a power of it keeps
# large towns likely and lets many small ones in.
_POWER = 0.6
_WRITTEN_OUT = 0.2  # Massachusetts instead of MA


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


@dataclass(frozen=True, slots=True)
class Town:
    """A town as it is in the data."""

    name: str
    region: str
    country: str
    zips: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """An address; `state` is the canton, state, province or region, `country` its name in the language of the lang."""

    street: str
    number: str
    zip: str
    city: str
    state: str
    country: str
    code: str  # of the country, ISO 3166


def draw_place(lang: str, rng: Random, *, abroad: bool = False) -> Place:
    """Draw a whole address; abroad it has no street.

    >>> place = draw_place("fr", Random(1))
    >>> place.code, len(place.zip), len(place.state)
    ('CH', 4, 2)
    """
    if abroad:
        town = _towns(_abroad(lang).draw(rng)).draw(rng)
        street = number = ""
    else:
        town = _home_towns(lang).draw(rng)
        street, number = draw_street(lang, rng)
    postal = fill(town.zips[int(rng.random() * len(town.zips))], rng) if town.zips else ""
    name = local_name(town.name, lang)
    written_out = region_names(town.country)
    region = written_out.get(town.region, town.region) if written_out and rng.random() < _WRITTEN_OUT else town.region
    return Place(street, number, postal, name, region, country_name(town.country, lang, rng), town.country)


def draw_city(lang: str, rng: Random) -> str:
    """Draw the name of a town at home, as in `Hôpital de Nyon`.

    >>> isinstance(draw_city("sv", Random(1)), str)
    True
    """
    town = _home_towns(lang).draw(rng)
    return local_name(town.name, lang)


def country_name(code: str, lang: str, rng: Random) -> str:
    """The name of a country in a language, or one of its short forms.

    >>> country_name("ES", "sv", Random(0))
    'Spanien'
    """
    names = country_names(lang)[code]
    return names[int(rng.random() * len(names))] if len(names) > 1 else names[0]


def local_name(town: str, lang: str) -> str:
    """What a town is called in a language.

    >>> local_name("Genève", "es")
    'Ginebra'
    """
    return load_language(lang).places.exonyms.get(town, town)


def region_names(country: str) -> Mapping[str, str]:
    """Codes of regions with their names, where addresses write them either way."""
    language = home_language(country)
    return language.places.written_regions if language else {}


@cache
def _abroad(lang: str) -> Weighted[str]:
    return Weighted.of(load_language(lang).places.abroad)


@cache
def towns_of(country: str) -> tuple[tuple[Town, float], ...]:
    """All towns of a country in the data with their weights; the country XX is the rest of the world.

    >>> towns_of("CH")[0][0].region
    'ZH'
    """
    packed = (files("innominate.surrogates") / "data" / f"places_{country}.tsv.gz").read_bytes()
    rows = []
    for line in gzip.decompress(packed).decode().splitlines():
        name, region, population, zips = line.split("\t")
        code, region = (region, "") if country == "XX" else (country, region)
        rows.append((Town(name, region, code, tuple(zips.split("|")) if zips else ()), float(population) ** _POWER))
    return tuple(rows)


@cache
def _towns(country: str) -> Weighted[Town]:
    rows = towns_of(country)
    return Weighted([town for town, _ in rows], [weight for _, weight in rows])


@cache
def _home_towns(lang: str) -> Weighted[Town]:
    """The towns people of a lang live in, each region with its share where shares are given."""
    shares, country = load_language(lang).places.regions, load_language(lang).country
    if not shares:
        return _towns(country)
    rows = towns_of(country)
    totals: dict[str, float] = {}
    for town, weight in rows:
        totals[town.region] = totals.get(town.region, 0.0) + weight
    chosen = [(town, weight / totals[town.region] * shares[town.region]) for town, weight in rows if town.region in shares]
    return Weighted([town for town, _ in chosen], [weight for _, weight in chosen])


@cache
def country_names(lang: str) -> Mapping[str, tuple[str, ...]]:
    """The names of every country in a language, by code: from CLDR through Babel, and the short forms of this project.

    >>> country_names("fr")["CH"][-1]
    'CH'
    """
    from babel import Locale

    names = {code: (name,) for code, name in Locale(lang).territories.items() if len(code) == 2}
    return names | dict(load_language(lang).places.countries)
