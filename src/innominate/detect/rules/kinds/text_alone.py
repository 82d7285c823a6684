"""Rules that look at the text alone: a pattern is an expression found by the native scanner, a list is words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from innominate.detect.rules.board import Board, PackRule, is_there, made
from innominate.detect.rules.checks import check

# How words may have to be written: in any way; the first letter is a capital; all are; the first is, and not all are.
CASES = {"any": {"small", "title", "caps"}, "capital": {"title", "caps"}, "caps": {"caps"}, "title": {"title"}}


@dataclass(frozen=True, slots=True)
class PatternRule(PackRule):
    """Puts the group `span` (or `span1`, `span2` ...) of each match on the board, or the whole match if it has none.

    The rest of the match is the trigger: `Fax: (?P<span>...)`.
    """

    expression: str  # expanded
    check: str = ""  # name of a check that lowers the score when it fails, or takes it away
    groups: tuple[str, ...] = field(default=())

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


def case_of(text: str, start: int, end: int) -> str:
    """How a word is written.

    >>> [case_of(word, 0, len(word)) for word in ("anna", "Anna", "ANNA")]
    ['small', 'title', 'caps']
    """
    if not text[start].isupper():
        return "small"
    return "caps" if text[start:end].isupper() else "title"


@dataclass(frozen=True, slots=True)
class ListRule(PackRule):
    """Puts each word of its list on the board, if it is written as the rule wants it."""

    words: frozenset[str]
    case: str = "any"
    rest: tuple[Any, ...] = field(init=False)  # of what it finds: all but the place

    def __post_init__(self) -> None:
        header = self.header
        object.__setattr__(self, "rest", (header.label, header.score, header.name, header.priority, (), None))

    def put_word(self, board: Board, start: int, end: int, case: str) -> None:
        """Put one word on the board, if it is written right."""
        if case in CASES[self.case]:
            board.put(made((start, end, *self.rest)))
        elif board.explain:
            board.refuse(made((start, end, *self.rest)), f"the list wants it written in {self.case}")
