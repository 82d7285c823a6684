"""A rule that gives candidates another label because of what stands around them: a telephone number after `Fax`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from innominate.detect.rules.board import Board, Found
from innominate.detect.rules.gate import reach
from innominate.detect.rules.rule import Header


@dataclass(frozen=True, slots=True)
class RelabelRule:
    """Candidates in `of` whose surroundings match get this rule's label instead."""

    header: Header
    of: frozenset[str]
    before: re.Pattern[str] | None  # must match right before the candidate
    after: re.Pattern[str] | None  # must match right after it
    itself: re.Pattern[str] | None  # must match the candidate as a whole

    @property
    def gives(self) -> frozenset[str]:
        """Its label; an empty one takes the candidate off the board."""
        return frozenset({self.header.label} - {""})

    @property
    def needs(self) -> frozenset[str]:
        """What it relabels."""
        return self.of

    def apply(self, board: Board) -> None:
        """Look around every candidate."""
        for old in board.of(self.of):
            if not self._fits(board.text, old):
                continue
            board.take(old, f"{self.header.name} took it")
            if self.header.label:
                header = self.header
                board.put(old._replace(label=header.label, rule=header.name, because=(old,), priority=header.priority))

    def _fits(self, text: str, found: Found) -> bool:
        if self.before and not self.before.search(text, max(0, found.start - reach(self.before)), found.start):
            return False
        if self.after and not self.after.match(text, found.end):
            return False
        return not self.itself or bool(self.itself.fullmatch(text, found.start, found.end))
