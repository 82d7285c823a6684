"""Surrogates for streets and house numbers: the type of street stays, its name and the numbers change.

A near number takes the place of one, as low ones are in every street and high ones in few. The name depends on what the street
is called after: half of the Spanish streets that are called after nothing in particular are called like those of most towns;
the others bear the name of a town or of somebody, as most streets do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from innominate.conceal.guard import Guard
from innominate.conceal.likeness import other_characters, without_accents, write_like
from innominate.conceal.people.bank import bank
from innominate.conceal.people.names import NameSurrogates
from innominate.conceal.places.places import PlaceSurrogates
from innominate.conceal.scope import Scope
from innominate.languages import load_language
from innominate.surrogates.places import street_names
from innominate.surrogates.weighted import Dice
from innominate.text.accents import fold_word

_DOORS = "AAABBBCCCDDDEF"  # every floor has the first letters
_NUMBER = re.compile(r"(?<!\d)[1-9]\d*")
_NEAR = 0.4  # of a number: how far its surrogate may be, and
_STEPS = 2  # the least that this is
_ROUND = 3  # digits from which on zeros at the end say that a number is a round one, as in km 12,500
_WIDEST = 60  # numbers that one building has
_LETTER = "[^\\W\\d_\u00aa\u00ba]"
PART = re.compile(f"(?i:s/n)\\b|{_LETTER}(?:{_LETTER}|[\u0300-\u036f]|['\u2019-](?={_LETTER}))*|\\d+")
_TRIES = 12
_LEADS = frozenset(
    ["de", "del", "la", "las", "los", "el", "des", "du", "le", "les", "d", "l", "do", "da", "dos", "das"]
)  # before the name of a street
_JOINING = frozenset({"y", "i", "e"})
_ROMAN = re.compile(r"[IVX]+")
_ACCENTED = ("cion", "sion")  # endings that have an accent in Spanish
_BANKS = ("", "f", "m")  # surnames and first names
_LISTED = 0.5  # of the names that are nobody's, and
_FAMOUS = 0.25  # of those that are somebody's
_TOWN = 0.75  # of names of one word: below it a town, above it somebody
_BREAK = re.compile(r"[,;\n(]")
_BEFORE = re.compile(r"([^\W\d_]+)[.ºª]*\s*\Z")
_ORDINALS = frozenset({"st", "nd", "rd", "th", "er", "eme", "ere"})
_RANGE = frozenset({"-", "–", " - ", "/"})
_ZIP = 5  # digits of a Spanish postal code; no house has as many


def draw_house_number(text: str, rng: Dice) -> str:
    """Another number as long as a text and near it, doors with the first letters, round ones round.

    >>> from random import Random
    >>> draw_house_number("12B", Random(1)), draw_house_number("3", Random(1)), draw_house_number("500", Random(1))
    ('13B', '5', '400')
    """
    drawn = list(other_characters(text, rng))
    for i, character in enumerate(text):
        if character.isascii() and character.isalpha():
            door = _DOORS[int(rng.random() * len(_DOORS))]
            drawn[i] = door if character.isupper() else door.lower()
    if number := _NUMBER.search(text):
        drawn[number.start() : number.end()] = _near(number[0], rng)
    return "".join(drawn)


def _near(number: str, rng: Dice) -> str:
    """Another number with as many digits, at most two fifths away."""
    zeros = len(number) - len(number.rstrip("0")) if len(number) >= _ROUND else 0
    unit, digits = 10**zeros, len(number) - zeros
    value = int(number) // unit
    lowest, highest = 10 ** (digits - 1), 10**digits - 1
    far = max(_STEPS, int(value * _NEAR))
    low, high = max(lowest, value - far), min(highest, value + far)
    drawn = low + int(rng.random() * (high - low))
    return str((drawn + (drawn >= value)) * unit)


def last_of_range(first: str, last: str, drawn: str) -> str:
    """The end of a range of houses whose beginning became another; empty where the two numbers are no range.

    >>> last_of_range("119", "129", "38"), last_of_range("18", "2", "31")
    ('48', '')
    """
    if not (first.isdecimal() and last.isdecimal() and drawn.isdecimal()):
        return ""
    apart = int(last) - int(first)
    return str(int(drawn) + apart) if 0 < apart <= _WIDEST else ""


@dataclass(slots=True)
class StreetNameSurrogates:
    """Gives the names of streets their surrogates."""

    lang: str
    names: NameSurrogates
    places: PlaceSurrogates

    def other(self, text: str, before: str = "") -> str:
        """A name with as many words, the same particles before it, and in Swedish the same ending.

        `before` is the word before it, which may say that it is a person or a saint.
        """
        made = self._other(text, before)
        return without_accents(made) if not made.isascii() and self._is_plain(text) else made

    def _other(self, text: str, before: str) -> str:
        form = fold_word(text)
        if _LEADS.issuperset(form.split()):  # `Apartado de correos`
            return text
        sort = titles_before(self.lang).get(before, "")
        if sort:
            return self._saint(text, form, sort[-1]) if sort.startswith("saint") else self._of_person(text)
        return self._drawn(text, form, self._fitting(text, form)) or self._called_after(text, form)

    def _is_plain(self, text: str) -> bool:
        """Whether a name is written without the accents it should have: `Miguel Hernandez`, `Avenida de la Ilustracion`."""
        return text.isascii() and any(map(self._has_accents, fold_word(text).split()))

    def _has_accents(self, form: str) -> bool:
        if form.endswith(_ACCENTED):
            return True
        town = self.places.atlas.towns.get(form)
        if town is not None and town.form == form and not town.name.isascii():
            return True
        found = (bank(self.names.people.lang, gender).find(form) for gender in _BANKS)
        return any(known is not None and known.accented for known in found)

    def _drawn(self, text: str, form: str, choices: tuple[str, ...]) -> str:
        """One of some names, written like a text; empty without any."""
        if not choices:
            return ""
        scope, guard = self.names.scope, self.names.guard
        rng = scope.rng("places", "street", form, scope.turn(f"street {form}"))
        for _ in range(_TRIES):
            drawn = choices[int(rng.random() * len(choices))]
            if fold_word(drawn) != form and guard.allows(drawn):
                break
        return _as_begun(text, write_like(text, drawn))

    def _fitting(self, text: str, form: str) -> tuple[str, ...]:
        """Names of the list; none for streets that bear the name of a person or a town, as most do."""
        words, streets = len(text.split()), load_language(self.lang).streets
        lead = _lead(form) if streets.articles else ""
        if lead and (found := _led(self.lang, words, lead)) and not (lead == "de" and streets.after_people):
            return found
        if streets.after_people:
            return ()
        ending = next((end for end in load_language(self.lang).streets.endings if form.endswith(fold_word(end))), "")
        return _names(self.lang, words, ending) or _names(self.lang, words, "") or _names(self.lang, 0, "")

    def _called_after(self, text: str, form: str) -> str:
        """A town becomes a town, a person a person; anything else one of the names that many towns have, or either."""
        if self.places.is_near(text):
            return self.places.city(text)
        words = form.split()
        if words[0] == "de" and len(words) > 1:  # after it only towns and people need no article
            return text[:3] + self._of_place_or_person(text[3:], words[1:])
        listed = _listed(self.lang, len(words))
        share = self._share(form)
        if form in _listed_forms(self.lang):
            return self._drawn(text, form, listed)
        if len(words) > 1 and self._is_first(words[0]):
            return self._drawn(text, form, listed if share < _FAMOUS else ()) or self._of_person(text)
        if listed and (share < _LISTED or not _LEADS.isdisjoint(words)):
            return self._drawn(text, form, listed)
        return self._of_place_or_person(text, words)

    def _of_place_or_person(self, text: str, words: list[str]) -> str:
        form = " ".join(words)
        if self.places.is_near(text):
            return self.places.city(text)
        return self.places.any_town(text) if len(words) == 1 and self._share(form) < _TOWN else self._of_person(text)

    def _share(self, form: str) -> float:
        """A number from 0 to 1 for a name, which says what it is to be called after."""
        return self.names.scope.number(1000, "places", "street", "sort", form) / 1000

    def _is_first(self, form: str) -> bool:
        people = self.names.people
        return len(form.rstrip(".")) == 1 or (people.role(form) or people.leaning(form)) == "first"

    def _saint(self, text: str, form: str, gender: str) -> str:
        """`San Roque` becomes `San Blas`; what follows the first name is changed word for word."""
        first, *rest = PART.findall(text)
        made = self._drawn(first, fold_word(first), load_language(self.lang).streets.saints[gender])
        return self._of_person(text) if rest else made

    def _of_person(self, text: str) -> str:
        """Word for word: a first name becomes a first name, anything else a surname; particles stay."""
        return PART.sub(lambda part: self._word(part[0]), text)

    def _word(self, word: str) -> str:
        form, people = fold_word(word), self.names.people
        if form in _LEADS or form in _JOINING or form in load_language(self.lang).streets.kept or word[0].isdigit():
            return word
        if _ROMAN.fullmatch(word):  # Alfonso XII
            return word
        if len(form) == 1:
            return write_like(word, self.names.letter(form, "first").upper()) if form.isascii() else word
        role = people.role(form) or people.leaning(form) or "last"
        return write_like(word, self.names.alike(form, role, people.gender(form) if role == "first" else ""))


def _as_begun(text: str, made: str) -> str:
    """With a capital where the original has one: `Los Alisos` does not become `los Olmos`."""
    return made[0].upper() + made[1:] if text[0].isupper() and made[0].islower() else made


@cache
def titles_before(lang: str) -> Mapping[str, str]:
    """What some words say about the name after them."""
    return {word: sort for sort, words in load_language(lang).streets.before.items() for word in words}


@cache
def _listed(lang: str, words: int) -> tuple[str, ...]:
    """Names of streets that many towns have, with so many words."""
    return tuple(name for name in load_language(lang).streets.of_many_towns if len(name.split()) == words)


@cache
def _listed_forms(lang: str) -> frozenset[str]:
    return frozenset(map(fold_word, load_language(lang).streets.of_many_towns))


@cache
def _names(lang: str, words: int, ending: str) -> tuple[str, ...]:
    """Street names with so many words (any number for 0) and an ending."""
    names = street_names(lang)
    return tuple(name for name in names if (not words or len(name.split()) == words) and name.lower().endswith(ending))


def _lead(form: str) -> str:
    """The particles before a name: `de la` of `de la gare`."""
    words = form.replace("'", " ").split()
    lead = []
    while words and words[0] in _LEADS:
        lead.append(words.pop(0))
    return " ".join(lead) if words else ""


@cache
def _led(lang: str, words: int, lead: str) -> tuple[str, ...]:
    """Street names with so many words after the same particles; `los Olivos` is `de los Olivos` without its `de`."""
    names = street_names(lang)
    found = [name for name in names if len(name.split()) == words and _lead(fold_word(name)) == lead]
    if not found and lead in ("la", "las", "los", "el"):
        found = [name.removeprefix("de ") for name in names if _lead(fold_word(name)) == f"de {lead}"]
    return tuple(found)


@dataclass(slots=True)
class StreetSurrogates:
    """Gives streets and house numbers their surrogates."""

    scope: Scope
    names: NameSurrogates
    places: PlaceSurrogates
    lang: str = field(init=False)
    guard: Guard = field(init=False, repr=False)
    _called: StreetNameSurrogates = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.lang, self.guard = self.places.lang, self.places.guard
        self._called = StreetNameSurrogates(self.lang, self.names, self.places)

    def surrogate_of(self, text: str) -> str:
        """The surrogate of a street with everything that was marked with it: number, floor, flat."""
        parts: list[str] = []
        position = 0
        previous = drawn = ""
        for start, end, name in self._stretches(text):
            between, original = text[position:start], text[start:end]
            if name:
                before = _BEFORE.search(text, 0, start)
                drawn = self._called.other(original, fold_word(before[1]) if before else "")
            else:
                follows = last_of_range(previous, original, drawn) if between in _RANGE else ""
                drawn = follows if follows and self.guard.allows(follows) else self._numbered(original)
            parts += (between, drawn)
            position, previous = end, original
        return "".join([*parts, text[position:]])

    def _numbered(self, text: str) -> str:
        if load_language(self.lang).streets.zip_among_numbers and len(text) == _ZIP and text.isdecimal():
            return self.places.zip(text)
        return self.number(text)

    def number(self, text: str) -> str:
        """The surrogate of a house number, as long as it is and with a letter where it has one."""
        rng = self.scope.rng("places", "number", fold_word(text), self.scope.turn(f"number {text}"))
        return self.guard.draw_other(text, lambda: draw_house_number(text, rng))

    def _stretches(self, text: str) -> list[tuple[int, int, bool]]:
        """Where names and numbers stand; words of a name stand together, with the particles among them."""
        stay, titles = load_language(self.lang).streets.kept, titles_before(self.lang)
        found: list[tuple[int, int, bool]] = []
        titled = False  # the name of somebody begins
        for part in PART.finditer(text):
            word, (start, end) = part[0], part.span()
            if word[0].isdigit():
                found.append((start, end, False))
                continue
            adjoins = bool(found) and found[-1][1] == start
            if adjoins and self._is_ordinal(word):
                continue
            if self._stays(part, stay) or (len(word) == 1 and found and not found[-1][2]):
                titled = fold_word(word) in titles
                if len(word) == 1 and adjoins:
                    found[-1] = (found[-1][0], end, False)  # 12B
            elif found and found[-1][2] and not titled and not _BREAK.search(text, found[-1][1], start):
                found[-1] = (found[-1][0], end, True)
            else:
                found.append((start, end, True))
                titled = False
        return found

    def _stays(self, part: re.Match[str], stay: frozenset[str]) -> bool:
        form = fold_word(part[0].rstrip("ºª°"))
        return form in stay and not (part.start() and form in load_language(self.lang).streets.kept_first)

    def _is_ordinal(self, word: str) -> bool:
        """`5th`, `1er`, and in Spanish `5o`, `5a` and `5oD`, which are floors and doors, beside flat `5B`."""
        floor = load_language(self.lang).streets.floor
        return fold_word(word) in _ORDINALS or (bool(floor) and re.fullmatch(floor, word) is not None)
