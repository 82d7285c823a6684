"""An expression that has to match right before a place, such as the words before a name.

`re` cannot look backwards: it tries every character from as far away as the expression reaches. So a looser expression,
written from right to left, looks first; it says no in a moment, and almost always it is right to. If it does not, a second
one names the characters that are worth a try.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from innominate.detect.rules.alternation import compiled
from innominate.detect.rules.board import Board
from innominate.detect.rules.gate import Gate
from innominate.detect.rules.part import beginnings

FARTHEST = 120  # characters
NEAR = 12  # within so many a plain search is as quick


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
    begins: re.Pattern[bytes] | None  # of one with a long reach

    @classmethod
    def of(cls, expression: str) -> Behind:
        """Compile an expression."""
        gate = Gate(expression, backwards=True)
        looser = gate.sequence(gate.parsed, gate.ignore_case)
        reach = min(FARTHEST, int(gate.parsed.getwidth()[1]))
        begins = re.compile(beginnings(expression, cut=True)[0].encode("latin-1"), re.DOTALL) if reach > NEAR else None
        return cls(compiled(rf"{expression}\Z"), reach, re.compile(looser.encode("latin-1")), begins)

    def search(self, board: Board, place: int) -> re.Match[str] | None:
        """The match that ends at a place."""
        if not self.backwards.match(board.backwards, len(board.text) - place + 1):
            return None
        text, match, first = board.text, self.exact.match, max(0, place - self.reach)
        if self.begins is None:
            return self.exact.search(text, first, place)
        for begin in self.begins.finditer(board.data, first + 1, place + 1):
            if found := match(text, begin.start() - 1, place):
                return found
        return match(text, place, place)  # an empty one
