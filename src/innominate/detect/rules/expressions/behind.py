"""An expression that has to match right before a place, such as the words before a name.

`re` cannot look backwards: it tries every character from as far away as the expression reaches. So an automaton reads from
the place to the left, and names the characters that are worth a try.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from innominate.detect.rules.board import Board
from innominate.detect.rules.expressions.alternation import compile_expression
from innominate.detect.rules.expressions.automaton import FARTHEST, automaton
from innominate.detect.rules.expressions.parsed import parse


def up_to_the_end(expression: str) -> str:
    """An expression that has to match up to the end."""
    return rf"{expression}\Z"


@dataclass(frozen=True, slots=True)
class Behind:
    """Finds a match that ends at a place.

    >>> board = Board("Tel. 12, Fax: 34")
    >>> [Behind.of("(?i)fax: ?").search(board, place) is not None for place in (5, 14)]
    [False, True]
    """

    exact: re.Pattern[str]
    reach: int  # characters
    automaton: Any | None

    @classmethod
    def of(cls, expression: str) -> Behind:
        """Compile an expression."""
        reach = min(FARTHEST, int(parse(expression).getwidth()[1]))
        return cls(compile_expression(up_to_the_end(expression)), reach, automaton({0: expression}, backwards=True))

    def search(self, board: Board, place: int) -> re.Match[str] | None:
        """The match that ends at a place, as long as possible."""
        farthest = max(0, place - self.reach)
        if self.automaton is None:
            return self.exact.search(board.text, farthest, place)
        for start in self.automaton.ends(board.data, place):
            if start >= farthest and (found := self.exact.match(board.text, start, place)):
                return found
        return None
