"""Sets of characters as whole numbers: bit n stands for character n. Counting what is left uncovered is then one operation."""

from __future__ import annotations

from collections.abc import Iterable

from innominate.core import Span

_DIGITS = bytes.maketrans(b"\0\1", b"01")


def covered(spans: Iterable[Span]) -> int:
    """The characters under spans.

    >>> bin(covered([Span(0, 2, "A"), Span(4, 5, "B")]))
    '0b10011'
    """
    characters = 0
    for span in spans:
        characters |= stretch(span.start, span.end)
    return characters


def stretch(start: int, end: int) -> int:
    """The characters from start to end."""
    return ((1 << (end - start)) - 1) << start


def letters(text: str) -> int:
    """The letters and digits of a text. Only they count: a bare comma identifies nobody.

    >>> bin(letters("a, b"))
    '0b1001'
    """
    return int(bytes(map(str.isalnum, reversed(text))).translate(_DIGITS) or b"0", 2)
