"""Places as they are marked: one part of an address each, or several together in one span."""

from __future__ import annotations

import re
from dataclasses import dataclass

from innominate.conceal.likeness import has_digit
from innominate.conceal.places.hospitals import HospitalAddresses
from innominate.conceal.places.organisations import OrganisationSurrogates
from innominate.conceal.places.places import PlaceSurrogates
from innominate.conceal.places.postal import write_into
from innominate.conceal.places.streets import StreetSurrogates
from innominate.conceal.vocabulary import vocabulary
from innominate.surrogates.places import Town
from innominate.text.accents import fold_word

_ZIP = re.compile(r"(?:[A-Z]{1,2}-)?\d{3} ?\d{2}(?:-\d{4})?|(?:[A-Z]{1,2}-)?\d{4,5}")
_BOX = re.compile(r"(?i:\b(?:lgh|box|case postale|apartado|bo[îi]te))\.? ?\Z")  # what follows is no postal code
_ROAD = re.compile(r"(?:[A-Z]{1,2}[ -]?|(?:[Rr]iks|[Ll]äns)?[Vv]äg )\d{1,3}(?::a?n)?")  # E4:an, AP-7
_CHUNK = re.compile(r"[^,;()/\n\t]+")
_CODE = re.compile(r"\s*(?:[A-Z]{1,2}\d{3,5}[A-Z]{0,3}|[A-Z]{2,3})\s*")  # C1059ABG, NJ
_PREFIX = re.compile(r"[A-Z]{1,2}[ -]")  # of a country before a postal code
_LETTERS = re.compile(r"[^\W\d_]")


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
