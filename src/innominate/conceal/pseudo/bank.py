"""The names of a country, filed so that one of the same origin, rarity and initial is drawn at once."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from random import Random

from innominate.detect.known.folding import bare
from innominate.surrogates.names import listed, mix

_CLASSES = (0.25, 0.5, 0.75, 0.92)  # shares of people with a more common name, where the classes of rarity end
_ENOUGH = 4  # names from which on a drawer is worth drawing from
_FILED = 15_000  # names of an origin to draw from; those beyond have a handful of bearers, and many are misspelt
_TIER = 7  # initials that change places with each other: about equally frequent ones, so that the mix of initials stays
_TRIES = 12
_ANY = -9  # rarity

Row = tuple[str, str, float, int]  # a name, its folded form, its share of the people, its class of rarity
Filed = tuple[str, str, float]


@dataclass(frozen=True, slots=True)
class Known:
    """What the lists say about a name: its weight in all, where it is from, and how rare it is there."""

    weight: float
    origin: str
    rarity: int


class Drawer:
    """Names to draw from by weight, each with its folded form."""

    __slots__ = ("_cumulated", "names")

    def __init__(self, rows: Iterable[Filed]) -> None:
        filed = list(rows)
        self.names = [(name, form) for name, form, _ in filed]
        self._cumulated = array("d", accumulate(weight for _, _, weight in filed))

    def __len__(self) -> int:
        return len(self.names)

    @property
    def total(self) -> float:
        """The weight of all names."""
        return self._cumulated[-1]

    def draw(self, rng: Random) -> tuple[str, str]:
        """Return one name."""
        cumulated = self._cumulated
        return self.names[bisect_right(cumulated, rng.random() * cumulated[-1], 0, len(cumulated) - 1)]


class Bank:
    """First names of one gender, or surnames, as they occur in a country."""

    def __init__(self, locale: str, gender: str = "") -> None:
        self.known: dict[str, Known] = {}
        self.rarest = len(_CLASSES)
        self._shares: dict[str, float] = {}
        self.main = ""  # the origin of most people, from which names that no list knows get their surrogates
        self._filed: dict[str, dict[tuple[str, int], list[Filed]]] = {}  # by origin, then by initial and rarity
        self._drawers: dict[tuple[str, int, str], Drawer | None] = {}
        origins = mix(locale)
        self.main = max(zip(origins.weights(), origins.values, strict=True))[1]
        for origin, share in zip(origins.values, origins.weights(), strict=True):
            self._shares[origin] = share
            letters: defaultdict[tuple[str, int], list[Filed]] = defaultdict(list)
            self._filed[origin] = letters
            for place, (name, form, weight, rarity) in enumerate(_rows(origin, gender)):
                seen = self.known.get(form)
                if seen is None or share * weight > seen.weight:
                    self.known[form] = Known(share * weight, origin, rarity)
                if place < _FILED:
                    letters[form[0], rarity].append((name, form, weight))

    def find(self, form: str) -> Known | None:
        """What is known about a folded name."""
        return self.known.get(form)

    def draw(self, rng: Random, letter: str, like: Known | None, fits: Callable[[str], bool]) -> str | None:
        """Draw a name with an initial that fits, as near as can be to the origin and rarity of another.

        `fits` is asked about folded names.
        """
        rarity = like.rarity if like else self.rarest
        for origin in (like.origin if like else self.main, ""):
            for rank in (rarity, rarity + 1, rarity - 1, _ANY):
                drawer = self._drawer(origin, rank, letter)
                if drawer is None or (len(drawer) < _ENOUGH and (origin or rank != _ANY)):
                    continue
                for _ in range(_TRIES):
                    name, form = drawer.draw(rng)
                    if fits(form):
                        return name
        return None

    def _drawer(self, origin: str, rarity: int, letter: str) -> Drawer | None:
        where = (origin, rarity, letter)
        if where not in self._drawers:
            ranks = range(self.rarest + 1) if rarity == _ANY else (rarity,)
            rows = [
                (name, form, weight * self._shares[one])
                for one in ([origin] if origin else self._filed)
                for rank in ranks
                for name, form, weight in self._filed[one].get((letter, rank), ())
            ]
            self._drawers[where] = Drawer(rows) if rows else None
        return self._drawers[where]

    def initials(self) -> dict[str, float]:
        """The initials that have enough names, each with the share of people."""
        shares: dict[str, float] = {}
        for letter in "abcdefghijklmnopqrstuvwxyz":
            drawer = self._drawer("", _ANY, letter)
            if drawer is not None and len(drawer) >= 16:
                shares[letter] = drawer.total
        return shares


@cache
def bank(locale: str, gender: str = "") -> Bank:
    """The names of a country: first names with a gender, surnames without."""
    return Bank(locale, gender)


@cache
def tiers(locale: str, kind: str) -> tuple[tuple[str, ...], ...]:
    """Initials of first or last names in groups of about equally frequent ones.

    >>> tiers("sv_SE", "last")[0]
    ('s', 'h', 'l', 'a', 'b', 'j', 'n')
    """
    shares: dict[str, float] = {}
    banks = [bank(locale, gender).initials() for gender in (("f", "m") if kind == "first" else ("",))]
    for one in banks:
        for letter, share in one.items():
            if all(letter in other for other in banks):
                shares[letter] = shares.get(letter, 0.0) + share
    ordered = sorted(shares, key=lambda letter: (-shares[letter], letter))
    groups = [tuple(ordered[i : i + _TIER]) for i in range(0, len(ordered), _TIER)]
    if len(groups) > 1 and len(groups[-1]) < 4:
        groups[-2:] = [groups[-2] + groups[-1]]
    return tuple(groups)


@cache
def _rows(origin: str, gender: str) -> tuple[Row, ...]:
    """The names of one origin that are one word, the most common first, with their weight and class of rarity.

    Equally common names share a class, so that a list without counts is one class.
    """
    names = listed(origin, gender)
    rows = [
        (name, weight) for name, weight in zip(names.values, names.weights(), strict=True) if len(name) > 1 and name.isalpha()
    ]
    rows.sort(key=lambda row: (-row[1], row[0]))
    total = sum(weight for _, weight in rows)
    passed, rarity, last = 0.0, 0, -1.0
    classed: list[Row] = []
    for name, weight in rows:
        if weight != last:
            rarity, last = bisect_right(_CLASSES, passed / total), weight
        passed += weight
        form = name.lower() if name.isascii() else bare(name).lower()
        if form.isascii():
            classed.append((name, form, weight / total, rarity))
    return tuple(classed)
