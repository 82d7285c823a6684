"""Expressions as `re` parses them, what a rule may use of them, and their sets of characters as the native scanner sees them.

The parser of `re` is private to Python and may change with any version. Nothing else imports it, and `requires-python` in
pyproject.toml ends with the last version whose `re` was looked at.

The scanner works on bytes. So the text is given to it as Latin-1, one byte per character, with `?` for every other
character, and a set holds the Latin-1 characters it accepts, and `?` if it accepts any other. Offsets in the bytes are those
of the text.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable
from functools import cache
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


OTHER = "?"  # written for a character outside Latin-1
# Characters outside Latin-1 that are, without regard to case, a letter inside it: they are written as that letter.
LATIN1_LETTER = {"ſ": "s", "\u212a": "k", "\u212b": "å", "ı": "i", "İ": "i", "Ÿ": "ÿ", "μ": "µ", "ẞ": "ß"}
_WRITTEN_SO = {letter: [c for c, written in LATIN1_LETTER.items() if written == letter] for letter in LATIN1_LETTER.values()}

Mask = int  # a set of characters of the scanner's text: a bit for each
Items = tuple[tuple[Any, Any], ...]  # of a class, as `re` parses it
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
    """A text with one byte per character.

    >>> latin1("œdème, \u212a").decode("latin-1")
    '?dème, k'
    """
    return text.encode("latin-1", "innominate.latin1")


def bytes_to_scan(text: str) -> bytes:
    """A text as the scanner sees it, between line breaks: its ends look like those of a line."""
    return b"\n" + latin1(text) + b"\n"


def items_of(operator: Any, argument: Any) -> Items:
    """Every way to name a set of characters, as the items of a class."""
    if operator is sre.LITERAL:
        return ((sre.LITERAL, argument),)
    if operator is sre.NOT_LITERAL:
        return ((sre.NEGATE, None), (sre.LITERAL, argument))
    if operator is sre.ANY:
        return ((sre.NEGATE, None),)  # a line break too: a flag on some group around it may say so
    return tuple((op, value) for op, value in argument)


def mask(characters: Iterable[str]) -> Mask:
    """A set of characters as a number."""
    return sum(1 << ord(character) for character in characters)


@cache
def mask_of(items: Items, ignore_case: bool, *, but: bool = False) -> Mask:
    """The characters of the scanner's text that may stand for one that a class accepts (or refuses, with `but`).

    >>> mask_of(((sre.RANGE, (97, 99)), (sre.LITERAL, 339)), False) == mask("?abc")
    True
    """
    negated = (items[0][0] is sre.NEGATE) != but
    tests = items[1:] if items[0][0] is sre.NEGATE else items

    def stands_for_one(character: str) -> bool:
        originals = (character, *_WRITTEN_SO.get(character, ()))
        return any(any(_accepts(item, c, ignore_case) for item in tests) != negated for c in originals)

    reaches_outside = negated or any(_reaches_outside(item) for item in tests)
    return mask(filter(stands_for_one, _LATIN1)) | (mask(OTHER) if reaches_outside else 0)


def _accepts(item: tuple[Any, Any], character: str, ignore_case: bool) -> bool:
    operator, value = item
    if operator is sre.CATEGORY:
        test: Callable[[str], bool] = _CATEGORIES[value]
        return test(character)
    forms = {character, character.lower(), character.upper()} if ignore_case else {character}
    if ignore_case:
        letter = LATIN1_LETTER.get(character, "")
        forms |= {letter, letter.upper(), *_WRITTEN_SO.get(character.lower(), ())}
    low, high = value if operator is sre.RANGE else (value, value)
    return any(len(form) == 1 and low <= ord(form) <= high for form in forms)


def _reaches_outside(item: tuple[Any, Any]) -> bool:
    operator, value = item
    return bool(operator is sre.CATEGORY or (value[1] if operator is sre.RANGE else value) > 255)
