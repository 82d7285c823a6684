"""A rule that looks beside what other rules found: a house number after a street, a postal code before a town."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from innominate.detect.rules.board import Board, Found, is_there, made
from innominate.detect.rules.expressions.matching import Lazy
from innominate.detect.rules.rule import Header


@dataclass(frozen=True, slots=True)
class BesideRule:
    """Matches its expression right before or right after candidates with one of the labels in `of`."""

    header: Header
    of: frozenset[str]
    before: Lazy | None  # of Behind: one of the two; the group `span` is what is found
    after: Lazy | None

    @property
    def gives(self) -> frozenset[str]:
        """Its label."""
        return frozenset({self.header.label})

    @property
    def needs(self) -> frozenset[str]:
        """What it looks beside; a rule that gives its own label (a chain) does not wait for itself."""
        return self.of - {self.header.label}

    @property
    def beside(self) -> tuple[str | None, str | None]:
        """Its expression, on one side."""
        before, after = self.before, self.after
        return before.expression if before else None, after.expression if after else None

    def apply(self, board: Board, candidates: Sequence[Found]) -> None:
        """Look beside candidates, and beside what is found there if it is of a label looked beside."""
        header = self.header
        waiting = list(candidates)
        seen: set[tuple[int, int]] = set()
        while waiting:
            anchor = waiting.pop()
            match = self._match(board, anchor)
            if match is None or (place := match.span("span")) in seen or not is_there(place, header.label):
                continue
            seen.add(place)
            start, end = place
            found = made((start, end, header.label, header.score, header.name, header.priority, (anchor,), None))
            board.put(found)
            if header.label in self.of:
                waiting.append(found)

    def _match(self, board: Board, anchor: Found) -> re.Match[str] | None:
        match: re.Match[str] | None = None
        if self.after:
            match = self.after.match(board.text, anchor.end)
        elif self.before:
            match = self.before.search(board, anchor.start)
        return match
