"""Long alternations made quick: `re` tries one alternative after the other, so those that begin alike are put together.

`Mary|Mark|John` becomes `Mar(?:y|k)|John`. The matches are the same: alternatives that begin with different letters
exclude each other, and those that begin alike keep their order.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any

from innominate.detect.rules.expressions.cases import both_cases, same_letters
from innominate.detect.rules.expressions.parsed import REPEATS, inner_case
from innominate.detect.rules.expressions.sre import SubPattern, compile_parsed, parse_expression
from innominate.detect.rules.expressions.sre import constants as sre


def compile_expression(expression: str) -> re.Pattern[str]:
    """Compile an expression as `re.compile` does, with its alternatives put together.

    >>> compile_expression("(?:Mary|Mark|John) [A-Z]").findall("Mark A, John B, Marc C")
    ['Mark A', 'John B']
    """
    parsed = parse_expression(expression)
    together = _rewritten(parsed, bool(parsed.state.flags & re.IGNORECASE))
    return compile_parsed(both_cases(together))


def _rewritten(items: Any, ignore: bool) -> Any:
    """The same sequence with the alternatives inside put together."""
    return SubPattern(items.state, [_item(items.state, item, ignore) for item in items])


def _item(state: Any, item: tuple[Any, Any], ignore: bool) -> tuple[Any, Any]:
    operator, argument = item
    if operator is sre.BRANCH:
        return operator, (None, _grouped(state, [_rewritten(branch, ignore) for branch in argument[1]], ignore))
    if operator is sre.SUBPATTERN:
        return operator, (*argument[:3], _rewritten(argument[3], inner_case(argument, ignore)))
    if operator in (sre.ASSERT, sre.ASSERT_NOT):
        return operator, (argument[0], _rewritten(argument[1], ignore))
    if operator in REPEATS:
        return operator, (*argument[:2], _rewritten(argument[2], ignore))
    if operator is sre.ATOMIC_GROUP:
        return operator, _rewritten(argument, ignore)
    return operator, argument


def _grouped(state: Any, branches: list[Any], ignore: bool) -> list[Any]:
    """Alternatives with those that begin with the same letter together; one that begins otherwise stays where it is."""
    grouped: list[Any] = []
    for letters, run in groupby(branches, key=lambda branch: len(branch) > 0 and branch[0][0] is sre.LITERAL):
        if not letters:
            grouped += run
            continue
        together: dict[int, list[Any]] = {}
        for branch in run:
            first = branch[0][1]
            together.setdefault(same_letters(first)[0] if ignore else first, []).append(branch)
        grouped += (same[0] if len(same) == 1 else _prefixed(state, same, ignore) for same in together.values())
    return grouped


def _prefixed(state: Any, branches: list[Any], ignore: bool) -> Any:
    rests = [SubPattern(state, list(branch)[1:]) for branch in branches]
    return SubPattern(state, [branches[0][0], (sre.BRANCH, (None, _grouped(state, rests, ignore)))])
