"""The towns and regions of the world, as far as the surrogates know them, by their folded names."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

from innominate.languages import home_language, load_language
from innominate.languages.topics import Places as OwnPlaces
from innominate.surrogates.places import Town, country_names, local_name, region_names, towns_of
from innominate.surrogates.weighted import Dice, Weighted
from innominate.text.accents import fold_word

_TURNS = 60  # enough for six digits
_MOST = 0.6  # of all draws; what is more common than half of everything cannot be replaced by as much of itself
_COUNTRIES = ("CH", "FR", "DE", "IT", "ES", "PT", "GB", "US", "SE", "XX")
_REGION_SIZE = 8  # towns that a region needs to take others in
_LIKE = 3.0  # how many times the weight of a town another may have, and be of about the same size
_FEWEST = 5  # towns to choose from, at least
_PEOPLE = 1 / 0.6  # the power of the weight of a town that its population is; see `surrogates.places`
_NAMED = 0.6  # the power of the people of a region that tells how often it is named: a small one has a hospital of its own too
_HOSPITAL = 4.0  # times as often as its people tell is a town named that has a hospital
_OPEN = re.compile(r"[#%]")


def balance_weights(shares: Mapping[str, float]) -> dict[str, float]:
    """Weights for drawing another one, so that all that is drawn together has the shares of what it stands for.

    Three towns in ten are Madrid, and Madrid itself becomes another one: the others have to become Madrid more often than
    three times in ten. With weights a, x becomes y with the chance a(y) / (1 - a(x)). Shares stay if as many go from x to y
    as from y to x, and that is so if a(x) (1 - a(x)) is in proportion to the share of x.

    >>> {name: round(weight, 2) for name, weight in balance_weights({"Madrid": 3, "Bilbao": 3, "Vigo": 2, "Jaca": 2}).items()}
    {'Madrid': 0.32, 'Bilbao': 0.32, 'Vigo': 0.18, 'Jaca': 0.18}
    """
    total = sum(shares.values())
    weights = {name: share / total for name, share in shares.items()}
    for _ in range(_TURNS):
        raised = {name: shares[name] / (1 - min(_MOST, weight)) for name, weight in weights.items()}
        total = sum(raised.values())
        weights = {name: weight / total for name, weight in raised.items()}
    return weights


@dataclass(frozen=True, slots=True)
class KnownTown:
    """A town of the data, how likely people are to live there, and what it is called in the language of the atlas."""

    town: Town
    weight: float
    name: str
    form: str  # folded
    other: str  # its own name, folded
    words: int
    named: float  # how often notes name it: as many people live there, and a hospital adds to them


class Sized:
    """Towns by size, drawn by population among those of about a size."""

    __slots__ = ("_any", "_people", "_weights", "towns")

    def __init__(self, towns: Sequence[KnownTown]) -> None:
        self.towns = tuple(sorted(towns, key=lambda known: (known.weight, known.town.name)))
        self._weights = [known.weight for known in self.towns]
        self._any = list(accumulate(self._weights))
        self._people = [0.0, *accumulate(known.named for known in self.towns)]

    def __len__(self) -> int:
        return len(self.towns)

    def draw_any(self, rng: Dice) -> KnownTown:
        """Any town, the larger ones more often; not by population, or half of all would be the capital."""
        return self.towns[bisect_right(self._any, rng.random() * self._any[-1], 0, len(self.towns) - 1)]

    def draw(self, rng: Dice, size: float) -> KnownTown:
        """A town of about a size; at the ends of the scale, one of the largest or smallest."""
        start, stop = bisect_left(self._weights, size / _LIKE), bisect_right(self._weights, size * _LIKE)
        if stop - start < _FEWEST:
            start = max(0, min(start - _FEWEST // 2, len(self.towns) - _FEWEST))
            stop = min(len(self.towns), max(stop, start + _FEWEST))
        low, high = self._people[start], self._people[stop]
        place = bisect_right(self._people, low + rng.random() * (high - low), start + 1, stop)
        return self.towns[place - 1]


class Atlas:
    """The places of a language: towns by name and by region, regions by name, countries."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.home = load_language(lang).country
        self.towns: dict[str, KnownTown] = {}
        self.by_region: dict[tuple[str, str], list[KnownTown]] = {}
        quarters: list[KnownTown] = []
        own = self.own = load_language(self.lang).places
        hospitals, usual = load_language(self.lang).hospitals.towns, own.usual
        for country in (self.home, *(code for code in _COUNTRIES if code != self.home)):
            for town, weight in towns_of(country):
                name = usual.get(town.name) or local_name(town.name, self.lang)
                often = weight**_PEOPLE * (_HOSPITAL if country == self.home and town.name in hospitals else 1)
                known = KnownTown(town, weight, name, fold_word(name), fold_word(town.name), len(name.split()), often)
                if self.is_quarter(town):
                    quarters.append(known)
                    continue
                self.by_region.setdefault((town.country, town.region), []).append(known)
                self._add(known)
        for known in quarters:  # Sarrià is one of Barcelona, but Sarria is a town
            self._add(known)
        self.seats = {place: self._seat(place, towns) for place, towns in self.by_region.items()}
        self.seconds = {place: self._second(place, towns) for place, towns in self.by_region.items()}
        self.beginnings = frozenset(form.split()[0] for form in self.towns if " " in form)  # of names of several words
        for alias, name in own.aliases.items():
            if town_of_name := self.towns.get(fold_word(name)):
                self.towns.setdefault(fold_word(alias), town_of_name)
        named = own.named
        most = max(named.values(), default=0.0)  # times as often as its people tell is the capital of the country named
        self.capitals = frozenset(self.seats[self.home, region].form for region in named if named[region] == most)
        self.regions = self._regions()
        self.countries = self._country_forms()
        self.zips = self._zip_prefixes()

    def _add(self, known: KnownTown) -> None:
        self.towns.setdefault(known.other, known)
        self.towns.setdefault(known.form, known)

    def _seat(self, place: tuple[str, str], towns: Sequence[KnownTown]) -> KnownTown:
        """The first town of a region: its largest, unless its capital is another."""
        country, region = place
        capital = _of_country(country).capitals.get(region, "")
        return next((known for known in towns if known.town.name == capital), towns[0])

    def _second(self, place: tuple[str, str], towns: Sequence[KnownTown]) -> KnownTown | None:
        country, region = place
        second = _of_country(country).seconds.get(region, "")
        return next((known for known in towns if known.town.name == second), None)

    def first_towns(self, country: str, region: str, dice: Callable[[], Dice]) -> tuple[KnownTown, KnownTown | None]:
        """The first town of a region and one as well known, if any, or the other way round, as often as notes name them."""
        first, second = self.seats[country, region], self.seconds[country, region]
        if second is None or dice().random() * (first.named + second.named) < first.named:
            return first, second
        return second, first

    def _regions(self) -> dict[str, tuple[str, str]]:
        """The code of the region and the way it is written (`code` or `name`), by folded form."""
        forms: dict[str, tuple[str, str]] = {}
        for country, region in self.by_region:
            if country == self.home and region:
                forms[fold_word(region)] = (region, "code")
        for code, name in self.names().items():
            forms.setdefault(fold_word(name), (code, "name"))
        for alias, name in self.own.aliases.items():
            if fold_word(alias) not in self.towns and fold_word(name) in forms:
                forms.setdefault(fold_word(alias), forms[fold_word(name)])
        for community, provinces in self.own.communities.items():
            forms.setdefault(fold_word(community), (provinces[0], "community"))
        return forms

    @cache  # noqa: B019
    def names(self) -> Mapping[str, str]:
        """Codes of the regions at home with their names."""
        return {**region_names(self.home), **self.own.region_names}

    def community(self, region: str) -> str:
        """The community that a region is part of, or the region itself where it is one."""
        return next((name for name, provinces in self.own.communities.items() if region in provinces), region)

    def _country_forms(self) -> dict[str, str]:
        forms = {fold_word(name): code for code, names in country_names(self.lang).items() for name in names}
        return forms | {fold_word(name): code for code, names in self.own.countries_read.items() for name in names}

    def _zip_prefixes(self) -> dict[str, str]:
        """The largest town of each beginning of a postal code at home."""
        found: dict[str, str] = {}
        for town, _ in towns_of(self.home):
            for pattern in town.zips:
                area = _OPEN.split(pattern)[0].replace(" ", "")
                found.setdefault(area, fold_word(town.name))
                found.setdefault(area[:-1], fold_word(town.name))  # 28080, the letter boxes of Madrid, beside 2801
        return found

    @staticmethod
    def is_quarter(town: Town) -> bool:
        """Say whether the list has a quarter of a city for a town.

        >>> [Atlas.is_quarter(Town("Almagro", region, "ES", ())) for region in ("Madrid", "Ciudad Real")]
        [True, False]
        """
        return (town.region, town.name) in _quarters(town.country)

    def town_of_zip(self, digits: str) -> str:
        """The folded name of a town with such a postal code; empty if there is none."""
        for length in range(len(digits), 1, -1):
            if digits[:length] in self.zips:
                return self.zips[digits[:length]]
        return ""

    @cache  # noqa: B019  one atlas per language lives as long as the process
    def sized(self, country: str, region: str, words: int) -> Sized:
        """The towns of a region (or of a country, without one) whose names have so many words, by size; 0 for any number."""
        places = [(country, region)] if region else [place for place in self.by_region if place[0] == country]
        found = [known for place in places for known in self.by_region.get(place, ())]
        if words:
            found = [known for known in found if known.words == words]
        return Sized(found)

    @cache  # noqa: B019  one atlas per language lives as long as the process
    def other_regions(self, country: str, region: str) -> Weighted[str] | None:
        """The regions of a country that have enough towns, but for one, by how often they are to be drawn."""
        found = {name: weight for name, weight in self._balanced(country).items() if name != region}
        return Weighted.of(found) if found else None

    @cache  # noqa: B019
    def _balanced(self, country: str) -> Mapping[str, float]:
        return balance_weights(self.large_regions(country))

    @cache  # noqa: B019
    def large_regions(self, country: str) -> Mapping[str, float]:
        """The regions of a country that have enough towns, with how often notes name them: as many people live there."""
        shares = self.own.regions if country == self.home else {}
        named = self.own.named if country == self.home else {}
        found: dict[str, float] = {}
        for (code, region), towns in sorted(self.by_region.items()):
            if code == country and region and len(towns) >= _REGION_SIZE and (not shares or region in shares):
                people = sum(known.weight**_PEOPLE for known in towns)
                found[region] = (shares.get(region) or people**_NAMED) * named.get(region, 1.0)
        return found


def _of_country(country: str) -> OwnPlaces:
    """What the language of a country says of its places."""
    language = home_language(country)
    return language.places if language else OwnPlaces({}, frozenset())


@cache
def _quarters(country: str) -> frozenset[tuple[str, str]]:
    """Regions with names in the list of towns that are quarters of one there; elsewhere a town may be called so."""
    return frozenset((region, name) for region, names in _of_country(country).quarters.items() for name in names)


@cache
def atlas(lang: str) -> Atlas:
    """The places as a language knows them.

    >>> atlas("fr").towns["lausanne"].town.region, atlas("fr").countries["suisse"]
    ('VD', 'CH')
    """
    return Atlas(lang)
