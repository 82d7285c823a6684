"""Bootstrap over documents: notes are the sampling unit, because identifiers of one note are missed together.

Rule: percentile intervals (Efron and Tibshirani 1993, chapter 13). Randomness is passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from random import Random
from typing import Any

from innominate.evaluate.stats import Interval

Counts = Sequence[float]  # of one document, or summed over documents
Statistic = Callable[[Counts], float]
TIMES = 1000


def resampled(rows: Sequence[Counts], times: int, rng: Random) -> Iterator[list[float]]:
    """Draw as many documents as there are, with replacement, and sum up their counts; and again, so many times."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    everyone = range(len(rows))
    for _ in range(times):
        drawn = rng.choices(everyone, k=len(rows))
        yield [sum(map(column.__getitem__, drawn)) for column in columns]


def bootstrap(
    rows: Sequence[Counts], statistics: Mapping[str, Statistic], rng: Random, *, times: int = TIMES, confidence: float = 0.95
) -> dict[str, Interval]:
    """Intervals of several statistics of summed counts, all from the same draws.

    >>> rows = [(9, 10), (10, 10), (7, 10)]
    >>> bootstrap(rows, {"recall": lambda sums: sums[0] / sums[1]}, Random(1))["recall"]
    Interval(low=0.7, high=1.0)
    """
    if not rows:
        return dict.fromkeys(statistics, Interval(0.0, 1.0))
    draws = list(resampled(rows, times, rng))
    return {name: percentiles([value(sums) for sums in draws], confidence) for name, value in statistics.items()}


def percentiles(values: Sequence[float], confidence: float) -> Interval:
    """The middle part of the values; a draw in which there was nothing to count (not a number) says nothing."""
    ordered = sorted(value for value in values if not isnan(value))
    if not ordered:
        return Interval(0.0, 1.0)
    return Interval(_quantile(ordered, (1 - confidence) / 2), _quantile(ordered, (1 + confidence) / 2))


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Linear between neighbours, as most programs do."""
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


@dataclass(frozen=True, slots=True)
class Difference:
    """First minus second: on the data, its interval, and how often a draw would turn the sign (two-sided)."""

    observed: float
    interval: Interval
    p: float

    def as_dict(self) -> dict[str, Any]:
        """For the result file."""
        return {"difference": self.observed, "ci95": list(self.interval), "p_two_sided": self.p}


def paired_bootstrap(
    first: Sequence[Counts], second: Sequence[Counts], statistic: Statistic, rng: Random, *, times: int = TIMES
) -> Difference:
    """Compare two systems on the same documents by drawing the same documents for both.

    The p value has one draw added on both sides, so that it is never 0.
    """
    width = len(first[0]) if first else 0

    def difference(sums: Counts) -> float:
        return statistic(sums[:width]) - statistic(sums[width:])

    rows = [(*a, *b) for a, b in zip(first, second, strict=True)]
    values = [difference(sums) for sums in resampled(rows, times, rng)]
    turned = min(sum(value <= 0 for value in values), sum(value >= 0 for value in values))
    observed = difference([sum(column) for column in zip(*rows, strict=True)])
    return Difference(observed, percentiles(values, 0.95), min(1.0, 2 * (turned + 1) / (times + 1)))
