"""Parts of an expression that look at one character, or at the end of the text."""

from __future__ import annotations

from collections.abc import Iterable
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any

from innominate.detect.rules.expressions.image import ALL, Mask, accepts
from innominate.detect.rules.expressions.parsed import SETS

END = 1 << 256  # in a set: it may be the end of the text
ANYTHING = ALL | END
LINE_BREAK = 1 << ord("\n")
_ENDS = [(sre.AT, sre.AT_END)], [(sre.AT, sre.AT_END_STRING)]


def one_of(items: Any, flags: int) -> Mask | None:
    """The characters that a part accepts, if it is always one character wide and nothing else.

    >>> from innominate.detect.rules.expressions.parsed import parse
    >>> one_of(parse("(?:a|[bc])"), 0) == 0b111 << ord("a"), one_of(parse("ab"), 0)
    (True, None)
    """
    if len(items) != 1:
        return None
    operator, argument = items[0][:2]
    if operator in SETS:
        return accepts(operator, argument, flags)
    if operator is sre.SUBPATTERN and argument[0] is None:
        return one_of(argument[3], inner_flags(argument, flags))
    if operator is sre.BRANCH:
        masks = [one_of(branch, flags) for branch in argument[1]]
        return None if None in masks else union(mask for mask in masks if mask)
    return None


def inner_flags(group: Any, flags: int) -> int:
    """The flags inside a group."""
    _, add, remove, _ = group
    if add & sre_parser.TYPE_FLAGS:
        flags &= ~sre_parser.TYPE_FLAGS
    return int((flags | add) & ~remove)


def next_of(items: Any, flags: int) -> Mask | None:
    """The characters that a condition looks for, and the end of the text, if it looks at nothing else."""
    if len(items) != 1 or items[0][0] is not sre.BRANCH:
        return one_of(items, flags)
    branches = [list(branch) for branch in items[0][1][1]]
    masks = [one_of(branch, flags) for branch in branches if branch not in _ENDS]
    if len(masks) == len(branches) or None in masks:
        return one_of(items, flags)
    mask = union(mask for mask in masks if mask) | END
    return mask if mask & LINE_BREAK or _ENDS[0] not in branches else None  # `$` stands before a last line break as well


def union(masks: Iterable[Mask]) -> Mask:
    """All that any of some sets holds."""
    whole = 0
    for mask in masks:
        whole |= mask
    return whole
