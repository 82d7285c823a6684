"""A list: words found by the automaton."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from innominate.detect.rules.board import Board, made
from innominate.detect.rules.rule import Header

# How words may have to be written: in any way; the first letter is a capital; all are; the first is, and not all are.
CASES = {"any": {"small", "title", "caps"}, "capital": {"title", "caps"}, "caps": {"caps"}, "title": {"title"}}


def case_of(text: str, start: int, end: int) -> str:
    """How a word is written.

    >>> [case_of(word, 0, len(word)) for word in ("anna", "Anna", "ANNA")]
    ['small', 'title', 'caps']
    """
    if not text[start].isupper():
        return "small"
    return "caps" if text[start:end].isupper() else "title"


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

    def put_word(self, board: Board, start: int, end: int, case: str) -> None:
        """Put one word on the board, if it is written right."""
        if case in CASES[self.case]:
            board.put(made((start, end, *self.rest)))
        elif board.explain:
            board.refuse(made((start, end, *self.rest)), f"the list wants it written in {self.case}")
