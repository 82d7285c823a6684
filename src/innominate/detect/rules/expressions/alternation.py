"""Long alternations made quick: `re` tries one alternative after the other, so those that begin alike are put together.

`Mary|Mark|John` becomes `Mar(?:y|k)|John`. The matches are the same: alternatives that begin with different letters
exclude each other, and those that begin alike keep their order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from re import _compiler as sre_compiler  # type: ignore[attr-defined]
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any

from innominate.detect.rules.expressions.cases import both_cases


def compiled(expression: str) -> re.Pattern[str]:
    """Compile an expression as `re.compile` does, with its alternatives put together.

    >>> compiled("(?:Mary|Mark|John) [A-Z]").findall("Mark A, John B, Marc C")
    ['Mark A', 'John B']
    """
    parsed = sre_parser.parse(expression)
    pattern: re.Pattern[str] = sre_compiler.compile(both_cases(_rewritten(parsed)))
    return pattern


def _rewritten(items: Any) -> Any:
    """The same sequence with the alternatives inside put together."""
    return sre_parser.SubPattern(items.state, [_item(items.state, *item) for item in items])


def _item(state: Any, operator: Any, argument: Any) -> tuple[Any, Any]:
    if operator is sre.BRANCH:
        return operator, (None, list(_grouped(state, [_rewritten(branch) for branch in argument[1]])))
    if operator is sre.SUBPATTERN:
        return operator, (*argument[:3], _rewritten(argument[3]))
    if operator in (sre.ASSERT, sre.ASSERT_NOT):
        return operator, (argument[0], _rewritten(argument[1]))
    if operator in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        return operator, (*argument[:2], _rewritten(argument[2]))
    if operator is sre.ATOMIC_GROUP:
        return operator, _rewritten(argument)
    return operator, argument


def _grouped(state: Any, branches: list[Any]) -> Iterator[Any]:
    """Alternatives with those that begin with the same letter together; one that begins otherwise stays where it is."""
    for letters, neighbours in groupby(branches, key=lambda branch: len(branch) > 0 and branch[0][0] is sre.LITERAL):
        run = list(neighbours)
        starts = {branch[0][1] for branch in run} if letters else set()
        if not letters or len({chr(start).casefold() for start in starts}) < len(starts):
            yield from run  # without regard to case, `a` and `A` do not exclude each other
            continue
        together: dict[int, list[Any]] = {}
        for branch in run:
            together.setdefault(branch[0][1], []).append(branch)
        for first, same in together.items():
            yield same[0] if len(same) == 1 else _prefixed(state, first, same)


def _prefixed(state: Any, first: int, branches: list[Any]) -> Any:
    rests = [sre_parser.SubPattern(state, list(branch)[1:]) for branch in branches]
    return sre_parser.SubPattern(state, [(sre.LITERAL, first), (sre.BRANCH, (None, list(_grouped(state, rests))))])
