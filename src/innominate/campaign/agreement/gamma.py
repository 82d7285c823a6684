"""Gamma: agreement about what is marked and how it is called, against chance (Mathet et al. 2015).

Gamma is 1 - observed / expected disorder. The expected disorder is the mean over continuums drawn by chance. Alignments are
exact, and draws are those of pygamma-agreement 0.5.9 with the same seed: the values are the library's, to about 1e-7, at a
thirtieth of its time or less. The library itself can be asked too (`gamma_library`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from math import ceil
from typing import Any

from innominate.campaign.agreement.alignment import (
    Alignment,
    Continuum,
    Dissimilarity,
    best_alignment,
    disorder_of,
    partition_units,
)
from innominate.campaign.agreement.chance import Chance, mean_and_deviation
from innominate.core import UsageError

_CONFIDENCE = 1.96  # 95 %
_CARE = 500  # partial covers remembered for a sample by chance, in the rare case that it takes a search to align it


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
    drawn += [next(draws) for _ in range(_needed(drawn, choices) - len(drawn))]
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


def _needed(drawn: list[float], parameters: Parameters) -> int:
    """How many samples the wanted precision takes (Mathet et al. 2015, section 5.3)."""
    if parameters.precision is None:
        return len(drawn)
    mean, deviation = mean_and_deviation(drawn)
    if not mean:
        return len(drawn)
    return ceil((deviation / mean * _CONFIDENCE / parameters.precision) ** 2)
