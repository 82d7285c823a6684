"""Rules that look beside what other rules found.

Some find more there: a house number after a street, a postal code before a town. Others give what was found another label
because of what stands around it: a telephone number after `Fax`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from innominate.detect.rules.board import Board, Found, LaterRule, is_there, made
from innominate.detect.rules.expressions.matching import Lazy


@dataclass(frozen=True, slots=True)
class _Beside(LaterRule):
    before: Lazy | None  # of Behind: must match right before the candidate
    after: Lazy | None  # must match right after it

    @property
    def beside(self) -> tuple[str | None, str | None]:
        """What must stand on both sides."""
        before, after = self.before, self.after
        return before.expression if before else None, after.expression if after else None


@dataclass(frozen=True, slots=True)
class BesideRule(_Beside):
    """Matches its one expression right before or right after candidates with one of the labels in `of`.

    The group `span` is what is found.
    """

    @property
    def needs(self) -> frozenset[str]:
        """What it looks beside; a rule that gives its own label (a chain) does not wait for itself."""
        return self.of - {self.header.label}

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


@dataclass(frozen=True, slots=True)
class RelabelRule(_Beside):
    """Candidates in `of` whose surroundings match get this rule's label instead; an empty one takes them off the board."""

    itself: Lazy | None  # must match the candidate as a whole

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
