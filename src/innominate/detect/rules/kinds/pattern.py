"""A pattern: an expression found by the native scanner."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from innominate.detect.rules.board import Board, is_there, made
from innominate.detect.rules.checks import check
from innominate.detect.rules.rule import Header


@dataclass(frozen=True, slots=True)
class PatternRule:
    """Puts the group `span` (or `span1`, `span2` ...) of each match on the board, or the whole match if it has none.

    The rest of the match is the trigger: `Fax: (?P<span>...)`.
    """

    header: Header
    expression: str  # expanded
    check: str = ""  # name of a check that lowers the score when it fails, or takes it away
    groups: tuple[str, ...] = field(default=())

    @property
    def gives(self) -> frozenset[str]:
        """Its label."""
        return frozenset({self.header.label})

    @property
    def needs(self) -> frozenset[str]:
        """Nothing: patterns look at the text alone."""
        return frozenset()

    def put_match(self, board: Board, match: re.Match[str]) -> None:
        """Put what one match found on the board."""
        header, whole = self.header, match.span()
        for group in self.groups or (0,):
            start, end = place = match.span(group)
            if is_there(place, header.label):
                score = header.score * check(self.check, board.text[start:end]) if self.check else header.score
                trigger = whole if place != whole else None
                if score:
                    board.put(made((start, end, header.label, score, header.name, header.priority, (), trigger)))


def span_groups(expression: str) -> tuple[str, ...]:
    """The names of the groups that are spans.

    >>> span_groups("(?P<span1>a)-(?P<span2>b)(?P<x>c)")
    ('span1', 'span2')
    """
    return tuple(re.findall(r"\(\?P<(span\d*)>", expression))
