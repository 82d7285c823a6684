"""Writes the program of an expression, from right to left: each part knows with which characters the rest may begin.

So a repetition that need not give anything back does not, and a choice that cannot lead on is not remembered.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import groupby
from re import _constants as sre  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from innominate.detect.rules.expressions.image import ALL, Mask, accepts, word_characters
from innominate.detect.rules.expressions.parsed import AHEAD, REPEATS, SETS, Item
from innominate.detect.rules.expressions.singles import ANYTHING, END, LINE_BREAK, inner_flags, next_of, one_of, union

ENDLESS = 0x7FFFFFFF
_TABLE_FROM, _TABLE_TO = 5, 254  # alternatives for which a table is worth its room, and that it can number
_NONE = 255
_DEEP = 3  # repetitions in each other

Op = IntEnum(  # what follows each is said in `native/matcher.h`
    "Op",
    "MATCH FAIL BYTE STRING SET SETS RUN RUN_ALL RUN_LAZY BRANCH OPTION OPTION_LAZY JUMP SAVE START LOOP LOOP_LAZY "
    "LOOK LOOK_END LOOK_NOT LOOK_NOT_END ATOMIC ATOMIC_END AHEAD BEHIND BORDER AT SAME",
    start=0,
)
_PLACES = {  # as `enum` in native/matcher.h
    sre.AT_BEGINNING: 0,
    sre.AT_BEGINNING_STRING: 0,
    sre.AT_BEGINNING_LINE: 1,
    sre.AT_END: 2,
    sre.AT_END_LINE: 3,
    sre.AT_END_STRING: 4,
}
_OF_LINES = {sre.AT_BEGINNING: sre.AT_BEGINNING_LINE, sre.AT_END: sre.AT_END_LINE}
_BORDERS = {sre.AT_BOUNDARY: 0, sre.AT_NON_BOUNDARY: 1}
_NO_BORDER_IN_NOTHING = int(re.match(r"\B", "") is not None)  # not so before Python 3.14


class UnsupportedError(Exception):
    """Something in an expression that the matcher does not know."""


class Part(NamedTuple):
    """The code of a part of an expression, and with what it and all that follows may begin."""

    code: list[int]
    first: Mask


@dataclass(slots=True)
class Writer:
    """Writes the code of one expression.

    >>> from innominate.detect.rules.expressions.parsed import parse
    >>> [int(number) for number in Writer(2).whole(parse("ab?")).code] == [Op.BYTE, 97, Op.RUN, 0, 0, 1, -1, Op.MATCH]
    True
    """

    n_registers: int
    sets: dict[Mask, int] = field(default_factory=dict)
    inside: list[Any] = field(default_factory=list)  # repetitions and negative conditions around the part at hand

    def whole(self, parsed: Any) -> Part:
        """A whole expression."""
        return self.sequence(parsed, int(parsed.state.flags), Part([Op.MATCH], ANYTHING))

    def set(self, mask: Mask) -> int:
        """The number of a set."""
        return self.sets.setdefault(mask & ALL, len(self.sets))

    def maybe(self, mask: Mask) -> int:
        """A set that the next character, or the end of the text, may be in; -1 if anything may."""
        return -1 if mask == ANYTHING else 2 * self.set(mask) + (mask >> 256)

    def registers(self) -> int:
        """Two new registers."""
        self.n_registers += 2
        return self.n_registers - 2

    def sequence(self, items: Sequence[Item], flags: int, after: Part) -> Part:
        """Items one after the other, before what comes after them."""
        part, singles = after, list[Mask]()
        for item in reversed(items):
            if item[0] in SETS:
                singles.append(accepts(item[0], item[1], flags))
            else:
                part = self._item(item, flags, self._singles(singles, part))
                singles = []
        return self._singles(singles, part)

    def _singles(self, backwards: list[Mask], after: Part) -> Part:
        """Characters one after the other."""
        if not backwards:
            return after
        if not all(backwards):
            return Part([Op.FAIL], 0)
        code: list[int] = []
        for exact, run in groupby(reversed(backwards), key=lambda mask: not mask & (mask - 1)):
            masks = list(run)
            code += _string(masks) if exact else self._sets(masks)
        return Part(code + after.code, backwards[-1])

    def _sets(self, masks: list[Mask]) -> list[int]:
        numbers = [self.set(mask) for mask in masks]
        return [Op.SET, *numbers] if len(numbers) == 1 else [Op.SETS, len(numbers), *numbers]

    def _item(self, item: Item, flags: int, after: Part) -> Part:
        operator, argument = item[:2]
        if operator is sre.SUBPATTERN:
            return self._group(argument, flags, after)
        if operator is sre.BRANCH:
            return self._branch(argument[1], flags, after)
        if operator in REPEATS:
            return self._repeat(operator, argument, flags, after)
        if operator in (sre.ASSERT, sre.ASSERT_NOT):
            return self._look(operator is sre.ASSERT_NOT, argument, flags, after)
        if operator is sre.AT:
            return self._at(argument, flags, after)
        if operator is sre.ATOMIC_GROUP:
            return self._atomic(self.sequence(argument, flags, Part([], ANYTHING)), after)
        if operator is sre.GROUPREF and not flags & re.IGNORECASE:
            return Part([Op.SAME, argument, *after.code], ANYTHING)
        if operator is sre.FAILURE:
            return Part([Op.FAIL], 0)
        raise UnsupportedError

    def _group(self, argument: Any, flags: int, after: Part) -> Part:
        number, *_, inner = argument
        flags = inner_flags(argument, flags)
        if number is None:
            return self.sequence(inner, flags, after)
        if self.inside:  # what is left in a group that was matched before is not the same in all versions of `re`
            raise UnsupportedError
        end = Part([Op.SAVE, 2 * number + 1, *after.code], after.first)
        part = self.sequence(inner, flags, end)
        return Part([Op.SAVE, 2 * number, *part.code], part.first)

    def _branch(self, branches: Sequence[Any], flags: int, after: Part) -> Part:
        """Alternatives: a table or sets say which of them may match."""
        parts = [part for part in self._alternatives(branches, flags, after.first) if part.first]
        if not parts:
            return Part([Op.FAIL], 0)
        if len(parts) == 1:
            return Part(parts[0].code + after.code, parts[0].first)
        first = union(part.first for part in parts)
        apart = sum(part.first for part in parts) == first
        table = _table([part.first for part in parts]) if _TABLE_FROM <= len(parts) <= _TABLE_TO else []
        bodies, entries, at = list[int](), list[int](), 0
        head = 4 + len(table) + 2 * len(parts)
        size = head + sum(len(part.code) + 2 for part in parts) - 2
        for part in parts:
            entries += [self.maybe(part.first), head + at]
            bodies += part.code
            at = len(bodies) + 2
            if head + len(bodies) < size:
                bodies += [Op.JUMP, size - head - len(bodies)]
        return Part([Op.BRANCH, len(parts), apart, len(table), *table, *entries, *bodies, *after.code], first)

    def _alternatives(self, branches: Sequence[Any], flags: int, after: Mask) -> Iterator[Part]:
        """The alternatives, with those that begin with the same letter together; see `alternation`."""
        end = Part([], after)
        for letters, neighbours in groupby(branches, key=lambda branch: len(branch) > 0 and branch[0][0] is sre.LITERAL):
            run = list(neighbours)
            together: dict[Mask, list[Any]] = {}
            for branch in run if letters else ():
                together.setdefault(accepts(branch[0][0], branch[0][1], flags), []).append(branch)
            if not letters or sum(together) != union(together):
                yield from (self.sequence(branch, flags, end) for branch in run)
                continue
            for mask, same in together.items():
                if len(same) == 1 or not mask:
                    yield self.sequence(same[0], flags, end)
                else:
                    yield self._singles([mask], self._branch([list(branch)[1:] for branch in same], flags, end))

    def _repeat(self, operator: Any, argument: Any, flags: int, after: Part) -> Part:
        least, most = (min(int(number), ENDLESS) for number in argument[:2])
        inner, lazy = argument[2], operator is sre.MIN_REPEAT
        if most == 0:
            return after
        single = one_of(inner, flags)
        if single is not None:
            return self._run(operator, least, most, single, after)
        if operator is sre.POSSESSIVE_REPEAT:
            self.inside.append(operator)
            body = self._atomic(self.sequence(inner, flags, Part([], ANYTHING)), Part([], ANYTHING))
            self.inside.pop()
            return self._atomic(self._loop(least, most, body, inner, Part([], ANYTHING), lazy=False), after)
        if (least, most) == (0, 1):
            body = self.sequence(inner, flags, Part([], after.first))
            op = Op.OPTION_LAZY if lazy else Op.OPTION
            head = [op, self.maybe(body.first), self.maybe(after.first), 4 + len(body.code)]
            return Part([*head, *body.code, *after.code], body.first | after.first)
        self.inside.append(operator)
        body = self.sequence(inner, flags, Part([], after.first | self._begins(inner, flags)))
        self.inside.pop()
        return self._loop(least, most, body, inner, after, lazy=lazy)

    def _begins(self, inner: Any, flags: int) -> Mask:
        """With what a repeated part may begin: it is written to see that, so not where there are many in each other."""
        if len(self.inside) > _DEEP:
            return ANYTHING
        before = self.n_registers
        first = self.sequence(inner, flags, Part([], 0)).first
        self.n_registers = before
        return first

    def _run(self, operator: Any, least: int, most: int, mask: Mask, after: Part) -> Part:
        first = mask if least else mask | after.first
        if not mask:
            return after if least == 0 else Part([Op.FAIL], 0)
        if (least, most) == (1, 1):
            return self._singles([mask], after)
        op = Op.RUN_LAZY if operator is sre.MIN_REPEAT else Op.RUN
        if operator is sre.POSSESSIVE_REPEAT or not mask & after.first or least == most:
            op = Op.RUN_ALL
        return Part([op, self.set(mask), least, most, self.maybe(after.first), *after.code], first)

    def _loop(self, least: int, most: int, body: Part, inner: Any, after: Part, *, lazy: bool) -> Part:
        register, may_be_empty = self.registers(), int(inner.getwidth()[0] == 0)
        sets = [self.maybe(body.first), self.maybe(after.first)]
        size = 8 + len(body.code) + 2
        head = [Op.LOOP_LAZY if lazy else Op.LOOP, register, least, most, *sets, size, may_be_empty]
        start = [Op.START, register, int(bool(self.inside))]
        first = body.first if least and not may_be_empty else body.first | after.first
        return Part([*start, *head, *body.code, Op.JUMP, 2 - size, *after.code], first)

    def _atomic(self, body: Part, after: Part) -> Part:
        register = self.registers()
        code = [Op.ATOMIC, register, *body.code, Op.ATOMIC_END, register, *after.code]
        return Part(code, body.first)

    def _look(self, negative: bool, argument: Any, flags: int, after: Part) -> Part:
        side, inner = argument
        single = one_of(inner, flags) if side != AHEAD else next_of(inner, flags)
        if single is not None:
            allowed = ANYTHING & ~single if negative else single
            op = Op.AHEAD if side == AHEAD else Op.BEHIND
            first = after.first & allowed if side == AHEAD else after.first
            return Part([op, self.maybe(allowed), *after.code], first)
        back = 0 if side == AHEAD else int(inner.getwidth()[0])
        register = self.registers()
        if negative:
            self.inside.append(sre.ASSERT_NOT)
        body = self.sequence(inner, flags, Part([], ANYTHING))
        if negative:
            self.inside.pop()
            head = [Op.LOOK_NOT, register, self.maybe(body.first), back, 7 + len(body.code)]
            return Part([*head, *body.code, Op.LOOK_NOT_END, register, *after.code], after.first)
        head = [Op.LOOK, register, self.maybe(body.first), back]
        first = after.first & body.first if side == AHEAD else after.first
        return Part([*head, *body.code, Op.LOOK_END, register, *after.code], first)

    def _at(self, place: Any, flags: int, after: Part) -> Part:
        if place in _BORDERS:
            word = self.set(word_characters(flags))
            return Part([Op.BORDER, word, _BORDERS[place], _NO_BORDER_IN_NOTHING, *after.code], after.first)
        if flags & re.MULTILINE:
            place = _OF_LINES.get(place, place)
        code, first = [Op.AT, _PLACES[place], *after.code], after.first
        if place in (sre.AT_END, sre.AT_END_LINE):
            first &= LINE_BREAK | END
        elif place is sre.AT_END_STRING:
            first &= END
        return Part(code, first)


def _string(masks: list[Mask]) -> list[int]:
    """Characters that are just one byte each."""
    values = bytes(mask.bit_length() - 1 for mask in masks)
    if len(values) == 1:
        return [Op.BYTE, values[0]]
    return [Op.STRING, len(values), *array("i", values + bytes(-len(values) % 4))]


def _table(firsts: list[Mask]) -> list[int]:
    """The first alternative for each byte, and for the end of the text; four in a number."""
    table = bytearray([_NONE]) * 260
    for number, mask in reversed(list(enumerate(firsts))):
        left = mask
        while left:
            lowest = left & -left
            table[lowest.bit_length() - 1] = number
            left ^= lowest
    return list(array("i", bytes(table)))
