"""A linear mixed model with a random intercept for each annotator, by restricted maximum likelihood.

Tasks of one person resemble each other, so a test that takes them as independent finds too much. With one random effect the
likelihood depends on a single number, the ratio of the two variances, and sums over each person are all that is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from innominate.core import UsageError
from innominate.evaluate.stats import TTest

Floats = NDArray[np.float64]
_GOLDEN = (5**0.5 - 1) / 2
_RATIOS = (-16.0, 12.0)  # logarithms of variance ratios that are searched


@dataclass(frozen=True, slots=True)
class MixedModel:
    """A fitted model: coefficients with their errors, and the two variances."""

    effects: Mapping[str, TTest]
    between: float  # variance of people
    within: float  # variance of what one person does
    criterion: float  # -2 log restricted likelihood
    n: int
    groups: int

    def as_dict(self) -> dict[str, Any]:
        """For the result file."""
        effects = {
            name: {"estimate": one.difference, "error": one.error, **one.as_dict()} for name, one in self.effects.items()
        }
        return {
            "effects": effects,
            "variance_between": self.between,
            "variance_within": self.within,
            "n": self.n,
            "annotators": self.groups,
        }


def fit_random_intercept(columns: Mapping[str, Sequence[float]], y: Sequence[float], groups: Sequence[Hashable]) -> MixedModel:
    """Fit y on the columns and an intercept, with a random intercept per group.

    Degrees of freedom are those of people for a column that is the same in all of a person's rows, else those of rows.

    >>> fitted = fit_random_intercept({"half": [0, 1, 0, 1, 0, 1]}, [5, 3, 9, 6.5, 7, 5.1], ["a", "a", "b", "b", "c", "c"])
    >>> round(fitted.effects["half"].difference, 3), fitted.effects["half"].df
    (-2.133, 2)
    """
    names = ["intercept", *columns]
    x = np.column_stack([np.ones(len(y)), *(np.asarray(column, dtype=float) for column in columns.values())])
    if len(y) <= len(names) or np.linalg.matrix_rank(x) < len(names):
        raise UsageError("a mixed model needs more rows than effects, and conditions that differ from one another")
    sums = _Sums.of(x, np.asarray(y, dtype=float), groups)
    if len(sums.sizes) < 2:
        raise UsageError("a mixed model needs at least two annotators")
    ratio = _ratio(sums)
    fit = sums.fit(ratio)
    inner = [name for place, name in enumerate(names) if _varies(x[:, place], groups)]
    dfs = {
        name: len(y) - len(sums.sizes) - len(inner) if name in inner else len(sums.sizes) - (len(names) - len(inner))
        for name in names
    }
    effects = {
        name: TTest(float(fit.beta[place]), float(fit.errors[place]), max(1, dfs[name])) for place, name in enumerate(names)
    }
    return MixedModel(effects, ratio * fit.variance, fit.variance, fit.criterion, len(y), len(sums.sizes))


@dataclass(frozen=True, slots=True)
class _Fit:
    beta: Floats
    errors: Floats
    variance: float
    criterion: float


@dataclass(frozen=True, slots=True)
class _Sums:
    """Products over all rows, and sums over each group, of the columns with y as the last."""

    products: Floats
    totals: Floats
    sizes: Floats

    @classmethod
    def of(cls, x: Floats, y: Floats, groups: Sequence[Hashable]) -> _Sums:
        both = np.column_stack([x, y])
        numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
        which = np.array([numbers[group] for group in groups])
        totals = np.zeros((len(numbers), both.shape[1]))
        np.add.at(totals, which, both)
        return cls(both.T @ both, totals, np.bincount(which).astype(float))

    def fit(self, ratio: float) -> _Fit:
        """Generalised least squares where people vary `ratio` times as much as their rows."""
        shrink = ratio / (1 + ratio * self.sizes)
        weighed = self.products - (self.totals * shrink[:, None]).T @ self.totals
        xx, xy, yy = weighed[:-1, :-1], weighed[:-1, -1], weighed[-1, -1]
        beta: Floats = np.asarray(np.linalg.solve(xx, xy), dtype=np.float64)
        n, p = int(self.sizes.sum()), len(beta)
        variance = max(float(yy - beta @ xy), 1e-300) / (n - p)
        criterion = (
            (n - p) * (1 + log(2 * np.pi * variance))
            + float(np.log1p(ratio * self.sizes).sum())
            + float(np.linalg.slogdet(xx)[1])
        )
        return _Fit(beta, np.sqrt(variance * np.diag(np.linalg.inv(xx))), variance, criterion)


def _ratio(sums: _Sums) -> float:
    """The ratio of variances with the best likelihood; 0 if people do not differ."""
    place = _lowest(lambda power: sums.fit(exp(power)).criterion, *_RATIOS)
    return exp(place) if sums.fit(exp(place)).criterion < sums.fit(0.0).criterion else 0.0


def _lowest(of: Callable[[float], float], low: float, high: float) -> float:
    """Golden section on a function with one valley."""
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = of(left), of(right)
    while high - low > 1e-9:
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = of(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = of(right)
    return (low + high) / 2


def _varies(column: Floats, groups: Sequence[Hashable]) -> bool:
    first: dict[Hashable, float] = {}
    return any(first.setdefault(group, value) != value for group, value in zip(groups, column.tolist(), strict=True))
