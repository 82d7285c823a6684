"""Bounds and tests: Clopper-Pearson, McNemar, and t-tests with their intervals.

Rules: Clopper and Pearson 1934 by Beta quantiles; McNemar 1947, exact; Student, Welch and paired t-tests. Numbers are those of
scipy 1.17, also for constant samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import copysign, fsum, inf, isfinite, isinf, isnan, nan, sqrt
from typing import Any, NamedTuple

from innominate.core import UsageError
from innominate.evaluate.beta import beta_quantile, bisect, incomplete_beta


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
