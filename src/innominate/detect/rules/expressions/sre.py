"""What `re` is made of: its parser, its compiler, its table of letters with more than two cases.

This is private to Python and may change with any version. Nothing else imports it, and `requires-python` in pyproject.toml
ends with the last version whose `re` was looked at.
"""

from __future__ import annotations

import re
from _sre import unicode_tolower  # type: ignore[import-not-found]
from re import _casefix, _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

constants = _constants
SubPattern = _parser.SubPattern  # items one after the other, which belong to a state
EXTRA_CASES: dict[int, tuple[int, ...]] = _casefix._EXTRA_CASES


def parse_expression(expression: str) -> Any:
    """The parts of an expression."""
    return _parser.parse(expression)


def compile_parsed(parsed: Any) -> re.Pattern[str]:
    """An expression from its parts."""
    pattern: re.Pattern[str] = _compiler.compile(parsed)
    return pattern


def lower_letter(code: int) -> int:
    """The small letter of one, as `re` takes it."""
    return int(unicode_tolower(code))
