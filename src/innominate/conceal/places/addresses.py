"""Addresses: which one a span is part of, and what a marked place becomes, one part of an address or several together.

Postal codes and regions follow the town beside them, streets their institution. The address of an institution
becomes that of a hospital in the town that takes the place of its town.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from innominate.conceal.guard import Guard
from innominate.conceal.likeness import has_digit, write_into, write_like
from innominate.conceal.places.organisations import OrganisationSurrogates
from innominate.conceal.places.places import PlaceSurrogates
from innominate.conceal.places.streets import StreetSurrogates
from innominate.conceal.scope import Scope
from innominate.conceal.vocabulary import vocabulary
from innominate.core import Document
from innominate.labels import kinds as known_kinds
from innominate.labels import labels_of_all
from innominate.languages import load_language, load_languages
from innominate.surrogates.places import Town
from innominate.surrogates.weighted import Weighted
from innominate.text.accents import fold_word

_GAP = re.compile(r"[\s,;()/.-]{0,4}(?:[A-Z]{1,2}-)?|,? (?:à|in|i|en|de) ")
_AFTER = re.compile(r"[^\n\d]{0,60}")  # between an institution and its address: at most the name of a service
_ZIP = re.compile(r"(?:[A-Z]{1,2}-)?\d{3} ?\d{2}(?:-\d{4})?|(?:[A-Z]{1,2}-)?\d{4,5}")
_BOX = re.compile(r"(?i:\b(?:lgh|box|case postale|apartado|bo[îi]te))\.? ?\Z")  # what follows is no postal code
_ROAD = re.compile(r"(?:[A-Z]{1,2}[ -]?|(?:[Rr]iks|[Ll]äns)?[Vv]äg )\d{1,3}(?::a?n)?")  # E4:an, AP-7
_CHUNK = re.compile(r"[^,;()/\n\t]+")
_CODE = re.compile(r"\s*(?:[A-Z]{1,2}\d{3,5}[A-Z]{0,3}|[A-Z]{2,3})\s*")  # C1059ABG, NJ
_PREFIX = re.compile(r"[A-Z]{1,2}[ -]")  # of a country before a postal code
_LETTERS = re.compile(r"[^\W\d_]")
_TRIES = 8
_FLAT = 2  # flattens the head of a list
_TYPE = re.compile(r"([^\W\d_]+)[./]* *")
# The name of a street and a house number; where there is a floor or a door too, no hospital stands.
_NAMED = re.compile(
    r"(?P<name>(?!(?i:apartado))[^\d,;]*?[^\d,;. ])"
    r"(?P<between> *[,.]? *(?:(?i:n[º°o.]|núm\.?|número) *)?)"
    r"(?P<number>(?i:s/n|km\.? *\d+(?:[.,]\d+)?)|\d+(?:-\d+)?)?"
)
_PARTICLE = re.compile(r"(?:de las|de los|de la|del|de) ")


def town_of_each(document: Document, kinds: Sequence[str], places: PlaceSurrogates) -> dict[int, str]:
    """The town of the address of each span that is part of one, by the number of the span.

    >>> from innominate.conceal.keys import Key
    >>> from innominate.conceal.guard import Guard
    >>> from innominate.conceal.scope import Scope
    >>> from innominate.core import annotated
    >>> places = PlaceSurrogates(Scope(Key(bytes(32)), "p"), "fr", Guard.of([]))
    >>> town_of_each(annotated("[1004](ZIP) [Lausanne](CITY) et [Nyon](CITY)"), ["zip", "city", "city"], places)
    {0: 'Lausanne', 1: 'Lausanne', 2: 'Nyon'}
    """
    found: dict[int, str] = {}
    for group in _groups(document, kinds):
        found |= _town(group, document, kinds, places)
    return found


def workplace_of_each(document: Document, kinds: Sequence[str]) -> dict[int, str]:
    """The street of the institution whose address a span is part of, by the number of the span, or the first part.

    A street that is an institution's in one sentence is so in the whole note.

    >>> from innominate.core import annotated
    >>> note = annotated("[Hospital La Paz](HOSPITAL). [Castellana, 261](STREET). [Madrid](CITY). Vive en [Mayor, 3](STREET).")
    >>> workplace_of_each(note, ["organisation", "street", "city", "street"])
    {1: 'Castellana, 261', 2: 'Castellana, 261'}
    """
    found: dict[int, str] = {}
    elsewhere: dict[int, str] = {}
    for group in _groups(document, kinds):
        streets = [i for i in group if kinds[i] == "street"]
        named = document.spans[(streets or group)[0]].of(document.text)
        if _is_of_institution(group[0], document, kinds):
            found |= dict.fromkeys(group, named)
        elif streets:
            elsewhere |= dict.fromkeys(group, named)
    at_work = set(found.values())
    return found | {i: street for i, street in elsewhere.items() if street in at_work}


def _is_of_institution(first: int, document: Document, kinds: Sequence[str]) -> bool:
    """Say whether an address that begins with a span follows an institution, or somebody who works in one."""
    if first == 0 or (kinds[first - 1] != "organisation" and not _is_staff(document.spans[first - 1].label)):
        return False
    return _AFTER.fullmatch(document.text, document.spans[first - 1].end, document.spans[first].start) is not None


def _is_staff(label: str) -> bool:
    known = labels_of_all().get(label)
    return known is not None and known.staff


def _groups(document: Document, kinds: Sequence[str]) -> Iterator[list[int]]:
    """The numbers of the spans of each address."""
    known, group = known_kinds(), list[int]()
    for i, kind in enumerate(kinds):
        if known[kind].surrogate != "place":
            continue
        if group and not _GAP.fullmatch(document.text, document.spans[group[-1]].end, document.spans[i].start):
            yield group
            group = []
        group.append(i)
    if group:
        yield group


def _town(group: Sequence[int], document: Document, kinds: Sequence[str], places: PlaceSurrogates) -> dict[int, str]:
    named = [i for i in group if kinds[i] in ("city", "place")]
    if not named:
        return {}
    texts = {i: document.spans[i].of(document.text) for i in named}
    towns = [text for text in texts.values() if not has_digit(text) and not places.is_country(text)]
    if not towns:
        return {}
    town = next((text for text in towns if places.is_town(text)), towns[0])
    # a second town in the same group is another town
    return {i: town for i in group if i not in named or has_digit(texts[i]) or texts[i] == town}


@dataclass(slots=True)
class MarkedPlaces:
    """Gives the text of a place its surrogate, whatever of an address it holds."""

    places: PlaceSurrogates
    streets: StreetSurrogates
    organisations: OrganisationSurrogates
    hospitals: HospitalAddresses
    keeps_countries: bool = True

    def surrogate_of(self, text: str, kind: str, town: str | None, workplace: str = "") -> str:
        """The surrogate of a marked place; `town` is that of its address, `workplace` the street if it is an institution's."""
        home = self.places.town(town) if town and self._is_of(town, text, kind, workplace) else None
        if workplace and home and (made := self._at_work(text, kind, home, workplace)):
            return made
        if kind == "street":
            return self.streets.surrogate_of(text)
        if kind == "number":
            return self.streets.number(text)
        if (kind == "zip" and has_digit(text)) or (home and _ZIP.fullmatch(text)):
            return self.places.zip(text, home)
        if kind == "region":
            return self.places.region(text, home) if self.places.is_region(text) else self._anywhere(text)
        return self._anywhere(text)

    def _is_of(self, town: str, text: str, kind: str, workplace: str) -> bool:
        """Say whether part of an address follows its town: a code that was marked as a place does in its own region."""
        if kind in ("zip", "region", "street"):
            return kind != "street" or bool(workplace)
        atlas, digits = self.places.atlas, "".join(filter(str.isdigit, text))
        own, other = atlas.towns.get(fold_word(town)), atlas.towns.get(atlas.town_of_zip(digits))
        return _ZIP.fullmatch(text) is not None and (own is None or other is None or own.town.region == other.town.region)

    def _at_work(self, text: str, kind: str, town: Town, workplace: str) -> str:
        """The street or postal code of a hospital in the new town; empty where there is none, and for anything else."""
        hospital = self.hospitals.instead_of(workplace, town)
        if hospital is not None and kind == "street":
            return self.hospitals.written(hospital, text)
        return write_into(text, hospital.zip) if hospital is not None and _ZIP.fullmatch(text) else ""

    def _anywhere(self, text: str) -> str:
        """A place of any sort, chunk by chunk: `28034 Madrid (España)`."""
        if self.places.is_town(text.strip()) and not self.places.is_country(text):
            core = text.strip()
            return text.replace(core, self.places.city(core), 1)
        if _CODE.fullmatch(text):
            return self.places.code(text)
        if _ROAD.fullmatch(text):
            return self.places.road(text)
        zips = [found for found in _ZIP.finditer(text) if not _BOX.search(text, 0, found.start())]
        if len(zips) == 1 and (zips[0].start() == 0 or not _LETTERS.search(text[zips[0].end() :])):
            start, end = zips[0].span()
            rest = (text[:start] + text[end:]).strip(" ,;()-")
            town = self.places.town(rest) if self.places.is_town(rest) else None
            before = text[:start] if _PREFIX.fullmatch(text[:start]) else self._chunks(text[:start])
            return before + self.places.zip(text[start:end], town) + self._chunks(text[end:])
        if has_digit(text) and _LETTERS.search(text):
            return self.streets.surrogate_of(text)
        return self._chunks(text)

    def _chunks(self, text: str) -> str:
        return _CHUNK.sub(lambda chunk: self._chunk(chunk[0]), text)

    def _chunk(self, text: str) -> str:
        core = text.strip()
        if not core:
            return text
        if self.places.is_country(core):
            made = core if self.keeps_countries else self.places.country(core)
        elif self.places.is_town(core):
            made = self.places.city(core)
        elif firm := self.organisations.firm(core):
            made = firm
        elif self.places.is_region(core):
            made = self.places.region(core)
        elif self._is_generic(core):
            made = self.organisations.surrogate_of(core, of_places=True)
        else:
            made = self.places.city(core)
        return text.replace(core, made, 1)

    def _is_generic(self, text: str) -> bool:
        """Say whether some word says what the place is: then only the others change."""
        known = vocabulary(self.places.lang)
        words = [fold_word(word) for word in re.findall(r"[^\W\d_]+", text)]
        kinds = any(word in known.of_places or word in known.generic for word in words)
        return kinds or not words or (bool(known.endings) and any(word.endswith(known.endings) for word in words))


@dataclass(frozen=True, slots=True)
class Hospital:
    """Where a hospital stands."""

    type: str
    name: str
    number: str
    zip: str


@dataclass(slots=True)
class HospitalAddresses:
    """Gives the addresses of institutions their surrogates."""

    scope: Scope
    lang: str
    guard: Guard

    def instead_of(self, street: str, town: Town) -> Hospital | None:
        """The hospital of a town whose address takes the place of one in a street, or of one that has a postal code only."""
        among = hospitals_by_town(self.lang).get((town.country, town.name))
        if among is None or not (street.isdecimal() or _NAMED.fullmatch(street, len(_type(street)))):
            return None
        rng = self.scope.rng("places", "hospital", fold_word(street), town.name)
        for _ in range(_TRIES):
            drawn = among.draw(rng)
            new = fold_word(drawn.name) not in fold_word(street)
            if new and self.guard.allows(f"{drawn.name} {drawn.number}") and self.guard.allows(drawn.zip):
                return drawn
        return None

    def written(self, hospital: Hospital, street: str) -> str:
        """The street of a hospital, written like another: its type shortened or left out, its number after a comma or not."""
        kind = _type(street)
        found = _NAMED.fullmatch(street, len(kind))
        if found is None:
            return ""
        made = write_like(found["name"], hospital.name)
        if not kind:
            made = _PARTICLE.sub("", made, count=1) if _PARTICLE.match(made) else made
        elif _meant(kind) != fold_word(hospital.type):
            short = _meant(kind) != fold_word(kind.strip(" ./"))
            kind = write_like(street, _shortened(hospital.type) if short else hospital.type) + " " if hospital.type else ""
        if found["number"]:
            plain = hospital.number[0].isdigit() or found["between"].strip() in ("", ",", ".")
            made += (found["between"] if plain else ", ") + hospital.number
        return kind + made


def _type(street: str) -> str:
    """The type of street that an address begins with, and what follows it: `C/ `; empty without one."""
    first = _TYPE.match(street)
    return first[0] if first and fold_word(first[1]) in _types() else ""


def _meant(kind: str) -> str:
    return _types().get(fold_word(kind.strip(" ./")), "")


@cache
def _types() -> Mapping[str, str]:
    """Every way to write a type of street with the type in full, folded."""
    listed = [language.hospitals.types for language in load_languages()]
    return {form: fold_word(kind) for types in listed for kind, forms in types.items() for form in (fold_word(kind), *forms)}


def _shortened(kind: str) -> str:
    return next((one.hospitals.short[kind] for one in load_languages() if kind in one.hospitals.short), kind)


@cache
def hospitals_by_town(lang: str) -> Mapping[tuple[str, str], Weighted[Hospital]]:
    """The hospitals of a language by country and town, the largest drawn most often.

    >>> hospitals_by_town("es")["ES", "Huelva"].values
    (Hospital(type='Ronda', name='Norte', number='s/n', zip='21005'),)
    """
    found = {}
    for town, lines in load_language(lang).hospitals.towns.items():
        standing = [Hospital(*line.split("|")) for line in lines]
        found[load_language(lang).country, town] = Weighted.of({one: 1 / (rank + _FLAT) for rank, one in enumerate(standing)})
    return found
