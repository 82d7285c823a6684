"""Lists that are drawn from by weight, and patterns that are filled: the one place where randomness meets data."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # no I and O, as on most labels


class Dice(Protocol):
    """What surrogates are drawn with: a `random.Random`, or the numbers of a keyed digest."""

    def random(self) -> float:
        """A number from 0 up to 1."""


class Weighted(Generic[T]):
    """Values with the chance of each. Drawing costs one random number and one bisection.

    >>> from random import Random
    >>> Weighted(["common", "rare"], [99, 1]).draw(Random(0))
    'common'
    """

    __slots__ = ("_cumulated", "_even", "values")

    def __init__(self, values: Sequence[T], weights: Iterable[float] | None = None) -> None:
        if not values:
            raise ValueError("there is nothing to draw from")
        self.values = tuple(values)
        cumulated = array("d", accumulate(weights)) if weights is not None else array("d")
        self._even = len(cumulated) == 0
        self._cumulated = cumulated

    @classmethod
    def of(cls, weights: Mapping[T, float]) -> Weighted[T]:
        """Make one from a mapping of values to weights."""
        return cls(list(weights), list(weights.values()))

    def __len__(self) -> int:
        return len(self.values)

    def draw(self, rng: Dice) -> T:
        """Return one value."""
        if self._even:
            return self.values[int(rng.random() * len(self.values))]
        cumulated = self._cumulated
        return self.values[bisect_right(cumulated, rng.random() * cumulated[-1], 0, len(cumulated) - 1)]

    def weights(self) -> list[float]:
        """The weight of each value, in order."""
        if self._even:
            return [1.0] * len(self.values)
        return [b - a for a, b in zip([0.0, *self._cumulated], self._cumulated, strict=False)]


def pairs(entries: Iterable[Any]) -> tuple[list[Any], list[float]]:
    """Split TOML entries, each a value or `[value, weight]`, into values and weights.

    >>> pairs(["a", ["b", 3]])
    (['a', 'b'], [1.0, 3.0])
    """
    split = [entry if isinstance(entry, list) else [entry, 1.0] for entry in entries]
    return [value for value, _ in split], [float(weight) for _, weight in split]


def fill(pattern: str, rng: Dice) -> str:
    """Fill one pattern.

    >>> from random import Random
    >>> fill("AB-%##", Random(1))
    'AB-287'
    """
    random = rng.random
    parts: list[str] = []
    for character in pattern:
        if character == "#":
            parts.append("0123456789"[int(random() * 10)])
        elif character == "%":
            parts.append("123456789"[int(random() * 9)])
        elif character == "^":
            parts.append("23456789"[int(random() * 8)])
        elif character == "?":
            parts.append(_LETTERS[int(random() * 24)])
        else:
            parts.append(character)
    return "".join(parts)
