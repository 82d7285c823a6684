"""A list: words found by the automaton."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from innominate.detect.rules.board import Board, made
from innominate.detect.rules.rule import Header

CASES = ("any", "capital", "caps", "title")  # any; the first letter is a capital; all are; the first is, and not all are


@dataclass(frozen=True, slots=True)
class ListRule:
    """Puts each word of its list on the board, if it is written as the rule wants it."""

    header: Header
    words: frozenset[str]
    case: str = "any"
    rest: tuple[Any, ...] = field(init=False)  # of what it finds: all but the place

    def __post_init__(self) -> None:
        object.__setattr__(self, "rest", self.header.rest)

    @property
    def gives(self) -> frozenset[str]:
        """Its label."""
        return frozenset({self.header.label})

    @property
    def needs(self) -> frozenset[str]:
        """Nothing: lists look at the text alone."""
        return frozenset()

    def hit(self, board: Board, start: int, end: int) -> None:
        """Take one word."""
        right = self.case == "any" or self._written_right(board.text, start, end)
        if right:
            board.put(made((start, end, *self.rest)))
        elif board.explain:
            board.refuse(made((start, end, *self.rest)), f"the list wants it written in {self.case}")

    def _written_right(self, text: str, start: int, end: int) -> bool:
        if not text[start].isupper():
            return False
        if self.case == "capital":
            return True
        return text[start:end].isupper() == (self.case == "caps")
