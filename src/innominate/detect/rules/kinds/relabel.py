"""A rule that gives candidates another label because of what stands around them: a telephone number after `Fax`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from innominate.detect.rules.board import Board, Found
from innominate.detect.rules.expressions.matching import Lazy
from innominate.detect.rules.rule import Header


@dataclass(frozen=True, slots=True)
class RelabelRule:
    """Candidates in `of` whose surroundings match get this rule's label instead."""

    header: Header
    of: frozenset[str]
    before: Lazy | None  # of Behind: must match right before the candidate
    after: Lazy | None  # must match right after it
    itself: Lazy | None  # must match the candidate as a whole

    @property
    def gives(self) -> frozenset[str]:
        """Its label; an empty one takes the candidate off the board."""
        return frozenset({self.header.label} - {""})

    @property
    def needs(self) -> frozenset[str]:
        """What it relabels."""
        return self.of

    @property
    def beside(self) -> tuple[str | None, str | None]:
        """What must stand on both sides."""
        before, after = self.before, self.after
        return before.expression if before else None, after.expression if after else None

    def apply(self, board: Board, candidates: Sequence[Found]) -> None:
        """Look around candidates."""
        header = self.header
        fitting = [old for old in candidates if self._fits(board, old)]
        for old in fitting:
            board.take_off(old, f"{header.name} took it")
        for old in fitting if header.label else ():
            board.put(old._replace(label=header.label, rule=header.name, because=(old,), priority=header.priority))

    def _fits(self, board: Board, found: Found) -> bool:
        if self.itself and not self.itself.fullmatch(board.text, found.start, found.end):
            return False
        if self.after and not self.after.match(board.text, found.end):
            return False
        return not self.before or self.before.search(board, found.start) is not None
