"""Gamma: agreement about what is marked and how it is called, against chance (Mathet et al. 2015).

Gamma is 1 - observed / expected disorder. The expected disorder is the mean over continuums drawn by chance: what annotators
who never read the text would give (the statistical sampler of pygamma-agreement). Numbers of units, gaps and lengths are
normal with the mean and deviation of the observed ones, categories have the observed shares, and every annotator is drawn
apart. Alignments are exact, and draws are those of pygamma-agreement 0.5.9 with the same seed, in its order and from its
generator: the values are the library's, to about 1e-7, at a thirtieth of its time or less. The library itself can be asked too
(`library_gammas`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import accumulate, pairwise
from math import ceil, fsum, log, sqrt
from typing import Any

import numpy as np

from innominate.campaign.agreement.alignment import (
    Alignment,
    Continuum,
    Dissimilarity,
    Owned,
    best_alignment,
    disorder_of,
    partition_units,
)
from innominate.core import UsageError

_SHORTEST = 1e-6  # the library draws a length again if it is below this
_CONFIDENCE = 1.96  # 95 %
_CARE = 500  # partial covers remembered for a sample by chance, in the rare case that it takes a search to align it


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
                last = start + self._draw_length(start)
                units.append((start, last, self._label(), annotator))
        return sorted(set(units))

    def _draw_length(self, start: float) -> float:
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


@dataclass(frozen=True, slots=True)
class Parameters:
    """What a gamma depends on besides the annotations; kept with every result."""

    alpha: float = 1.0
    beta: float = 1.0
    delta: float = 1.0
    within: float = 1.0
    seed: int = 4577
    samples: int = 30
    precision: float | None = 0.05  # of the expected disorder, with 95 % confidence; None: no more samples than `samples`

    def __post_init__(self) -> None:
        if self.samples < 2 or (self.precision is not None and not 0 < self.precision < 1):
            raise UsageError("gamma needs at least 2 samples and a precision between 0 and 1")

    def as_dict(self) -> dict[str, Any]:
        """For the result file, with the names of the parts that are fixed."""
        return {**asdict(self), "position": "sporadic", "categories": "absolute", "sampler": "statistical"}


@dataclass(frozen=True, slots=True)
class Gamma:
    """One value, and what it was made from."""

    value: float
    observed: float
    expected: float | None  # None where nothing had to be drawn, because the annotators agree in everything
    deviation: float | None  # of the disorders by chance
    samples: int
    exact: bool
    alignment: Alignment = field(repr=False)

    def as_dict(self) -> dict[str, Any]:
        """For the result file, without the alignment."""
        names = ("value", "observed", "expected", "deviation", "samples", "exact")
        return {name: getattr(self, name) for name in names}


def compute_gamma(continuum: Continuum, parameters: Parameters | None = None, groups: dict[str, str] | None = None) -> Gamma:
    """The agreement of at least two annotators with at least one unit.

    >>> from innominate.campaign.agreement.alignment import MarkedUnit
    >>> same = [MarkedUnit(0, 3, "NAME"), MarkedUnit(9, 12, "DATE")]
    >>> compute_gamma(Continuum({"eva": same, "ola": same})).value
    1.0
    >>> round(compute_gamma(Continuum({"eva": same, "ola": same[:1]})).value, 3)
    0.532
    """
    choices = parameters or Parameters()
    dissimilarity = Dissimilarity(choices.alpha, choices.beta, choices.delta, choices.within, groups or {})
    alignment = best_alignment(continuum, dissimilarity)
    if alignment.disorder < 1e-12:
        return Gamma(1.0, 0.0, None, None, 0, alignment.exact, alignment)
    draws = disorders_by_chance(continuum, choices, dissimilarity)
    drawn = [next(draws) for _ in range(choices.samples)]
    drawn += [next(draws) for _ in range(_count_needed(drawn, choices) - len(drawn))]
    expected, deviation = mean_and_deviation(drawn)
    # Where there are few units, whatever was drawn may agree: then chance does better
    value = 1 - alignment.disorder / expected if expected else 0.0
    return Gamma(value, alignment.disorder, expected, deviation, len(drawn), alignment.exact, alignment)


def disorders_by_chance(continuum: Continuum, parameters: Parameters, dissimilarity: Dissimilarity) -> Iterator[float]:
    """Disorders of continuums drawn by chance, without end."""
    annotators = len(continuum.annotators)
    chance = Chance(continuum, parameters.seed)
    while True:
        units = chance.draw()
        yield disorder_of(partition_units(units, annotators, dissimilarity, _CARE).cost, len(units), annotators)


def _count_needed(drawn: list[float], parameters: Parameters) -> int:
    """How many samples the wanted precision takes (Mathet et al. 2015, section 5.3)."""
    mean, deviation = mean_and_deviation(drawn)
    if parameters.precision is None or not mean:
        return len(drawn)
    return ceil((deviation / mean * _CONFIDENCE / parameters.precision) ** 2)
