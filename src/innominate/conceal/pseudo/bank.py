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
_ENOUGH = 2  # names from which on a drawer is worth drawing from
_FILED = 15_000  # names of an origin to draw from; those beyond have a handful of bearers, and many are misspelt
_TRIES = 12
# Classes that are drawn from together: half of all people have one of a few dozen names, which become each other.
_TOGETHER = {0: (0, 1), 1: (0, 1), 2: (2,), 3: (3, 4), 4: (3, 4)}
_RARE, _ANY = 4, -1
_ALL = tuple(range(len(_CLASSES) + 1))

Row = tuple[str, str, float, int]  # a name, its folded form, its share of the people, its class of rarity
Filed = tuple[str, str, float]


@dataclass(frozen=True, slots=True)
class Known:
    """What the lists say about a name: its weight in all, where it is from, how rare it is there, whether it has accents."""

    weight: float
    origin: str
    rarity: int
    accented: bool = False


class Drawer:
    """Names to draw from by weight, each with its folded form."""

    __slots__ = ("_cumulated", "names")

    def __init__(self, rows: Iterable[Filed]) -> None:
        filed = list(rows)
        self.names = [(name, form) for name, form, _ in filed]
        self._cumulated = array("d", accumulate([weight for _, _, weight in filed]))

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
        self._shares: dict[str, float] = {}
        self.main = ""  # the origin of most people, from which names that no list knows get their surrogates
        self._filed: dict[str, dict[tuple[str, int], list[Filed]]] = {}  # by origin, then by initial and rarity
        self._drawers: dict[tuple[str, tuple[int, ...], str], Drawer | None] = {}
        origins = mix(locale)
        self.main = max(zip(origins.weights(), origins.values, strict=True))[1]
        for origin, share in zip(origins.values, origins.weights(), strict=True):
            self._shares[origin] = share
            letters: defaultdict[tuple[str, int], list[Filed]] = defaultdict(list)
            self._filed[origin] = letters
            for place, (name, form, weight, rarity) in enumerate(_rows(origin, gender)):
                seen = self.known.get(form)
                if seen is None or share * weight > seen.weight:
                    self.known[form] = Known(share * weight, origin, rarity, not name.isascii())
                if place < _FILED:
                    letters[form[0], rarity].append((name, form, weight))

    def find(self, form: str) -> Known | None:
        """What is known about a folded name."""
        return self.known.get(form)

    def draw(self, rng: Random, letter: str, like: Known | None, fits: Callable[[str], bool]) -> str | None:
        """Draw a name with an initial that fits, as near as can be to the origin and rarity of another.

        `fits` is asked about folded names.
        """
        rarity = like.rarity if like else _RARE
        for origin in (like.origin if like else self.main, ""):
            for rank in (rarity, _ANY):
                drawer = self._drawer(origin, rank, letter)
                if drawer is None or (len(drawer.names) < _ENOUGH and (origin or rank != _ANY)):
                    continue
                for _ in range(_TRIES):
                    name, form = drawer.draw(rng)
                    if fits(form):
                        return name
        return None

    def _drawer(self, origin: str, rarity: int, letter: str) -> Drawer | None:
        ranks = _TOGETHER.get(rarity) or _ALL
        where = (origin, ranks, letter)
        if where not in self._drawers:
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
def initials(locale: str, kind: str) -> dict[str, float]:
    """Initials of first or last names with their shares, the most frequent first.

    >>> list(initials("sv_SE", "last"))[:4]
    ['s', 'h', 'l', 'a']
    """
    shares: dict[str, float] = {}
    banks = [bank(locale, gender).initials() for gender in (("f", "m") if kind == "first" else ("",))]
    for one in banks:
        for letter, share in one.items():
            if all(letter in other for other in banks):
                shares[letter] = shares.get(letter, 0.0) + share
    return {letter: shares[letter] for letter in sorted(shares, key=lambda letter: (-shares[letter], letter))}


@cache
def other_initials(locale: str, kind: str, letter: str) -> tuple[str, ...]:
    """512 initials other than a letter, each as often as names begin with it.

    >>> len(other_initials("sv_SE", "last", "s")), "s" in other_initials("sv_SE", "last", "s")
    (512, False)
    """
    shares = {other: share for other, share in initials(locale, kind).items() if other != letter}
    letters, ends = list(shares), list(accumulate(shares.values()))
    return tuple(letters[bisect_right(ends, (i + 0.5) / 512 * ends[-1])] for i in range(512))


@cache
def _rows(origin: str, gender: str) -> tuple[Row, ...]:
    """The names of one origin that are one word, the most common first, with their weight and class of rarity.

    Equally common names share a class, so that a list without counts is one class.
    """
    rows = list(_words(origin, gender).items())
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
