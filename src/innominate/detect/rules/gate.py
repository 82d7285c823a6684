"""From an exact expression to a looser one that a native multi-pattern scanner can run.

Hyperscan knows no look-around, back-references or Unicode classes. So each expression is rewritten so that it matches **at
least** wherever the exact one does: word borders and look-around are dropped in the middle and taken in at the ends, where
they make hits much rarer, and a back-reference is the group it refers to. The scanned text has a line break before and after
it: a line begins and ends, and a word has a border, at the ends of the text as elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any

from innominate.core import UsageError
from innominate.detect.rules.characters import accepted, items_of, written

MAX_WIDTH = 400  # characters; a wider pattern would make the regions, and the work on them, too large

BEHIND, AHEAD = -1, 1
SETS = (sre.LITERAL, sre.IN, sre.NOT_LITERAL, sre.ANY)
REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
ZERO_WIDTH = (sre.ASSERT, sre.ASSERT_NOT, sre.AT)
_LINE_ENDS = {
    BEHIND: (sre.AT_BEGINNING, sre.AT_BEGINNING_LINE, sre.AT_BEGINNING_STRING),
    AHEAD: (sre.AT_END, sre.AT_END_LINE, sre.AT_END_STRING),
}

Item = tuple[Any, ...]  # operator and argument, as `re` parses an expression


def widest(expression: str) -> int:
    """The most characters the expression can match; raises if there is no limit or it is too high."""
    width = int(parse(expression).getwidth()[1])
    if width > MAX_WIDTH:
        raise UsageError(f"can match more than {MAX_WIDTH} characters; bound its repetitions, such as {{0,30}} instead of *")
    return width


def parse(expression: str) -> Any:
    """The parts of an expression."""
    try:
        return sre_parser.parse(expression)
    except re.error as error:
        raise UsageError(f"not a regular expression: {error}") from error


class Gate:
    """Walks a parsed expression and writes the looser one, from left to right or, to be matched backwards, from right to left.

    >>> gate = Gate(r"(?<!\\d)\\d{1,2}\\.(?:mai|juin)\\b")
    >>> gate.sequence(gate.parsed, False)
    '(?:[0-9\\\\x3f]){1,2}\\\\.(?:mai|juin)'
    """

    def __init__(self, expression: str, *, backwards: bool = False) -> None:
        self.parsed = parse(expression)
        self.backwards = backwards
        self.ignore_case = bool(self.parsed.state.flags & re.IGNORECASE)
        self.groups: dict[int, tuple[Any, bool]] = {}

    def sequence(self, items: Sequence[Item], ignore_case: bool, *, head: bool = False, tail: bool = False) -> str:
        """Items one after the other; with what has to stand before the first (`head`) and after the last (`tail`)."""
        items = list(items)
        before = self.beside(takewhile(zero_width, items), BEHIND, ignore_case) if head else ""
        after = self.beside(takewhile(zero_width, reversed(items)), AHEAD, ignore_case) if tail else ""
        wide = [item for item in items if not zero_width(item)]
        last = len(wide) - 1
        parts = [
            self.item(item, ignore_case, head=head and not before and i == 0, tail=tail and not after and i == last)
            for i, item in enumerate(wide)
        ]
        return "".join([before, *(reversed(parts) if self.backwards else parts), after])

    def item(self, item: Item, ignore_case: bool, *, head: bool = False, tail: bool = False) -> str:
        """One part of an expression."""
        operator, argument = item[:2]
        if operator in SETS:
            return written(accepted(items_of(operator, argument), ignore_case))
        if operator in REPEATS:
            least, most, inner = argument
            once = most == 1
            text = self.sequence(inner, ignore_case, head=head and once, tail=tail and once)
            return repeated(text, int(least), None if most is sre.MAXREPEAT else int(most))
        if operator is sre.SUBPATTERN:
            number, *_, inner = argument
            ignore_case = inner_case(argument, ignore_case)
            if number is not None:
                self.groups[number] = inner, ignore_case
            return f"(?:{self.sequence(inner, ignore_case, head=head, tail=tail)})"
        if operator is sre.ATOMIC_GROUP:
            return f"(?:{self.sequence(argument, ignore_case, head=head, tail=tail)})"
        if operator in (sre.BRANCH, sre.GROUPREF_EXISTS):
            branches = argument[1] if operator is sre.BRANCH else [argument[1], argument[2] or []]
            return "(?:" + "|".join(self.sequence(b, ignore_case, head=head, tail=tail) for b in branches) + ")"
        if operator is sre.GROUPREF:
            return f"(?:{self.sequence(*self.groups[argument])})"
        raise UsageError(f"uses {operator}, which a rule may not")

    def beside(self, items: Iterable[Item], side: int, ignore_case: bool) -> str:
        """What one of several conditions wants on a side, if one can be taken in: they look at the same characters."""
        best_first = sorted(items, key=lambda item: item[0] is not sre.ASSERT)
        return next(filter(None, (self._condition(item[0], item[1], side, ignore_case) for item in best_first)), "")

    def _condition(self, operator: Any, argument: Any, side: int, ignore_case: bool) -> str:
        if operator is sre.AT:
            return r"\n" if argument in _LINE_ENDS[side] else ""
        direction, content = argument
        if direction != side:
            return ""
        if operator is sre.ASSERT:
            narrow = content.getwidth()[1] <= MAX_WIDTH
            return self.sequence(content, ignore_case, head=side == BEHIND, tail=side == AHEAD) if narrow else ""
        sets = [accepted(items, ignore, but=True) for items, ignore in _single(content, ignore_case)]
        allowed = frozenset.intersection(*sets) if sets else frozenset()
        return written(allowed) if "\n" in allowed else ""  # the ends of the text look like line breaks


def repeated(text: str, least: int, most: int | None) -> str:
    """A repetition."""
    if not text or most == 0 or (least, most) == (1, 1):
        return text if most else ""
    return f"(?:{text}){{{least},{'' if most is None else most}}}"


def inner_case(group: Any, ignore_case: bool) -> bool:
    """Whether case is ignored inside a group."""
    _, add, remove, _ = group
    return (ignore_case or bool(add & re.IGNORECASE)) and not remove & re.IGNORECASE


def zero_width(item: Item) -> bool:
    """Whether an item is a condition."""
    return item[0] in ZERO_WIDTH


def _single(content: Any, ignore_case: bool) -> list[tuple[Any, bool]]:
    """The alternatives of a negative look-around that are one character wide; the others are left out, which is looser."""
    if len(content) != 1:
        return []
    operator, argument = content[0]
    if operator in SETS:
        return [(items_of(operator, argument), ignore_case)]
    if operator is sre.SUBPATTERN:
        return _single(argument[3], inner_case(argument, ignore_case))
    if operator is sre.BRANCH:
        return [single for branch in argument[1] for single in _single(branch, ignore_case)]
    return []
