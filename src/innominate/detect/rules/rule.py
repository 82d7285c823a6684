"""What every kind of rule has: a name, what it gives and needs, and examples that are its tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from innominate.detect.rules.board import Board, Found


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The part of a rule that all kinds share."""

    name: str
    label: str  # a label of the taxonomy, or a mark: a name that begins with '.' and never leaves the engine
    score: float = 0.9
    priority: int = 0  # of two overlapping candidates the one with the higher priority wins
    match: tuple[str, ...] = ()  # sentences with the span marked, such as "né le [3 mai](DATE)"
    no_match: tuple[str, ...] = ()  # sentences in which this rule finds nothing

    @property
    def rest(self) -> tuple[Any, ...]:
        """What a candidate of the rule holds after its place, if it rests on nothing."""
        return self.label, self.score, self.name, self.priority, (), None


class Rule(Protocol):
    """A rule puts candidates on the board."""

    @property
    def header(self) -> Header:
        """Name, label and examples."""

    @property
    def gives(self) -> frozenset[str]:
        """Labels and marks it may put on the board."""

    @property
    def needs(self) -> frozenset[str]:
        """Labels and marks that must be on the board before it runs."""


class LaterRule(Rule, Protocol):
    """A rule that looks at what is on the board: it has nothing to do where there is nothing of the labels in `of`."""

    @property
    def of(self) -> frozenset[str]:
        """Labels and marks that it looks at."""

    @property
    def beside(self) -> tuple[str | None, str | None]:
        """Expressions that must match right before and right after one of them, if any must."""

    def apply(self, board: Board, candidates: Sequence[Found]) -> None:
        """Look at those of them where it may have something to do, from left to right, and change the board."""
