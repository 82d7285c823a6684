"""Expressions that ignore case, written so that they need not: `re` finds a letter in `[Aa]` far quicker than it lowers one.

Of long alternations it skips at a glance those whose first letter is another one, but not where case is ignored.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from innominate.detect.rules.expressions.parsed import REPEATS, Item
from innominate.detect.rules.expressions.sre import EXTRA_CASES, SubPattern, lower_letter
from innominate.detect.rules.expressions.sre import constants as sre

_LAST = 0x1E943  # the last letter that has two cases


def both_cases(parsed: Any) -> Any:
    """A parsed expression with `[Aa]` in the place of a letter whose case is ignored.

    >>> from innominate.detect.rules.expressions.sre import compile_parsed, parse_expression
    >>> compile_parsed(both_cases(parse_expression("(?i)né"))).findall("née, NÉ")
    ['né', 'NÉ']
    """
    flags = parsed.state.flags
    if flags & re.ASCII:
        return parsed
    written = _sequence(parsed, bool(flags & re.IGNORECASE))
    parsed.state.flags = flags & ~re.IGNORECASE
    return written


def _sequence(items: Any, ignore: bool, *, first: bool = False) -> Any:
    """Items one after the other; the `first` of an alternative is a class whatever it costs: it says no at a glance."""
    rewritten = [_item(items.state, (op, av), ignore, first=first and n == 0) for n, (op, av) in enumerate(items)]
    return SubPattern(items.state, rewritten)


def _item(state: Any, item: Item, ignore: bool, *, first: bool) -> Item:
    operator, argument = item
    if operator is sre.SUBPATTERN:
        group, add, remove, inner = argument
        inside = (ignore or bool(add & re.IGNORECASE)) and not remove & re.IGNORECASE
        return operator, (group, add & ~re.IGNORECASE, remove & ~re.IGNORECASE, _sequence(inner, inside))
    if operator is sre.BRANCH:
        return operator, (None, [_sequence(branch, ignore, first=True) for branch in argument[1]])
    if operator in (sre.ASSERT, sre.ASSERT_NOT):
        return operator, (argument[0], _sequence(argument[1], ignore))
    if operator in REPEATS:
        return operator, (*argument[:2], _sequence(argument[2], ignore))
    if operator is sre.ATOMIC_GROUP:
        return operator, _sequence(argument, ignore)
    if operator is sre.GROUPREF_EXISTS:
        number, yes, no = argument
        return operator, (number, _sequence(yes, ignore), no and _sequence(no, ignore))
    if not ignore or operator in (sre.AT, sre.ANY):
        return operator, argument
    if operator is sre.LITERAL:
        forms = same_letters(argument)
        if len(forms) == 1:
            return operator, argument
        if first or (len(forms) == 2 and forms[-1] < 256):  # a class with a letter beyond Latin-1 is a large table
            return sre.IN, [(sre.LITERAL, form) for form in forms]
    alone = SubPattern(state, [(operator, argument)])
    return sre.SUBPATTERN, (None, re.IGNORECASE, 0, alone)


def same_letters(code: int) -> tuple[int, ...]:
    """All characters that are the same as one without regard to case.

    >>> [hex(code) for code in same_letters(ord("k"))]
    ['0x4b', '0x6b', '0x212a']
    """
    return _forms()[lower_letter(code)]


class _Forms(dict[int, tuple[int, ...]]):
    """All characters that are the same without regard to case, by the small one."""

    def __missing__(self, small: int) -> tuple[int, ...]:
        return (small,)


@cache
def _forms() -> _Forms:
    by_small: dict[int, set[int]] = {}
    for code in range(_LAST + 1):
        small = lower_letter(code)
        if small != code:
            by_small.setdefault(small, {small}).add(code)
    found = dict(by_small)
    for small, others in EXTRA_CASES.items():
        same = (by_small.get(other, {other}) for other in (small, *others))
        found[small] = set().union(*same)
    return _Forms((small, tuple(sorted(codes))) for small, codes in found.items())
