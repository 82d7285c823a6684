"""Places that belong together: a town with its region, country and a postal code of the right area."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random

from innominate.languages import home_language, load_language
from innominate.surrogates.shapes import fill
from innominate.surrogates.streets import draw_street
from innominate.surrogates.weighted import Weighted

# Plain population would make every tenth American live in New York and every fifth Swede in Stockholm; a power of it keeps
# large towns likely and lets many small ones in.
_POWER = 0.6
_WRITTEN_OUT = 0.2  # Massachusetts instead of MA


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
    names = _countries(lang)[code]
    return names[int(rng.random() * len(names))] if len(names) > 1 else names[0]


def towns_of(country: str) -> tuple[tuple[Town, float], ...]:
    """All towns of a country in the data with their weights; the country XX is the rest of the world.

    >>> towns_of("CH")[0][0].region
    'ZH'
    """
    return _rows(country)


def local_name(town: str, lang: str) -> str:
    """What a town is called in a language.

    >>> local_name("Genève", "es")
    'Ginebra'
    """
    return load_language(lang).places.exonyms.get(town, town)


def country_names(lang: str) -> Mapping[str, tuple[str, ...]]:
    """The names and short forms of every country in a language, by code.

    >>> country_names("fr")["CH"][-1]
    'CH'
    """
    return _countries(lang)


def region_names(country: str) -> Mapping[str, str]:
    """Codes of regions with their names, where addresses write them either way."""
    language = home_language(country)
    return language.places.written_regions if language else {}


def region_shares(lang: str) -> Mapping[str, float]:
    """How often people of a lang live in each region; empty where the towns say it."""
    return load_language(lang).places.regions


@cache
def _abroad(lang: str) -> Weighted[str]:
    return Weighted.of(load_language(lang).places.abroad)


@cache
def _rows(country: str) -> tuple[tuple[Town, float], ...]:
    """Read the towns of a country with their populations; the file XX holds the rest of the world."""
    packed = (files("innominate.surrogates") / "data" / f"places_{country}.tsv.gz").read_bytes()
    rows = []
    for line in gzip.decompress(packed).decode().splitlines():
        name, region, population, zips = line.split("\t")
        code, region = (region, "") if country == "XX" else (country, region)
        rows.append((Town(name, region, code, tuple(zips.split("|")) if zips else ()), float(population) ** _POWER))
    return tuple(rows)


@cache
def _towns(country: str) -> Weighted[Town]:
    rows = _rows(country)
    return Weighted([town for town, _ in rows], [weight for _, weight in rows])


@cache
def _home_towns(lang: str) -> Weighted[Town]:
    """The towns people of a lang live in, each region with its share where shares are given."""
    shares, country = region_shares(lang), load_language(lang).country
    if not shares:
        return _towns(country)
    rows = _rows(country)
    totals: dict[str, float] = {}
    for town, weight in rows:
        totals[town.region] = totals.get(town.region, 0.0) + weight
    chosen = [(town, weight / totals[town.region] * shares[town.region]) for town, weight in rows if town.region in shares]
    return Weighted([town for town, _ in chosen], [weight for _, weight in chosen])


@cache
def _countries(lang: str) -> Mapping[str, tuple[str, ...]]:
    """Names of all countries: from CLDR through Babel, and the short forms of this project."""
    from babel import Locale

    names = {code: (name,) for code, name in Locale(lang).territories.items() if len(code) == 2}
    return names | dict(load_language(lang).places.countries)
