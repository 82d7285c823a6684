"""Expressions as `re` parses them, and what a rule may use of them."""

from __future__ import annotations

import re
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any

from innominate.core import UsageError

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
        return sre_parser.parse(expression)
    except re.error as error:
        raise UsageError(f"not a regular expression: {error}") from error


def widest(expression: str) -> int:
    """The most characters the expression can match; raises if there is no limit or it is too high."""
    width = int(parse(expression).getwidth()[1])
    if width > MAX_WIDTH:
        raise UsageError(f"can match more than {MAX_WIDTH} characters; bound its repetitions, such as {{0,30}} instead of *")
    return width


def inner_case(group: Any, ignore_case: bool) -> bool:
    """Whether case is ignored inside a group."""
    _, add, remove, _ = group
    return (ignore_case or bool(add & re.IGNORECASE)) and not remove & re.IGNORECASE


def zero_width(item: Item) -> bool:
    """Whether an item is a condition."""
    return item[0] in ZERO_WIDTH
