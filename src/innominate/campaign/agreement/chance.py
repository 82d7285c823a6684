"""Continuums by chance: what annotators who never read the text would give (the statistical sampler of pygamma-agreement).

Numbers of units, gaps and lengths are normal with the mean and deviation of the observed ones, categories have the observed
shares, and every annotator is drawn apart. Draws are made in the library's order and from its generator, numpy's classic one,
so one seed gives the library's samples.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import fsum, log, sqrt

import numpy as np

from innominate.campaign.agreement.alignment import Continuum, Owned

_SHORTEST = 1e-6  # the library draws a length again if it is below this


class Stream:
    """The random numbers of numpy's classic generator, which the library draws from.

    Normal numbers come in pairs by Marsaglia's polar method, as numpy's do. They are made here, because numpy multiplies in
    another order: the last bit of gammas that stores remember would change.

    >>> stream = Stream(4577)  # numpy.random.seed(4577); numpy.random.normal(5, 2); numpy.random.random_sample()
    >>> round(stream.normal(5, 2), 12), round(stream.uniform(), 12)
    (3.317025327959, 0.556732354277)
    """

    def __init__(self, seed: int) -> None:
        self.uniform = np.random.RandomState(seed).random_sample
        self._held: float | None = None

    def normal(self, mean: float, deviation: float) -> float:
        """A normal number."""
        if self._held is not None:
            held, self._held = self._held, None
            return mean + deviation * held
        while True:
            x, y = 2 * self.uniform() - 1, 2 * self.uniform() - 1
            square = x * x + y * y
            if 0 < square < 1:
                break
        factor = sqrt(-2 * log(square) / square)
        self._held = factor * x
        return mean + deviation * factor * y


class Chance:
    """Draws continuums with the habits of an observed one."""

    def __init__(self, continuum: Continuum, seed: int) -> None:
        self._stream, self._annotators = Stream(seed), len(continuum.annotators)
        everyone = continuum.units.values()
        gaps = [0.0, *(after.start - before.end for units in everyone for before, after in pairwise(units))]
        gaps += [units[0].start for units in everyone if units and units[0].start > 0]
        self._gap = mean_and_deviation(gaps)
        self._number = mean_and_deviation([len(units) for units in everyone])
        self._length = mean_and_deviation([unit.end - unit.start for units in everyone for unit in units])
        labels = sorted(Counter(unit.label for units in everyone for unit in units).items())
        shares = list(accumulate(count / continuum.size for _, count in labels))
        self._labels, self._shares = [label for label, _ in labels], [share / shares[-1] for share in shares]

    def draw(self) -> list[Owned]:
        """The units of one more continuum, by place. The first annotator has at least one."""
        units: list[Owned] = []
        for annotator in range(self._annotators):
            number = abs(int(self._stream.normal(*self._number)))
            last = 0.0
            for _ in range(number if units else max(1, number)):
                start = last + self._stream.normal(*self._gap)
                last = start + self._drawn_length(start)
                units.append((start, last, self._label(), annotator))
        return sorted(set(units))

    def _drawn_length(self, start: float) -> float:
        while True:
            length = abs(self._stream.normal(*self._length))
            if start + length - start >= _SHORTEST:
                return length

    def _label(self) -> str:
        return self._labels[bisect_right(self._shares, self._stream.uniform())]


def mean_and_deviation(values: Sequence[float]) -> tuple[float, float]:
    """The mean and the standard deviation of a population.

    >>> mean_and_deviation([1, 3])
    (2.0, 1.0)
    """
    mean = fsum(values) / len(values)
    return mean, sqrt(fsum((value - mean) ** 2 for value in values) / len(values))
