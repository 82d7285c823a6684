"""Expressions as programs for the native matcher, which gives the same matches and groups as `re`, far quicker.

What the matcher does not know makes no program, and `re` is asked instead; as for a text that has no image.
"""

from __future__ import annotations

import hashlib
import struct
import sys
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from innominate.detect.rules.cache import cached, content_of, key_of
from innominate.detect.rules.expressions.parsed import parse
from innominate.detect.rules.expressions.writer import ENDLESS, UnsupportedError, Writer
from innominate.detect.rules.native import native

_CODE = ("image.py", "parsed.py", "program.py", "singles.py", "writer.py")  # what programs depend on
_MOST_REGISTERS = 256  # see native/matcher.h
_HEAD = struct.Struct("<qqqiiiq")


class Program(NamedTuple):
    """What the native matcher is made of."""

    code: bytes  # numbers of 32 bits
    sets: bytes  # 32 bytes each, with a bit for each byte of an image
    n_groups: int
    n_registers: int
    first: int  # the characters with which a match may begin
    least: int  # characters of a match
    names: tuple[str, ...]  # of the groups, by number

    def numbers(self, groups: Iterable[str]) -> tuple[int, ...]:
        """The numbers of some groups; 0 is the whole, and has no name."""
        return tuple(self.names.index(group) + 1 if group else 0 for group in groups)


_NO_PROGRAM = Program(b"", b"", 0, 0, 0, 0, ())


def program(expression: str) -> Program | None:
    """The program of an expression, or None if it has something that only `re` knows.

    >>> program("a+b").least, program("(?:(a)|b)*")
    (2, None)
    """
    parsed = parse(expression)
    writer = Writer(2 * parsed.state.groups)
    try:
        whole = writer.whole(parsed)
    except UnsupportedError:
        return None
    if writer.n_registers > _MOST_REGISTERS:
        return None
    first = writer.maybe(whole.first)
    sets = b"".join(mask.to_bytes(32, "little") for mask in writer.sets)
    least = min(int(parsed.getwidth()[0]), ENDLESS)
    names = {number: name for name, number in parsed.state.groupdict.items()}
    by_number = tuple(names.get(number, "") for number in range(1, parsed.state.groups))
    return Program(array("i", whole.code).tobytes(), sets, len(by_number), writer.n_registers, first, least, by_number)


def programs(expressions: Iterable[str], *, cache: Path) -> dict[str, Program | None]:
    """The programs of some expressions, which are written once and kept; None where `re` has to be asked."""
    wanted = list(dict.fromkeys(expressions))
    key = key_of([sys.version, content_of("innominate.detect.rules.expressions", *_CODE), *wanted])
    path = cache / f"programs-{key}.bin"
    try:
        made = list(_read(cached(path, lambda: _written(wanted))))
    except ValueError:  # damaged
        path.unlink(missing_ok=True)
        made = list(_read(cached(path, lambda: _written(wanted))))
    return dict(zip(wanted, made, strict=True))


def matcher(made: Program | None) -> Any | None:
    """The native matcher of a program.

    >>> date = matcher(program(r"(\\d\\d)\\.(\\d\\d)"))
    >>> date.match(b"on 18.03", 3) if date else ((3, 8), (3, 5), (6, 8))
    ((3, 8), (3, 5), (6, 8))
    """
    return native.Matcher(*made[:-1]) if native is not None and made else None


def _written(expressions: Iterable[str]) -> bytes:
    content = b"".join(map(_packed, map(program, expressions)))
    return hashlib.sha256(content).digest() + content


def _packed(made: Program | None) -> bytes:
    code, sets, *numbers, names = made or _NO_PROGRAM
    written = "\n".join(names).encode()
    return _HEAD.pack(len(code), len(sets), len(written), *numbers) + code + sets + written


def _read(stored: bytes) -> Iterator[Program | None]:
    digest, content = stored[:32], stored[32:]
    if hashlib.sha256(content).digest() != digest:
        raise ValueError("the programs were damaged")
    at = 0
    while at < len(content):
        *lengths, n_groups, n_registers, first, least = _HEAD.unpack_from(content, at)
        at += _HEAD.size
        parts = []
        for length in lengths:
            parts.append(content[at : at + length])
            at += length
        code, sets, written = parts
        names = tuple(written.decode().split("\n")) if n_groups else ()
        yield Program(code, sets, n_groups, n_registers, first, least, names) if code else None
