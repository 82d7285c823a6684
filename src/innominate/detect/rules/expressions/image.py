"""The text as the native matcher reads it: an image with one byte per character, and sets of characters as it holds them.

Most bytes are the characters of Latin-1, and bytes 80-9F those that Windows-1252 has there (`’`, `–`, `œ`). Bytes that are
neither, controls that no note has, stand for letters of European names (`ć`, `ł`). A text with any other character has no
image. What a class accepts is asked of `re`, one character after the other.
"""

from __future__ import annotations

import re
from functools import cache
from re import _compiler as sre_compiler  # type: ignore[attr-defined]
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any

Mask = int  # a set of bytes of an image: a bit for each
ALL = (1 << 256) - 1
IGNORE_CASE, ASCII = int(re.IGNORECASE), int(re.ASCII)  # plain numbers: flags are asked about a million times
_FLAGS = int(re.IGNORECASE | re.DOTALL | re.ASCII)  # that change what one item accepts

_WINDOWS = {byte: bytes([byte]).decode("cp1252", "ignore") for byte in range(0x80, 0xA0)}
_CONTROLS = (*range(0x01, 0x09), *range(0x0E, 0x20), *(byte for byte, character in _WINDOWS.items() if not character))
_LETTERS = "ćčđğıİłŁńňőřśşŞțţűůżźąăęěČĆĐŚŻŐ"  # one for each of them, as in native/image.c
_LATIN1 = {byte: chr(byte) for byte in range(256) if byte not in _CONTROLS and byte not in _WINDOWS}
_BYTE_OF = {c: byte for byte, c in {**_LATIN1, **_WINDOWS, **dict(zip(_CONTROLS, _LETTERS, strict=True))}.items()}
CHARACTERS = "".join(_BYTE_OF)  # all that an image can show
_BYTES = tuple(_BYTE_OF.values())
_TABLE = {ord(character): byte for character, byte in _BYTE_OF.items()}


def image(text: str) -> bytes | None:
    """A text with one byte per character, or None if it has a character that no byte stands for.

    >>> image("l’œdème"), image("Ωμ")
    (b'l\\x92\\x9cd\\xe8me', None)
    """
    try:
        return bytes(_TABLE[ord(character)] for character in text)
    except KeyError:
        return None


def accepts(operator: Any, argument: Any, flags: int) -> Mask:
    """The bytes that one item of an expression accepts, which is one character wide.

    >>> accepts(sre.LITERAL, ord("b"), 0) == 1 << ord("b"), accepts(sre.LITERAL, ord("字"), 0)
    (True, 0)
    """
    if operator is sre.LITERAL and not flags & IGNORE_CASE:
        byte = _TABLE.get(argument)
        return 0 if byte is None else 1 << byte
    return _asked(operator, tuple(argument) if operator is sre.IN else argument, flags & _FLAGS)


@cache
def _asked(operator: Any, argument: Any, flags: int) -> Mask:
    """What `re` says to all characters of an image."""
    state = sre_parser.State()
    state.flags = flags if flags & ASCII else flags | re.UNICODE
    item = list(argument) if operator is sre.IN else argument
    one: re.Pattern[str] = sre_compiler.compile(sre_parser.SubPattern(state, [(operator, item)]))
    return sum(1 << _BYTES[match.start()] for match in one.finditer(CHARACTERS))


@cache
def word_characters(flags: int) -> Mask:
    r"""What `\b` takes for a part of a word."""
    return _asked(sre.IN, ((sre.CATEGORY, sre.CATEGORY_WORD),), flags & ASCII)
