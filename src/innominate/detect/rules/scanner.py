"""All patterns of a rule pack, one exact expression after the other: the twin in Python of the native pass."""

from __future__ import annotations

from collections.abc import Sequence

from innominate.detect.rules.board import Board
from innominate.detect.rules.expressions.alternation import compiled
from innominate.detect.rules.expressions.lazy import Lazy
from innominate.detect.rules.kinds.pattern import PatternRule


class Scanner:
    """Finds the matches of many patterns, and puts them on a board."""

    def __init__(self, patterns: Sequence[PatternRule]) -> None:
        self.patterns = patterns
        self.exact = [Lazy(compiled, pattern.expression) for pattern in patterns]

    def hits(self, board: Board) -> None:
        """Put what is found on the board."""
        for pattern, exact in zip(self.patterns, self.exact, strict=True):
            for match in exact.finditer(board.text):
                pattern.hit(board, match)
