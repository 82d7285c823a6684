"""All patterns of a rule pack: the automaton says where each may match, and its exact expression decides."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from innominate.detect.rules.board import Board
from innominate.detect.rules.expressions.automaton import automaton
from innominate.detect.rules.expressions.matching import Lazy
from innominate.detect.rules.kinds.pattern import PatternRule


class Scanner:
    """Finds the matches of many patterns, and puts them on a board."""

    def __init__(self, patterns: Sequence[PatternRule], folder: Path) -> None:
        self.patterns = patterns
        self.exact = [Lazy(re.compile, pattern.expression) for pattern in patterns]
        self.automaton = automaton({n: pattern.expression for n, pattern in enumerate(patterns)}, cache=folder)

    def put_matches(self, boards: Sequence[Board]) -> None:
        """Put what is found on the boards; one pattern after the other, so it stays in the processor's cache."""
        if self.automaton is None:
            for pattern, exact in zip(self.patterns, self.exact, strict=True):
                for board in boards:
                    for match in exact.finditer(board.text):
                        pattern.put_match(board, match)
            return
        places: defaultdict[int, list[tuple[Board, int]]] = defaultdict(list)
        for board in boards:
            for start, numbers in self.automaton.starts(board.data):
                for number in numbers:
                    places[number].append((board, start))
        for number in sorted(places):
            pattern, match_at, last, free = self.patterns[number], self.exact[number].match, None, 0
            for board, start in places[number]:
                if (board is not last or start >= free) and (match := match_at(board.text, start)):
                    last, free = board, match.end()
                    pattern.put_match(board, match)
