"""A rule that looks beside what other rules found: a house number after a street, a postal code before a town."""

from __future__ import annotations

import re
from dataclasses import dataclass

from innominate.detect.rules.board import Board, Found
from innominate.detect.rules.gate import reach
from innominate.detect.rules.rule import Header


@dataclass(frozen=True, slots=True)
class BesideRule:
    """Matches its expression right before or right after candidates with one of the labels in `of`."""

    header: Header
    of: frozenset[str]
    side: str  # "before" or "after"
    expression: re.Pattern[str]  # anchored by the loader; the group `span` is what is found

    @property
    def gives(self) -> frozenset[str]:
        """Its label."""
        return frozenset({self.header.label})

    @property
    def needs(self) -> frozenset[str]:
        """What it looks beside; a rule that gives its own label (a chain) does not wait for itself."""
        return self.of - {self.header.label}

    def apply(self, board: Board) -> None:
        """Look beside every candidate, and beside what is found there if it is of a label looked beside."""
        header = self.header
        waiting = board.of(self.of)
        seen: set[tuple[int, int]] = set()
        while waiting:
            anchor = waiting.pop()
            match = self._match(board.text, anchor)
            if match is None or match.span("span") in seen:
                continue
            seen.add(match.span("span"))
            start, end = match.span("span")
            found = Found(start, end, header.label, header.score, header.name, header.priority, (anchor,))
            board.put(found)
            if header.label in self.of:
                waiting.append(found)

    def _match(self, text: str, anchor: Found) -> re.Match[str] | None:
        if self.side == "after":
            return self.expression.match(text, anchor.end)
        return self.expression.search(text, max(0, anchor.start - reach(self.expression)), anchor.start)
