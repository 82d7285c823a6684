"""Expressions that decide: compiled when they are first needed, and matched right after a place or right before it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from innominate.detect.rules.board import Board
from innominate.detect.rules.expressions.automaton import FARTHEST, automaton
from innominate.detect.rules.expressions.parsed import parse


class Lazy:
    """Stands for what `make` gives, and makes it when it is first asked for something.

    A note touches a part of a pack, and starting must be quick.

    >>> date = Lazy(re.compile, r"\\d\\d\\.\\d\\d")
    >>> date.match("18.03").group()
    '18.03'
    """

    def __init__(self, make: Callable[[str], Any], expression: str) -> None:
        self.make, self.expression = make, expression

    def __getattr__(self, name: str) -> Any:
        # Only what is not there yet comes here: the second `match` costs nothing.
        if name == "made":
            self.made = self.make(self.expression)
            return self.made
        value = getattr(self.made, name)
        setattr(self, name, value)
        return value


@dataclass(frozen=True, slots=True)
class Behind:
    """Finds a match that ends at a place, such as the words before a name.

    `re` cannot look backwards: it tries every character from as far away as the expression reaches. So an automaton reads
    from the place to the left, and names the characters that are worth a try.

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
        return cls(re.compile(rf"{expression}\Z"), reach, automaton({0: expression}, backwards=True))

    def search(self, board: Board, place: int) -> re.Match[str] | None:
        """The match that ends at a place, as long as possible."""
        farthest = max(0, place - self.reach)
        if self.automaton is None:
            return self.exact.search(board.text, farthest, place)
        for start in self.automaton.ends(board.data, place):
            if start >= farthest and (found := self.exact.match(board.text, start, place)):
                return found
        return None
