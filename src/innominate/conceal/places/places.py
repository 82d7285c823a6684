"""Surrogates for places that stay together: the town decides the region and the postal code.

Regions are exchanged first: all towns of a canton become towns of one other canton, so that a canton that stands alone agrees
with the addresses. Everything is a keyed function of the folded original. The country stays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from innominate.conceal.guard import Guard
from innominate.conceal.likeness import begins_with_vowel, other_characters, without_accents, write_into, write_like
from innominate.conceal.places.atlas import Atlas, KnownTown, atlas
from innominate.conceal.scope import Scope
from innominate.languages import home_language, load_language
from innominate.surrogates.places import Town, country_names
from innominate.surrogates.weighted import Dice, fill
from innominate.text.accents import fold_word

_OPEN = re.compile(r"[#%]")
_UNKNOWN = re.compile(r"%#[#0]\Z")  # the data knows the province and no more
# Most towns of Spain with a post office have a round code, and the largest of a district the roundest: Aranjuez is 28300.
_ROUND = ("%00", "%#0", "%#0", "%##")
_DIGITS = re.compile(r"\d")
_NUMBER = re.compile(r"\d+")
_TRIES = 16
_BOXES = frozenset(
    {"070", "071", "080"}
)  # in every Spanish capital: the post itself, offices of the state, letter boxes (Correos)
_LARGE = 1000.0  # the weight of a town of a hundred thousand people
_CITY = 600.0  # of one of forty thousand
_SMALL = 100.0  # the weight of a town that no list knows: some two thousand people


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


@dataclass(slots=True)
class PlaceSurrogates:
    """Gives towns, regions and postal codes their surrogates."""

    scope: Scope
    lang: str
    guard: Guard
    atlas: Atlas = field(init=False, repr=False)  # what is known about the places of the language
    _towns: dict[tuple[str, str], KnownTown] = field(default_factory=dict, repr=False)
    _regions: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.atlas = atlas(self.lang)

    def is_country(self, text: str) -> bool:
        """Say whether a text names a country, and no city at home: in Spain `Granada` is one, not the island."""
        form = fold_word(text.strip(" .()"))
        known = self.atlas.towns.get(form)
        at_home = known is not None and known.town.country == self.atlas.home and known.weight > _CITY
        return form in self.atlas.countries and not at_home

    def is_town(self, text: str) -> bool:
        """Say whether the lists know such a town."""
        return fold_word(text) in self.atlas.towns

    def is_near(self, text: str) -> bool:
        """Say whether a text names a town at home or a large one elsewhere; half of all surnames are some town in America."""
        known = self.atlas.towns.get(fold_word(text))
        if known is None or self.atlas.is_quarter(known.town):
            return False
        return known.town.country == self.atlas.home or known.weight > _LARGE

    def is_region(self, text: str) -> bool:
        """Say whether a text names a canton, state, province or county at home."""
        return fold_word(text) in self.atlas.regions

    def town(self, name: str) -> Town:
        """The town that a town becomes."""
        return self._known(name).town

    def _known(self, name: str) -> KnownTown:
        form = fold_word(name)
        turn = self.scope.turn(f"town {form}")
        if (form, turn) not in self._towns:
            self._towns[form, turn] = self._draw_town(form, turn)
        return self._towns[form, turn]

    def city(self, name: str) -> str:
        """The name of the town that a town becomes, written like it."""
        made = write_like(name, self._known(name).name)
        own = self.atlas.towns.get(fold_word(name)) if name.isascii() and not made.isascii() else None
        return without_accents(made) if own is not None and not own.name.isascii() else made  # `Mostoles` has lost its accent

    def in_name(self, text: str) -> str:
        """The town or region that one becomes inside of the name of a hospital.

        It is the one of the addresses, but for the capital: hospitals that are called after their town are in smaller ones.
        """
        made = self.region(text) if self.is_region(text) and not self.is_near(text) else self.city(text)
        if fold_word(made) not in self.atlas.capitals:
            return made
        form, words = fold_word(text), len(text.split())
        rng = self.scope.rng("places", "in name", form, self.scope.turn(f"in name {form}"))
        known = self.atlas.towns.get(form)
        towns = self.atlas.sized(self.atlas.home, "", words)
        for _ in range(_TRIES):
            drawn = towns.draw(rng, min(known.weight, _LARGE) if known else _SMALL)
            if self._fits(drawn, form) and drawn.form not in self.atlas.capitals:
                return write_like(text, drawn.name)
        return made

    def any_town(self, text: str) -> str:
        """The name of a town of any region at home with as many words, as streets have it."""
        form = fold_word(text)
        rng = self.scope.rng("places", "any", form, self.scope.turn(f"any {form}"))
        towns = self.atlas.sized(self.atlas.home, "", len(text.split()))
        for _ in range(_TRIES):
            drawn = towns.draw_any(rng)
            if self._fits(drawn, form):
                break
        return write_like(text, drawn.name)

    def region(self, text: str, town: Town | None = None) -> str:
        """The region that a region becomes, as a code or in full like it; of the town, where there is one."""
        code, form = self.atlas.regions.get(fold_word(text), ("", ""))
        if town is None or town.country != self.atlas.home or not town.region or town.region == code:
            other = self.exchanged(self.atlas.home, code or fold_word(text))
        else:
            other = town.region
        if form == "community":
            return write_like(text, self._other_community(text, other))
        if form == "name" or (not form and len(text) > 3):
            other = self.atlas.names().get(other, other).removesuffix(" (canton)")
        return write_like(text, other)

    def _other_community(self, text: str, region: str) -> str:
        """The community of a region, or that of another region if this is the one that is to change."""
        found = self.atlas.community(region)
        for _ in range(_TRIES):
            if fold_word(found) != fold_word(text) and self.guard.allows(found):
                break
            region = self.exchanged(self.atlas.home, region)
            found = self.atlas.community(region)
        return found

    def code(self, text: str) -> str:
        """Letters and digits in the place of a code: `C1059ABG`, `NJ`."""
        rng = self.scope.rng("places", "code", fold_word(text), self.scope.turn(f"code {text}"))
        return self.guard.draw_other(text, lambda: other_characters(text, rng), _TRIES)

    def road(self, text: str) -> str:
        """Another number in the name of a road: `E4:an`, `AP-7`."""
        rng = self.scope.rng("places", "road", fold_word(text), self.scope.turn(f"road {text}"))

        def draw() -> str:
            return _NUMBER.sub(lambda number: str(1 + int(rng.random() * 9 * 10 ** (len(number[0]) - 1))), text)

        return self.guard.draw_other(text, draw, _TRIES)

    def country(self, text: str) -> str:
        """Another country, where a policy does not keep it."""
        form = fold_word(text.strip(" .()"))
        own = self.atlas.countries.get(form, "")
        codes = sorted({code for code in self.atlas.countries.values() if code not in ("ZZ", own)})
        rng = self.scope.rng("places", "country", own or form, self.scope.turn(f"country {form}"))
        for _ in range(_TRIES):
            name = country_names(self.lang)[codes[int(rng.random() * len(codes))]][0]
            if self.guard.allows(name) and len(name.split()) == len(text.split()):
                break
        return write_like(text, name)

    def zip(self, text: str, town: Town | None = None) -> str:
        """A postal code of the town, in the layout of the original; digits beyond it are drawn."""
        digits = "".join(_DIGITS.findall(text))
        if town is None:
            home = self.atlas.town_of_zip(digits)
            town = self.town(home) if home else None
        rng = self.scope.rng("places", "zip", digits, town.name if town else "")
        for _ in range(_TRIES):
            drawn = draw_code(town, rng) if town is not None else ""
            if digits[2:] in _BOXES and drawn[2:3] == "0":
                drawn = drawn[:2] + digits[2:]
            drawn = drawn[: len(digits)] if len(digits) >= 4 else ""
            drawn += fill("%" + "#" * len(digits), rng)[: len(digits) - len(drawn)]
            written = write_into(text, drawn)
            if drawn != digits and self.guard.allows(written):
                return written
        return other_characters(text, rng)

    def exchanged(self, country: str, region: str) -> str:
        """The region whose towns take the place of the towns of a region."""
        if (country, region) not in self._regions:
            own = region if region in self.atlas.large_regions(country) else ""  # unknown names must not fill the cache
            choices = self.atlas.other_regions(country, own)
            rng = self.scope.rng("places", "region", country, region)
            drawn = region
            for _ in range(_TRIES):
                drawn = choices.draw(rng) if choices else region
                if not choices or self.guard.allows_form(self.atlas.seats[country, drawn].form):
                    break  # where the first town is one of the originals, another would have to stand for it
            self._regions[country, region] = drawn
        return self._regions[country, region]

    def _draw_town(self, form: str, turn: str) -> KnownTown:
        """A town with as many words and of about the same size in the other region; an unknown town is a small one."""
        known = self.atlas.towns.get(form)
        country = known.town.country if known else self.atlas.home
        region = self.exchanged(country, known.town.region if known else form)
        own, taken = self._first_towns(known, region) if known else (None, None)
        if own is not None and not turn and self._agrees(own, form) and self._fits(own, form):
            return own
        rng = self.scope.rng("places", "town", form, turn)
        size, words = known.weight if known else _SMALL, len(form.split())
        chosen = None
        for where in ((country, region, words), (country, region, 0), (country, "", words), (self.atlas.home, "", 0)):
            towns = self.atlas.sized(*where)
            for _ in range(_TRIES if len(towns) else 0):
                chosen = towns.draw(rng, size)
                if chosen is taken or (where[1:] != ("", 0) and not self._agrees(chosen, form)):
                    continue
                if self._fits(chosen, form):
                    return chosen
        assert chosen is not None
        return chosen

    def _first_towns(self, known: KnownTown, region: str) -> tuple[KnownTown | None, KnownTown | None]:
        """What a town becomes in another region if it is the first or the second of its own, and what no other may become."""
        country, home = known.town.country, known.town.region
        first, second = self.atlas.first_towns(country, region, lambda: self.scope.rng("places", "first", country, region))
        if self.atlas.seats.get((country, home)) is known:
            return first, None
        taken = first if region != home else None  # where a country has no regions, nothing has moved
        return (second, taken) if self.atlas.seconds.get((country, home)) is known else (None, taken)

    def _agrees(self, town: KnownTown, form: str) -> bool:
        """Say whether a town begins like another, as it has to in French after `de` and `d'`."""
        return not load_language(self.lang).small_words.before_names or begins_with_vowel(town.form) == begins_with_vowel(form)

    def _fits(self, town: KnownTown, form: str) -> bool:
        return form not in (town.form, town.other) and self.guard.allows_form(town.form)
