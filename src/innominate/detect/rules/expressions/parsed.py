"""Expressions as `re` parses them, and what a rule may use of them.

The parser of `re` is private to Python and may change with any version. Nothing else imports it, and `requires-python` in
pyproject.toml ends with the last version whose `re` was looked at.
"""

from __future__ import annotations

import re
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

from innominate.core import UsageError

sre = _constants

MAX_WIDTH = 400  # characters; a wider pattern would be slow on hostile text

BEHIND, AHEAD = -1, 1
SETS = (sre.LITERAL, sre.IN, sre.NOT_LITERAL, sre.ANY)
REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
ZERO_WIDTH = (sre.ASSERT, sre.ASSERT_NOT, sre.AT)
LINE_ENDS = {
    BEHIND: (sre.AT_BEGINNING, sre.AT_BEGINNING_LINE, sre.AT_BEGINNING_STRING),
    AHEAD: (sre.AT_END, sre.AT_END_LINE, sre.AT_END_STRING),
}

Item = tuple[Any, ...]  # operator and argument


def parse(expression: str) -> Any:
    """The parts of an expression."""
    try:
        return _parser.parse(expression)
    except re.error as error:
        raise UsageError(f"not a regular expression: {error}") from error


def check_width(expression: str) -> int:
    """The most characters the expression can match; raises if there is no limit or it is too high."""
    width = int(parse(expression).getwidth()[1])
    if width > MAX_WIDTH:
        raise UsageError(f"can match more than {MAX_WIDTH} characters; bound its repetitions, such as {{0,30}} instead of *")
    return width


def holds_always(items: Any, group: int, *, empty: bool) -> bool:
    """Whether a group takes part in every match, and finds at least one character unless it may be `empty`.

    >>> [holds_always(parse(e), 1, empty=False) for e in ("a(b|c)", "a(b)?", "(a)|b", "(a?)b", "(?=(a)b)a", "(?!(a))b")]
    [True, False, False, False, True, False]
    """
    for operator, argument in items:
        if operator is sre.SUBPATTERN and argument[0] == group:
            return empty or argument[3].getwidth()[0] > 0
        inner = argument[-1] if operator in (sre.SUBPATTERN, sre.ASSERT) else argument if operator is sre.ATOMIC_GROUP else []
        if operator in REPEATS and argument[0]:
            inner = argument[2]
        if holds_always(inner, group, empty=empty):
            return True
    return False


def inner_case(group: Any, ignore_case: bool) -> bool:
    """Whether case is ignored inside a group."""
    _, add, remove, _ = group
    return (ignore_case or bool(add & re.IGNORECASE)) and not remove & re.IGNORECASE


def zero_width(item: Item) -> bool:
    """Whether an item is a condition."""
    return item[0] in ZERO_WIDTH
