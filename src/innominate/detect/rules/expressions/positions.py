"""Expressions as positions, for an automaton that matches many of them at once (Glushkov's construction).

Every character of an expression is a position: the set of characters that it accepts, and the positions that may follow it.
The automaton knows no look-around, back-references or Unicode classes. So the positions of an expression match **at least**
wherever the exact one does: conditions in the middle are dropped, and a back-reference is the group it refers to. Those at the
ends are taken in, as they make hits much rarer: what stands before a match as far as one character can tell, and what stands
after it. The text lies between line breaks: a line begins and ends, and a word has a border, at the ends of it as elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import takewhile
from operator import and_, or_
from typing import Any, NamedTuple

from innominate.core import UsageError
from innominate.detect.rules.expressions.parsed import (
    AHEAD,
    BEHIND,
    LINE_ENDS,
    OTHER,
    REPEATS,
    SETS,
    Item,
    Mask,
    inner_case,
    items_of,
    mask,
    mask_of,
    parse,
    sre,
    zero_width,
)

ALL = (1 << 256) - 1
_FEW = 4  # a repetition with more choice than that has no end: hardly more hits, and far fewer positions

_LINE_BREAK, _OTHER = mask("\n"), mask(OTHER)
_BLANK = mask(" \t\u00a0")
_WORD = mask(c for c in map(chr, range(256)) if c.isalnum() or c == "_") | _OTHER  # what may be one
_NO_WORD = ALL & ~_WORD | _OTHER
_BORDER = (sre.AT, sre.AT_BOUNDARY)


class Fragment(NamedTuple):
    """Where a part of an expression begins and ends."""

    first: list[tuple[int, Mask]]  # a position, and the characters that may stand before it
    last: list[int]
    empty: Mask  # characters before which it may match nothing at all


@dataclass(slots=True)
class Positions:
    """The positions of many expressions.

    >>> positions = Positions()
    >>> fragment = positions.of("a[bc]?")
    >>> [bin(characters).count("1") for characters in positions.characters], fragment.last
    ([1, 2], [0, 1])
    """

    characters: list[Mask] = field(default_factory=list)
    follow: list[set[int]] = field(default_factory=list)
    groups: dict[int, tuple[Any, bool]] = field(default_factory=dict)  # of the expression at hand

    def of(self, expression: str, *, tail: bool = True) -> Fragment:
        """Add an expression, with what has to stand after it (`tail`) or without."""
        parsed = parse(expression)
        self.groups = {}
        return self._sequence(parsed, bool(parsed.state.flags & re.IGNORECASE), head=True, tail=tail)

    def add(self, characters: Mask, follow: set[int] | None = None) -> int:
        """Add a position."""
        self.characters.append(characters)
        self.follow.append(set() if follow is None else follow)
        return len(self.characters) - 1

    def _sequence(self, items: Sequence[Item], ignore: bool, *, head: bool = False, tail: bool = False) -> Fragment:
        items = list(items)
        wide = [item for item in items if not zero_width(item)]
        after = list(takewhile(zero_width, reversed(items))) if tail else []
        inner_tail = tail and not any(self._looks_ahead(item, ignore) for item in after)  # both would read the same character
        whole = Fragment([], [], ALL)
        for number, item in enumerate(wide):
            one = self._item(item, ignore, head=head and number == 0, tail=inner_tail and number == len(wide) - 1)
            whole = self._join(whole, one)
        if head:
            whole = self._put_before(whole, list(takewhile(zero_width, items)), ignore)
        return self._put_behind(whole, after, ignore) if after else whole

    def _link(self, last: list[int], first: list[tuple[int, Mask]]) -> None:
        begins = {position for position, _ in first}
        for position in last:
            self.follow[position] |= begins

    def _join(self, left: Fragment, right: Fragment) -> Fragment:
        """One part after the other."""
        self._link(left.last, right.first)
        first = left.first + [(p, before & left.empty) for p, before in right.first] if left.empty else left.first
        return Fragment(first, left.last + right.last if right.empty else right.last, left.empty & right.empty)

    def _item(self, item: Item, ignore: bool, *, head: bool, tail: bool) -> Fragment:
        operator, argument = item[:2]
        if operator in SETS:
            position = self.add(mask_of(items_of(operator, argument), ignore))
            return Fragment([(position, ALL)], [position], 0)
        if operator in REPEATS:
            return self._repeat(argument, ignore, head=head, tail=tail)
        if operator is sre.SUBPATTERN:
            number, *_, inner = argument
            self.groups[number] = inner, inner_case(argument, ignore)
            return self._sequence(*self.groups[number], head=head, tail=tail)
        if operator is sre.ATOMIC_GROUP:
            return self._sequence(argument, ignore, head=head, tail=tail)
        if operator in (sre.BRANCH, sre.GROUPREF_EXISTS):
            branches = argument[1] if operator is sre.BRANCH else [argument[1], argument[2] or []]
            each = [self._sequence(branch, ignore, head=head, tail=tail) for branch in branches]
            first, last = [f for one in each for f in one.first], [p for one in each for p in one.last]
            return Fragment(first, last, reduce(or_, (one.empty for one in each)))
        if operator is sre.GROUPREF:
            return self._sequence(*self.groups[argument])
        raise UsageError(f"uses {operator}, which a rule may not")

    def _repeat(self, repetition: Any, ignore: bool, *, head: bool, tail: bool) -> Fragment:
        least, most, inner = repetition
        endless = most is sre.MAXREPEAT or (most - least > _FEW and not _blank(inner, ignore))
        copies = max(1, int(least)) if endless else int(most)
        whole = Fragment([], [], ALL)
        for number in range(copies):
            one = self._sequence(inner, ignore, head=head and number == 0, tail=tail and most == 1)
            if endless and number == copies - 1:
                self._link(one.last, one.first)
            whole = self._join(whole, one if number < least else one._replace(empty=ALL))
        return whole

    def _put_before(self, whole: Fragment, conditions: list[Item], ignore: bool) -> Fragment:
        """A part whose first character, and the one before it, fulfil the conditions."""
        before = reduce(and_, (self._beside(item, BEHIND, ignore) for item in conditions), ALL)
        begins = reduce(and_, (self._beside(item, AHEAD, ignore) for item in conditions if item[0] is not sre.AT), ALL)
        ways = [(begins & _WORD, before & _NO_WORD), (begins & _NO_WORD, before & _WORD)] if _BORDER in conditions else []
        first, last = [], list(whole.last)
        for position, earlier in whole.first:
            for characters, standing in ways or [(begins, before)]:
                narrow, standing = self.characters[position] & characters, standing & earlier
                if narrow and standing:
                    same = narrow == self.characters[position]
                    first.append((position if same else self.add(narrow, self.follow[position]), standing))
                    if not same and position in whole.last:
                        last.append(first[-1][0])
        return Fragment(first, last, whole.empty & before)

    def _put_behind(self, whole: Fragment, conditions: list[Item], ignore: bool) -> Fragment:
        """A part after which the conditions are fulfilled."""
        for operator, argument in conditions:
            if operator is sre.ASSERT and argument[0] == AHEAD:
                return self._join(whole, self._sequence(argument[1], ignore, tail=True))
        after = reduce(and_, (self._beside(item, AHEAD, ignore) for item in conditions), ALL)
        border = _BORDER in conditions
        if after == ALL and not border:
            return whole
        ends: dict[Mask, int] = {}
        for position in whole.last:
            characters = self.characters[position]
            wanted = _NO_WORD if not characters & ~_WORD else _WORD if not characters & ~_NO_WORD else ALL
            end = after & wanted if border else after
            self.follow[position].add(ends[end] if end in ends else ends.setdefault(end, self.add(end)))
        if not whole.empty:
            return Fragment(whole.first, list(ends.values()), 0)
        alone = self.add(after)
        return Fragment([*whole.first, (alone, whole.empty)], [*ends.values(), alone], 0)

    def _looks_ahead(self, item: Item, ignore: bool) -> bool:
        return item == _BORDER or (item[0] is sre.ASSERT and item[1][0] == AHEAD) or self._beside(item, AHEAD, ignore) != ALL

    def _beside(self, item: Item, side: int, ignore: bool) -> Mask:
        """The characters that a condition allows right before or right after a place."""
        operator, argument = item[:2]
        if operator is sre.AT:
            return _LINE_BREAK if argument in LINE_ENDS[side] else ALL
        if argument[0] != side:
            return ALL
        if operator is sre.ASSERT:
            return Positions(groups=self.groups)._nearest(argument[1], side, ignore)
        refused = [mask_of(items, case, but=True) for items, case in _single(argument[1], ignore)]
        return reduce(and_, refused, ALL) | _LINE_BREAK  # the ends of the text look like line breaks

    def _nearest(self, content: Any, side: int, ignore: bool) -> Mask:
        """The characters with which a part begins or ends."""
        part = self._sequence(content, ignore)
        near = part.last if side == BEHIND else [position for position, _ in part.first]
        return ALL if part.empty else reduce(or_, (self.characters[position] for position in near), 0)


def _blank(items: Any, ignore: bool) -> bool:
    """Whether blanks are repeated: columns stand far apart, and each blank between them would be read many times."""
    return len(items) == 1 and items[0][0] in SETS and not mask_of(items_of(*items[0]), ignore) & ~_BLANK


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
