"""From an exact expression to a looser one that a native multi-pattern scanner can run.

The scanner (Hyperscan) works on bytes and knows no look-around, back-references or Unicode classes. So the text is given to it
as Latin-1, one byte per character, with `?` for every other character; and each expression is rewritten so that it matches
**at least** wherever the exact one does: look-around is dropped or taken in, word borders are dropped, a back-reference is
the group it refers to, and a class holds the Latin-1 characters it accepts, and `?` if it accepts any other. Offsets in the
bytes are those of the text.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from functools import cache
from itertools import takewhile
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any

from innominate.core import UsageError

OTHER = "?"  # written for a character outside Latin-1
# Characters outside Latin-1 that are, without regard to case, a letter inside it: they are written as that letter.
LATIN1_LETTER = {"ſ": "s", "\u212a": "k", "\u212b": "å", "ı": "i", "İ": "i", "Ÿ": "ÿ", "μ": "µ", "ẞ": "ß"}
FARTHEST = 120  # characters that a rule looks away from what it stands beside
MAX_WIDTH = 400  # characters; a wider pattern would make the regions, and the work on them, too large

_ZERO_WIDTH = (sre.ASSERT, sre.ASSERT_NOT, sre.AT)
_LATIN1 = [chr(code) for code in range(256)]
_CATEGORIES = {
    sre.CATEGORY_DIGIT: str.isdecimal,
    sre.CATEGORY_NOT_DIGIT: lambda c: not c.isdecimal(),
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_NOT_SPACE: lambda c: not c.isspace(),
    sre.CATEGORY_WORD: lambda c: c.isalnum() or c == "_",
    sre.CATEGORY_NOT_WORD: lambda c: not (c.isalnum() or c == "_"),
}


def _outside(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    run = error.object[error.start : error.end]
    return "".join(LATIN1_LETTER.get(character, OTHER) for character in run), error.end


codecs.register_error("innominate.latin1", _outside)


def latin1(text: str) -> bytes:
    """A text as the scanner sees it.

    >>> latin1("œdème, \u212a").decode("latin-1")
    '?dème, k'
    """
    return text.encode("latin-1", "innominate.latin1")


def gate_expression(expression: str, *, surrounded: bool = True) -> bytes:
    r"""Rewrite an expression for the scanner, with or without what has to stand around a match.

    >>> gate_expression(r"(?<!\d)\d{1,2}\.(?:mai|juin)\b")
    b'(?:[0-9\\x3f]){1,2}\\.(?:mai|juin)'
    """
    return Gate(expression).render(surrounded=surrounded).encode("latin-1")


def widest(expression: str) -> int:
    """The most characters the expression can match; raises if there is no limit or it is too high."""
    width = int(_parse(expression).getwidth()[1])
    if width > MAX_WIDTH:
        raise UsageError(f"can match more than {MAX_WIDTH} characters; bound its repetitions, such as {{0,30}} instead of *")
    return width


def gate_width(expression: str) -> int:
    """The most characters that the gate of an expression can take in: the expression and what surrounds it.

    >>> widest("a(?=bb)"), gate_width("a(?=bb)")
    (1, 3)
    """
    around = sum(int(content.getwidth()[1]) for content in surroundings(_parse(expression)) if content)
    return widest(expression) + around


@cache
def reach(pattern: re.Pattern[str]) -> int:
    """How many characters before a place a pattern can look that has to end there; at most `FARTHEST`.

    >>> reach(re.compile("fax *"))
    120
    >>> reach(re.compile("fax:? ?"))
    5
    """
    return min(FARTHEST, int(sre_parser.parse(pattern.pattern, pattern.flags).getwidth()[1]))


def _parse(expression: str) -> Any:
    try:
        return sre_parser.parse(expression)
    except re.error as error:
        raise UsageError(f"not a regular expression: {error}") from error


class Gate:
    """Walks a parsed expression and writes the looser one."""

    def __init__(self, expression: str) -> None:
        self.parsed = _parse(expression)
        self.groups: dict[int, str] = {}

    def render(self, *, surrounded: bool) -> str:
        """The looser expression. What has to stand right before or after a match is taken in: it makes hits much rarer."""
        ignore_case = bool(self.parsed.state.flags & re.IGNORECASE)
        parts = [self._sequence(self.parsed, ignore_case)]
        if surrounded:
            before, after = (self._sequence(items, ignore_case) for items in surroundings(self.parsed))
            parts = [before, *parts, after]
        return ("(?i)" if ignore_case else "") + "".join(parts)

    def _sequence(self, items: Any, ignore_case: bool) -> str:
        return "".join(self._item(operator, argument, ignore_case) for operator, argument in items)

    def _item(self, operator: Any, argument: Any, ignore_case: bool) -> str:
        if operator in (sre.LITERAL, sre.IN, sre.NOT_LITERAL, sre.ANY):
            return _class(_normalised(operator, argument), ignore_case)
        if operator in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            return self._repeat(argument, ignore_case)
        if operator is sre.SUBPATTERN:
            number, add, remove, inner = argument
            ignore = (ignore_case or bool(add & re.IGNORECASE)) and not remove & re.IGNORECASE
            text = f"(?{'i' if ignore else ''}:{self._sequence(inner, ignore)})"
            if number is not None:
                self.groups[number] = text
            return text
        if operator is sre.BRANCH:
            return "(?:" + "|".join(self._sequence(branch, ignore_case) for branch in argument[1]) + ")"
        if operator is sre.ATOMIC_GROUP:
            return f"(?:{self._sequence(argument, ignore_case)})"
        if operator is sre.GROUPREF:
            return self.groups[argument]
        if operator is sre.GROUPREF_EXISTS:
            _, yes, no = argument
            return f"(?:{self._sequence(yes, ignore_case)}|{self._sequence(no or [], ignore_case)})"
        if operator in _ZERO_WIDTH:
            return ""  # dropping a condition only makes the expression match more
        raise UsageError(f"uses {operator}, which a rule may not")

    def _repeat(self, argument: Any, ignore_case: bool) -> str:
        least, most, inner = argument
        upper = "" if most is sre.MAXREPEAT else str(int(most))
        return f"(?:{self._sequence(inner, ignore_case)}){{{int(least)},{upper}}}"


def surroundings(parsed: Any) -> tuple[Any, Any]:
    """The content of a positive look-behind that begins an expression, and of a positive look-ahead that ends it."""
    items = list(parsed)
    leading = list(takewhile(lambda item: item[0] in _ZERO_WIDTH, items))
    trailing = list(takewhile(lambda item: item[0] in _ZERO_WIDTH, reversed(items)))
    before = [argument[1] for operator, argument in leading if operator is sre.ASSERT and argument[0] == -1]
    after = [argument[1] for operator, argument in trailing if operator is sre.ASSERT and argument[0] == 1]

    def narrow(contents: list[Any]) -> Any:
        return next((content for content in contents if content.getwidth()[1] <= MAX_WIDTH), [])

    return narrow(before), narrow(after)


def _normalised(operator: Any, argument: Any) -> tuple[tuple[Any, Any], ...]:
    """Every way to name a set of characters, as the items of a class."""
    if operator is sre.LITERAL:
        return ((sre.LITERAL, argument),)
    if operator is sre.NOT_LITERAL:
        return ((sre.NEGATE, None), (sre.LITERAL, argument))
    if operator is sre.ANY:
        return ((sre.NEGATE, None), (sre.LITERAL, 10))
    return tuple((op, value) for op, value in argument)


@cache
def _class(items: tuple[tuple[Any, Any], ...], ignore_case: bool) -> str:
    """The Latin-1 characters that a class accepts, as the scanner writes it."""
    letter = chr(items[0][1]) if len(items) == 1 and items[0][0] is sre.LITERAL else ""
    if ignore_case and letter.isascii() and letter.isalpha():
        return letter.lower()  # the scanner ignores the case of ASCII letters by itself
    return _written(_accepted(items, ignore_case))


def _accepted(items: tuple[tuple[Any, Any], ...], ignore_case: bool) -> list[str]:
    """The Latin-1 characters that a class accepts, and `?` if it accepts others."""
    negated = items[0][0] is sre.NEGATE
    tests = items[1:] if negated else items
    accepted = [c for c in _LATIN1 if any(_accepts(item, c, ignore_case) for item in tests) != negated]
    if negated or any(_reaches_outside(item) for item in tests):
        return sorted({*accepted, OTHER})
    return accepted


def _accepts(item: tuple[Any, Any], character: str, ignore_case: bool) -> bool:
    operator, value = item
    if operator is sre.CATEGORY:
        test: Callable[[str], bool] = _CATEGORIES[value]
        return test(character)
    forms = {character, character.lower(), character.upper()} if ignore_case else {character}
    low, high = value if operator is sre.RANGE else (value, value)
    outside = {other for other, letter in LATIN1_LETTER.items() if letter in forms}
    return any(len(form) == 1 and low <= ord(form) <= high for form in forms | outside)


def _reaches_outside(item: tuple[Any, Any]) -> bool:
    operator, value = item
    return bool(operator is sre.CATEGORY or (value[1] if operator is sre.RANGE else value) > 255)


def _written(characters: list[str]) -> str:
    """A class in the scanner's syntax, with ranges."""
    if len(characters) == 1:
        return re.escape(characters[0])
    ranges: list[list[int]] = []
    for code in map(ord, characters):
        if ranges and code == ranges[-1][1] + 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "[" + "".join(_hex(a) if a == b else f"{_hex(a)}-{_hex(b)}" for a, b in ranges) + "]"


def _hex(code: int) -> str:
    return chr(code) if chr(code).isascii() and chr(code).isalnum() else f"\\x{code:02x}"
