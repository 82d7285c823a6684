"""A list: words found by the automaton."""

from __future__ import annotations

from dataclasses import dataclass

from innominate.detect.rules.board import Board, Found
from innominate.detect.rules.rule import Header


@dataclass(frozen=True, slots=True)
class ListRule:
    """Puts each word of its list on the board, if it is written as the rule wants it."""

    header: Header
    words: frozenset[str]
    case: str = "any"  # "any"; "capital": the first letter is; "caps": all letters are; "title": first is, not all are

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
        if not right and not board.explain:
            return
        header = self.header
        found = Found._make((start, end, header.label, header.score, header.name, header.priority, (), None))
        if right:
            board.put(found)
        else:
            board.refuse(found, f"the list wants it written in {self.case}")

    def _written_right(self, text: str, start: int, end: int) -> bool:
        if not text[start].isupper():
            return False
        if self.case == "capital":
            return True
        return text[start:end].isupper() == (self.case == "caps")
