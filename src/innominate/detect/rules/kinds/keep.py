"""A rule that protects text: `maladie de Parkinson` is no name, unless an honorific says so."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from innominate.detect.rules.board import Board, Found, LaterRule
from innominate.detect.rules.expressions.expand import LOWER, UPPER

_NAME = re.compile(rf"[{UPPER}](?:[{UPPER}{LOWER}]|['’-](?=[{UPPER}{LOWER}]))+")
_JOINED = re.compile(r"(?:\w|['’-](?=\w))*")
_JOINED_BEFORE = re.compile(r"[\w'’-]*\Z")
LONGEST_WORD = 40

Place = tuple[int, int]  # start and end


@dataclass(frozen=True, slots=True)
class KeepRule(LaterRule):
    """Candidates of the labels in `against` that touch a candidate of `of` are taken off, unless they are surer than it.

    Of a wider candidate what lies outside stays, if a name is left: in `Anna Parkinson's disease` that is `Anna`. A candidate
    that rests only on evidence in protected text (a first name in `Charcot Marie Tooth`, found again elsewhere) goes as well.
    """

    against: frozenset[str]

    @property
    def gives(self) -> frozenset[str]:
        """Nothing."""
        return frozenset()

    @property
    def needs(self) -> frozenset[str]:
        """Both sides."""
        return self.of | self.against

    def apply(self, board: Board, candidates: Sequence[Found]) -> None:
        """Take off what lies in protected text."""
        protected = _Shields(candidates)
        against = board.of(self.against)
        for found in against:
            touching = protected.touching(found.start, found.end, found.score)
            if touching:
                board.take_off(found, f"{self.header.name} protects it ({touching[0].rule})")
                shields = [(shield.start, shield.end) for shield in touching]
                for start, end in outside(board.text, found.start, found.end, shields):
                    board.put(found._replace(start=start, end=end))
            elif found.because and all(protected.around(reason, found.score) for reason in _roots(found)):
                board.take_off(found, f"{self.header.name} protects what it rests on")


class _Shields:
    """Protected places from left to right, found by position."""

    def __init__(self, found: Sequence[Found]) -> None:
        self.found = found
        self.starts = [shield.start for shield in found]
        self.longest = max((shield.end - shield.start for shield in found), default=0)

    def touching(self, start: int, end: int, score: float) -> list[Found]:
        """Those that touch a place and are at least as sure as the score."""
        near = self.found[bisect_right(self.starts, start - self.longest) : bisect_left(self.starts, end)]
        return [shield for shield in near if shield.end > start and shield.score >= score]

    def around(self, reason: Found, score: float) -> bool:
        """Whether one of them holds the whole of a candidate."""
        shields = self.touching(reason.start, reason.end, score)
        return any(shield.start <= reason.start and reason.end <= shield.end for shield in shields)


def _roots(found: Found) -> Iterator[Found]:
    """What a candidate rests on in the end."""
    waiting = [found]  # a chain may be long: no recursion
    while waiting:
        one = waiting.pop()
        if not one.because:
            yield one
        waiting += one.because


def outside(text: str, start: int, end: int, shields: Sequence[Place]) -> list[Place]:
    """The names in a part of a text that no shield touches, each run of them as one place.

    >>> outside("Anna Parkinson's disease", 0, 14, [(5, 24)])
    [(0, 4)]
    """
    left: list[Place] = []
    for first, last in sorted(shields, key=itemgetter(0)):
        before = _JOINED_BEFORE.search(text, max(0, first - LONGEST_WORD), first)
        after = _JOINED.match(text, last, last + LONGEST_WORD)
        left += _names(text, start, before.start() if before else first)
        start = max(start, after.end() if after else last)
    return left + _names(text, start, end)


def _names(text: str, start: int, end: int) -> list[Place]:
    names = [match.span() for match in _NAME.finditer(text, start, end)] if start < end else []
    return [(names[0][0], names[-1][1])] if names else []
