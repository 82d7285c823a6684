"""All patterns of a rule pack in one native pass; the exact expression confirms where the pass found something.

Where the automaton could not be built, every exact expression runs over the whole text: slower, with the same matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from innominate.detect.rules.alternation import compiled
from innominate.detect.rules.automaton import automaton
from innominate.detect.rules.board import Found
from innominate.detect.rules.checks import check
from innominate.detect.rules.kinds.pattern import PatternRule
from innominate.detect.rules.lazy import Lazy
from innominate.detect.rules.native import native


class Scanner:
    """Finds the matches of many patterns, and puts them on boards."""

    def __init__(self, patterns: Sequence[PatternRule], *, quick: bool = True, cache: Path | None = None) -> None:
        self.patterns = patterns
        self.exact = [Lazy(compiled, pattern.expression) for pattern in patterns]
        expressions = {number: pattern.expression for number, pattern in enumerate(patterns)}
        self.automaton = automaton(expressions, cache=cache) if quick else None
        self._specs = tuple(map(_spec, patterns, self.exact))

    def hits(self, boards: list[Any]) -> None:
        """Put what is found on the boards: one pattern is at work after the other, so it stays in the processor's cache."""
        if self.automaton is not None and native is not None:
            native.pattern_hits(Found, self.automaton, boards, self._specs)
            return
        for pattern, exact in zip(self.patterns, self.exact, strict=True):
            for board in boards:
                for match in exact.finditer(board.text):
                    pattern.hit(board, match)


def _spec(pattern: PatternRule, exact: Lazy) -> tuple[Any, ...]:
    """What the native scanner has to know of a pattern: as `PatternRule.hit` does it."""
    return exact, pattern.groups or (0,), pattern.header.rest, partial(check, pattern.check) if pattern.check else None
