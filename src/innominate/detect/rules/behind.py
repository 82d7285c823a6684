"""An expression that has to match right before a place, such as the words before a name.

`re` cannot look backwards: it tries every character from as far away as the expression reaches. So a looser expression,
written from right to left, looks first; it says no in a moment, and almost always it is right to.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from innominate.detect.rules.alternation import compiled
from innominate.detect.rules.board import Board
from innominate.detect.rules.gate import Gate

FARTHEST = 120  # characters


@dataclass(frozen=True, slots=True)
class Behind:
    """Finds a match that ends at a place.

    >>> board = Board("Tel. 12, Fax: 34")
    >>> [Behind.of("(?i)fax: ?").search(board, place) is not None for place in (5, 14)]
    [False, True]
    """

    exact: re.Pattern[str]
    reach: int  # characters
    backwards: re.Pattern[bytes]

    @classmethod
    def of(cls, expression: str) -> Behind:
        """Compile an expression."""
        gate = Gate(expression, backwards=True)
        looser = gate.sequence(gate.parsed, gate.ignore_case)
        reach = min(FARTHEST, int(gate.parsed.getwidth()[1]))
        return cls(compiled(rf"{expression}\Z"), reach, re.compile(looser.encode("latin-1")))

    def search(self, board: Board, place: int) -> re.Match[str] | None:
        """The match that ends at a place."""
        if not self.backwards.match(board.backwards, len(board.text) - place + 1):
            return None
        return self.exact.search(board.text, max(0, place - self.reach), place)
