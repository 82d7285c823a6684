"""Counts that add up, and the rates that follow from them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Score:
    """True positives, false positives, false negatives. Undefined rates are 0, as in the official scorers.

    >>> (Score(8, 2, 0) + Score(0, 0, 8)).f()
    0.6153846153846154
    """

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def precision(self) -> float:
        """Share of what was found that is right."""
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else 0.0

    @property
    def recall(self) -> float:
        """Share of what is there that was found."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else 0.0

    def f(self, beta: float = 1.0) -> float:
        """Weighted harmonic mean of the two; with beta > 1 recall weighs more."""
        p, r, b2 = self.precision, self.recall, beta * beta
        return (1 + b2) * p * r / (b2 * p + r) if p + r else 0.0
