"""A patient's address: street with house number, postal code and town, in any order and with the usual short forms."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from innominate.detect.known.passage import Hit, Passage
from innominate.detect.known.patients import Patient
from innominate.detect.known.vocabulary import common, edits_allowed, is_particle, is_word, near, spellings, street_types
from innominate.text.accents import fold_word

_WORD = re.compile(r"[^\W\d_]+")
_GAP = re.compile(r"[^\w]{1,4}|_{1,2}|")
_ZIP_AND_CITY = re.compile(r"(?:^|[\s,])(?:[A-Z]{1,2}-)?(?P<zip>\d{3} ?\d{2}|\d{4,5}(?:-\d{4})?)\s+(?P<city>[^\W\d_][^\d,;]+)")
_CITY_AND_ZIP = re.compile(r",\s*(?P<city>[^\W\d_][^\d,;]+),?\s+(?:[A-Z]{2}\s+)(?P<zip>\d{5}(?:-\d{4})?)")
_HOUSE_LAST = re.compile(r"(?P<street>.*?[^\W\d_].*?)\s+(?:[nN][°ºo]?\.? ?)?(?P<house>\d{1,5} ?(?:bis|ter|[a-zA-Z])?)$")
_HOUSE_FIRST = re.compile(r"(?P<house>\d{1,5} ?[a-zA-Z]?),?\s+(?P<street>(?:[^\W\d_]|\d+(?:st|nd|rd|th)\b).*)$")
_HOUSE_AFTER = re.compile(r"\.?[\s,]{0,3}(?:n[°ºo]?\.?\s?)?(?P<house>(?P<digits>\d{1,5})\s?(?:bis|ter|[a-z])?)(?!\w)")
_HOUSE_BEFORE = re.compile(r"(?<!\w)(\d{1,5}\s?[a-z]?)[\s,]{1,3}\Z")
_NEAR = 25  # characters between a postal code and the town or street it belongs to


@dataclass(frozen=True, slots=True)
class Address:
    """An address in parts; what is missing is empty."""

    street: str = ""
    house: str = ""
    zip: str = ""
    city: str = ""


def parse(address: str) -> Address:
    """Take an address apart.

    >>> parse("Rue du Petit-Chêne 12 bis, 1003 Lausanne")
    Address(street='Rue du Petit-Chêne', house='12 bis', zip='1003', city='Lausanne')
    >>> parse("48 Elm Street, Boston, MA 02115")
    Address(street='Elm Street', house='48', zip='02115', city='Boston')
    """
    address = " ".join(address.split())
    place = _CITY_AND_ZIP.search(address) or _ZIP_AND_CITY.search(address)
    line = street_of(address[: place.start()] if place else address)
    city = place["city"].strip() if place else address.rpartition(",")[2].strip() if "," in address else ""
    return Address(line.street, line.house, place["zip"] if place else "", "" if any(map(str.isdigit, city)) else city)


def street_of(line: str) -> Address:
    """Take the line of a street apart; a floor or flat is left out.

    >>> street_of("Storgatan 12 B"), street_of("48 Elm Street, Apt 3")
    (Address(street='Storgatan', house='12 B', zip='', city=''), Address(street='Elm Street', house='48', zip='', city=''))
    >>> street_of("Calle Mayor, 57B, 3 1ª")
    Address(street='Calle Mayor', house='57B', zip='', city='')
    """
    parts = [part.strip() for part in line.split(",")]
    if len(parts) > 1 and not any(map(str.isdigit, parts[0])) and parts[1][:1].isdigit():
        parts[0] = f"{parts[0]} {parts[1]}"
    found = _HOUSE_FIRST.match(parts[0]) or _HOUSE_LAST.match(parts[0])
    return Address(found["street"], found["house"]) if found else Address(parts[0])


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that stand one after the other; kinds of street and particles may be shortened or missing."""

    words: tuple[tuple[str, ...], ...]  # spellings of each
    needed: tuple[bool, ...]

    @classmethod
    def of(cls, text: str, *, street: bool) -> Phrase | None:
        """Prepare a street or town; None if nothing in it says which one."""
        words = tuple(spellings(word) for word in _WORD.findall(text.lower()))
        types = street_types() if street else {}
        needed = tuple(not (is_particle(word[0]) or word[0] in types or len(word[0]) < 2) for word in words)
        if not any(needed):
            needed = tuple(not is_particle(word[0]) for word in words)
        return cls(words, needed) if any(needed) else None

    @property
    def pivot(self) -> int:
        """The longest word that must be there."""
        return max((i for i, is_needed in enumerate(self.needed) if is_needed), key=lambda i: len(self.words[i][0]))

    def hits(self, passage: Passage) -> Iterator[tuple[int, int, bool, bool]]:
        """Yield where the phrase stands, whether its kind of street is there, and whether the pivot is as it should be."""
        forms = self.words[self.pivot]
        exact = {form for form in forms if form in passage.index}
        others = near(forms, list(passage.index))
        if not exact and not others:
            return
        for word in (*exact, *others):
            for span in passage.index[word]:
                at = bisect_left(passage.spans, span)
                if passage.spans[at : at + 1] == [span] and (found := self._around(at, passage)):  # not a piece of a word
                    yield (*found, word in exact)

    def _around(self, at: int, passage: Passage) -> tuple[int, int, bool] | None:
        """Match the words left and right of the pivot; None if a needed one is missing."""
        left, typed = self._walk(at, range(self.pivot - 1, -1, -1), -1, passage)
        right, also_typed = self._walk(at, range(self.pivot + 1, len(self.words)), 1, passage)
        if left is None or right is None:
            return None
        return passage.spans[left][0], passage.spans[right][1], typed or also_typed

    def _walk(self, at: int, wanted: Iterable[int], step: int, passage: Passage) -> tuple[int | None, bool]:
        typed = False
        for i in wanted:
            following = at + step
            if (
                0 <= following < len(passage.words)
                and _adjacent(at, following, passage)
                and self._is(i, passage.words[following])
            ):
                at, typed = following, typed or self.words[i][0] in street_types()
            elif self.needed[i]:
                return None, typed
        return at, typed

    def _is(self, i: int, word: str) -> bool:
        forms = self.words[i]
        same = street_types().get(forms[0], frozenset())
        return word in forms or word in same or (edits_allowed(forms[0]) > 0 and bool(near(forms, [word])))


@dataclass(frozen=True, slots=True)
class Addresses:
    """Finds a patient's addresses."""

    streets: tuple[Phrase, ...]
    numbered: tuple[str, ...]  # 11th Street
    houses: frozenset[str]
    cities: tuple[Phrase, ...]
    zips: tuple[str, ...]
    lang: str

    @classmethod
    def of(cls, patient: Patient, lang: str) -> Addresses:
        """Prepare the addresses of a patient."""
        parsed = [parse(value) for value in patient["address"]]
        apart = [street_of(value) for value in patient["street"]]
        houses = frozenset(_house(value) for value in (*(a.house for a in (*parsed, *apart)), *patient["house"]) if value)
        lines = [address.street for address in (*parsed, *apart) if address.street]
        numbered = tuple(fold_word(line) for line in lines if any(map(str.isdigit, line)))
        streets = [Phrase.of(line, street=True) for line in lines if fold_word(line) not in numbered]
        cities = [Phrase.of(city, street=False) for city in (*(a.city for a in parsed), *patient["city"])]
        zips = {re.sub(r"\D", "", value)[:5] for value in (*(a.zip for a in parsed), *patient["zip"])}
        return cls(
            tuple(phrase for phrase in streets if phrase),
            numbered,
            houses,
            tuple(phrase for phrase in cities if phrase),
            tuple(sorted(code for code in zips if len(code) >= 4)),
            lang,
        )

    def hits(self, passage: Passage) -> list[Hit]:
        """Find streets and towns, then the numbers beside them."""
        streets = [hit for phrase in self.streets for hit in self._street(phrase, passage)]
        streets += (hit for line in self.numbered for hit in self._numbered(line, passage))
        cities = [
            Hit(s, e, "city")
            for phrase in self.cities
            for s, e, _, exact in phrase.hits(passage)
            if self._is_town(s, e, exact, passage)
        ]
        return [*streets, *cities, *self._zips([*streets, *cities], passage)]

    def _numbered(self, line: str, passage: Passage) -> Iterator[Hit]:
        for match in re.finditer(rf"(?<!\w){re.escape(line)}(?!\w)", passage.low):
            yield Hit(*match.span(), "street")
            number = _house_beside(*match.span(), self.houses, passage)
            if number:
                yield Hit(*number, "house")

    def _street(self, phrase: Phrase, passage: Passage) -> Iterator[Hit]:
        for start, end, typed, exact in phrase.hits(passage):
            number = _house_beside(start, end, self.houses, passage)
            alone = exact and passage.is_capital(start) and passage.low[start:end] not in common(self.lang)
            if typed or number or alone:
                yield Hit(start, end, "street")
                if number:
                    yield Hit(*number, "house")

    def _is_town(self, start: int, end: int, exact: bool, passage: Passage) -> bool:
        """A town in lower case, or with a typo, must not be an ordinary word."""
        word = passage.low[start:end]
        if passage.is_capital(start):
            return exact or word not in common(self.lang)
        return word not in common(self.lang) and (exact or not is_word(passage.text[start:end].lower(), self.lang))

    def _zips(self, places: list[Hit], passage: Passage) -> Iterator[Hit]:
        """A postal code alone could be any number: it has to stand near a town or street, or behind a country's letters."""
        for code in (code for code in self.zips if code in passage.squeezed):
            pattern = rf"(?<![\d.,])(?:(?<!\w)[a-z]{{1,2}}-)?{code[:3]}\s?{code[3:]}(?:-\d{{4}})?(?!\d|[.,]\d)"
            for match in re.finditer(pattern, passage.low):
                start, end = match.span()
                beside = any(place.start - end <= _NEAR and start - place.end <= _NEAR for place in places)
                if beside or match[0][0].isalpha():
                    yield Hit(match.end() - len(match[0].split("-", 1)[-1]) if match[0][0].isalpha() else start, end, "zip")


def _adjacent(at: int, other: int, passage: Passage) -> bool:
    left, right = sorted((at, other))
    return _GAP.fullmatch(passage.low, passage.spans[left][1], passage.spans[right][0]) is not None


def _house(value: str) -> str:
    return re.sub(r"\W", "", fold_word(value))


def _house_beside(start: int, end: int, houses: frozenset[str], passage: Passage) -> tuple[int, int] | None:
    """The patient's house number after the street, or before it."""
    after = _HOUSE_AFTER.match(passage.low, end)
    if after and _house(after["house"]) in houses:
        return after.span("house")
    if after and _house(after["digits"]) in houses:
        return after.span("digits")  # in `Rue du Lac 12 a été` the letter is a word
    before = _HOUSE_BEFORE.search(passage.low, max(0, start - 10), start)
    return before.span(1) if before and _house(before[1]) in houses else None
