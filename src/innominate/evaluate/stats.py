"""Bounds and tests: Clopper-Pearson, McNemar, t-tests with their intervals, and the bootstrap over documents.

Rules: Clopper and Pearson 1934 by Beta quantiles; McNemar 1947, exact; Student, Welch and paired t-tests. Numbers are those of
scipy 1.17, also for constant samples. All of them follow from the regularised incomplete beta function and its inverse, which
are a few lines instead of a dependency of 100 MB: the continued fraction of Abramowitz and Stegun 26.5.8 (DLMF 8.17.22),
evaluated by Lentz's method. Notes are the sampling unit of the bootstrap, because identifiers of one note are missed together:
percentile intervals (Efron and Tibshirani 1993, chapter 13). Randomness is passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import copysign, exp, fsum, inf, isfinite, isinf, isnan, lgamma, log, log1p, nan, sqrt
from random import Random
from typing import Any, NamedTuple

from innominate.core import UsageError

_TINY = 1e-300
_PRECISION = 1e-16
_MOST_TERMS = 100_000  # about the square root of the parameters is needed
Counts = Sequence[float]  # of one document, or summed over documents
Statistic = Callable[[Counts], float]
TIMES = 1000


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The probability that a Beta(a, b) variable is at most x.

    >>> round(incomplete_beta(2, 3, 0.5), 12)
    0.6875
    """
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1) / (a + b + 2):  # the fraction converges fast on this side only
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, 1 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction, two terms a step."""
    c, d = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        step = 1.0
        for term in (even, odd):
            d = 1 / _away_from_zero(1 + term * d)
            c = _away_from_zero(1 + term / c)
            step = c * d
            value *= step
        if abs(step - 1) < _PRECISION:
            break
    return value


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def beta_quantile(probability: float, a: float, b: float) -> float:
    """The x at which `incomplete_beta(a, b, x)` is the probability.

    >>> round(beta_quantile(0.95, 1, 10), 10)  # 0 of 10: the rule of three, exactly
    0.2588655509
    """
    return bisect(lambda x: incomplete_beta(a, b, x) < probability, 0.0, 1.0)


def bisect(below: Callable[[float], bool], low: float, high: float) -> float:
    """The place where a condition stops being true, to the last bit that a float has."""
    while True:
        middle = (low + high) / 2
        if not low < middle < high:
            return middle
        if below(middle):
            low = middle
        else:
            high = middle


class Interval(NamedTuple):
    """From where to where."""

    low: float
    high: float


def upper_bound(k: int, n: int, confidence: float = 0.95) -> float:
    """One-sided: with this confidence, the rate behind k of n is at most this.

    >>> round(upper_bound(0, 300), 5)
    0.00994
    """
    _check(k, n)
    return beta_quantile(confidence, k + 1, n - k) if k < n else 1.0


def lower_bound(k: int, n: int, confidence: float = 0.95) -> float:
    """One-sided: with this confidence, the rate behind k of n is at least this."""
    _check(k, n)
    return beta_quantile(1 - confidence, k, n - k + 1) if k > 0 else 0.0


def clopper_pearson(k: int, n: int, confidence: float = 0.95) -> Interval:
    """Two-sided: the rate behind k of n is in here. It is exact, so it covers at least as often as it says."""
    one_sided = (1 + confidence) / 2
    return Interval(lower_bound(k, n, one_sided), upper_bound(k, n, one_sided))


def _check(k: int, n: int) -> None:
    if not 0 <= k <= n:
        raise UsageError(f"{k} of {n} is not a rate")


def binomial_cdf(k: int, n: int, p: float) -> float:
    """The probability of at most k successes in n."""
    return 1.0 if k >= n else incomplete_beta(n - k, k + 1, 1 - p)


@dataclass(frozen=True, slots=True)
class McNemar:
    """Two systems on the same items: how many only the first got right, only the second, and the exact two-sided p."""

    first_only: int
    second_only: int

    @property
    def p(self) -> float:
        """How likely so uneven a split is if both are equally good."""
        n = self.first_only + self.second_only
        return min(1.0, 2 * binomial_cdf(min(self.first_only, self.second_only), n, 0.5))

    def as_dict(self) -> dict[str, Any]:
        """For the result file."""
        return {"first_only": self.first_only, "second_only": self.second_only, "p_two_sided": self.p}


@dataclass(frozen=True, slots=True)
class TTest:
    """A difference of means, its standard error and degrees of freedom; everything else follows from these."""

    difference: float
    error: float
    df: float

    @property
    def t(self) -> float:
        """The statistic; infinite or not a number where the samples do not vary."""
        if self.error:
            return self.difference / self.error
        return copysign(inf, self.difference) if self.difference else nan

    @property
    def p_less(self) -> float:
        """One-sided: the first mean is smaller."""
        return t_cdf(self.t, self.df)

    @property
    def p_greater(self) -> float:
        """One-sided: the first mean is greater."""
        return t_cdf(-self.t, self.df)

    @property
    def p_two_sided(self) -> float:
        """The means differ."""
        return 2 * t_cdf(-abs(self.t), self.df)

    def interval(self, confidence: float = 0.95) -> Interval:
        """Where the difference of the means is."""
        half = t_quantile((1 + confidence) / 2, self.df) * self.error if self.error else 0.0
        return Interval(self.difference - half, self.difference + half)

    def as_dict(self) -> dict[str, Any]:
        """Under the names of the oracle; what JSON cannot say is a string, or None."""
        tails = {"p_two_sided": self.p_two_sided, "p_less": self.p_less, "p_greater": self.p_greater}
        numbers = {"t": self.t, "df": self.df, **tails}
        return {**{name: _sayable(value) for name, value in numbers.items()}, "ci95_of_difference": list(self.interval())}


def student(a: Sequence[float], b: Sequence[float]) -> TTest:
    """Two samples with the same variance.

    >>> round(student([0.91, 0.93, 0.90, 0.95, 0.92], [0.94, 0.96, 0.93, 0.97, 0.96]).p_two_sided, 6)
    0.029181
    """
    pooled = (_squares(a) + _squares(b)) / (len(a) + len(b) - 2)
    return TTest(_mean(a) - _mean(b), sqrt(pooled * (1 / len(a) + 1 / len(b))), len(a) + len(b) - 2)


def welch(a: Sequence[float], b: Sequence[float]) -> TTest:
    """Two samples whose variances may differ."""
    va, vb = (_squares(x) / (len(x) - 1) / len(x) for x in (a, b))
    df = (va + vb) ** 2 / (va**2 / (len(a) - 1) + vb**2 / (len(b) - 1)) if va + vb else 1.0
    return TTest(_mean(a) - _mean(b), sqrt(va + vb), df)


def paired(a: Sequence[float], b: Sequence[float]) -> TTest:
    """Two measurements of the same things."""
    differences = [x - y for x, y in zip(a, b, strict=True)]
    n = len(differences)
    return TTest(_mean(differences), sqrt(_squares(differences) / (n - 1) / n), n - 1)


def t_cdf(t: float, df: float) -> float:
    """The probability that Student's t is at most t."""
    if not isfinite(t):
        return nan if isnan(t) else float(t > 0)
    tail = incomplete_beta(df / 2, 0.5, df / (df + t * t)) / 2
    return 1 - tail if t > 0 else tail


def t_quantile(probability: float, df: float) -> float:
    """The t at which `t_cdf` is the probability, for probabilities from a half."""
    # t = 0 is at x = 1 and infinity at x = 0; small tails keep their precision because x is small there
    x = bisect(lambda x: incomplete_beta(df / 2, 0.5, x) < 2 * (1 - probability), 0.0, 1.0)
    return sqrt(df * (1 - x) / x)


def _mean(values: Sequence[float]) -> float:
    if len(values) < 2:
        raise UsageError("a t-test needs at least two values on each side")
    return fsum(values) / len(values)


def _squares(values: Sequence[float]) -> float:
    """Sum of squared distances from the mean; exact sums, so that a large offset does no harm."""
    mean = _mean(values)
    return fsum((value - mean) ** 2 for value in values)


def _sayable(value: float) -> float | str | None:
    if isnan(value):
        return None
    return value if not isinf(value) else "Infinity" if value > 0 else "-Infinity"


def resample_rows(rows: Sequence[Counts], times: int, rng: Random) -> Iterator[list[float]]:
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
    draws = list(resample_rows(rows, times, rng))
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


def bootstrap_pairs(
    first: Sequence[Counts], second: Sequence[Counts], statistic: Statistic, rng: Random, *, times: int = TIMES
) -> Difference:
    """Compare two systems on the same documents by drawing the same documents for both.

    The p value has one draw added on both sides, so that it is never 0.
    """
    width = len(first[0]) if first else 0

    def difference(sums: Counts) -> float:
        return statistic(sums[:width]) - statistic(sums[width:])

    rows = [(*a, *b) for a, b in zip(first, second, strict=True)]
    values = [difference(sums) for sums in resample_rows(rows, times, rng)]
    turned = min(sum(value <= 0 for value in values), sum(value >= 0 for value in values))
    observed = difference([sum(column) for column in zip(*rows, strict=True)])
    return Difference(observed, percentiles(values, 0.95), min(1.0, 2 * (turned + 1) / (times + 1)))
