"""An automaton that finds which of many expressions may match at a place, in one native pass over a text.

It is written in C and made of the positions of all expressions. Where it could not be built there is none, and the exact
expressions are tried everywhere: slower, with the same matches.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from innominate.detect.rules.cache import content_of, key_of, read_or_make
from innominate.detect.rules.expressions.parsed import MAX_WIDTH, Mask
from innominate.detect.rules.expressions.positions import Positions
from innominate.detect.rules.native import native

_CODE = ("automaton.py", "parsed.py", "positions.py")  # what the tables depend on
LIMIT = 2 * MAX_WIDTH + 2  # characters: a match, what it looks at behind it, and one more at each end
FARTHEST = 120  # characters that are read backwards
MOST_STATES = 60_000  # of the automaton, about 3 MB


class AutomatonTables(NamedTuple):
    """What the automaton is made of; see `native/automaton.c`."""

    classes: bytes
    accepts: bytes
    set_of: bytes
    follow_from: bytes
    follow: bytes
    matched: bytes
    first: bytes


_LENGTHS = f"<{len(AutomatonTables._fields)}q"


def automaton(expressions: Mapping[int, str], *, backwards: bool = False, cache: Path | None = None) -> Any | None:
    """The automaton of some expressions, which knows them by their numbers; its tables are worked out once and kept.

    It reads from the character before a match on, or `backwards` from its last character to the one before it.

    >>> two = automaton({0: r"\\bDr\\.? [A-Z]", 7: r"\\d\\d?:\\d\\d"})
    >>> two.starts(b"\\nDr. No, 10:30\\n") if two else [(0, (0,)), (8, (7,)), (9, (7,))]
    [(0, (0,)), (8, (7,)), (9, (7,))]
    """
    if native is None:
        return None

    def made() -> bytes:
        return _pack_tables(_backwards(expressions) if backwards else _forwards(expressions))

    limit = FARTHEST + 1 if backwards else LIMIT
    if cache is None:
        return native.Automaton(*_read(made()), limit, backwards, MOST_STATES)
    key = key_of([content_of("innominate.detect.rules.expressions", *_CODE), repr((sorted(expressions.items()), backwards))])
    content = read_or_make(cache / f"automaton-{key}.bin", made)
    return native.Automaton(*_read(content), limit, backwards, MOST_STATES)


def _forwards(expressions: Mapping[int, str]) -> AutomatonTables:
    positions, heads = Positions(), dict[Mask, int]()
    matched: dict[int, int] = {}
    alone: list[int] = []  # before a match of nothing
    for number, expression in expressions.items():
        fragment = positions.of(expression)
        matched |= dict.fromkeys(fragment.last, number)
        for position, before in fragment.first:
            head = heads[before] if before in heads else heads.setdefault(before, positions.add(before))
            positions.follow[head].add(position)
        if fragment.empty:
            alone.append(positions.add(fragment.empty))
            matched[alone[-1]] = number
    return _tables(positions.characters, positions.follow, matched, [*heads.values(), *alone])


def _backwards(expressions: Mapping[int, str]) -> AutomatonTables:
    positions = Positions()
    matched: dict[int, int] = {}
    first: list[int] = []
    for number, expression in expressions.items():
        fragment = positions.of(expression, tail=False)
        first += fragment.last
        for position, before in fragment.first:
            matched[positions.add(before, {position})] = number
        if fragment.empty:
            first.append(positions.add(fragment.empty))
            matched[first[-1]] = number
    earlier: list[set[int]] = [set() for _ in positions.follow]
    for position, later in enumerate(positions.follow):
        for follower in later:
            earlier[follower].add(position)
    return _tables(positions.characters, earlier, matched, first)


def _tables(
    characters: list[Mask], follow: list[set[int]], matched: Mapping[int, int], first: Iterable[int]
) -> AutomatonTables:
    sets = {mask: number for number, mask in enumerate(dict.fromkeys(characters))}
    kinds: dict[tuple[int, ...], int] = {}  # characters that no set tells apart
    of_kind = [tuple(mask >> code & 1 for mask in sets) for code in range(256)]
    classes = bytes(kinds.setdefault(kind, len(kinds)) for kind in of_kind)
    accepts = bytes(kind[number] for number in range(len(sets)) for kind in kinds)
    lengths = array("i", [0])
    for followers in follow:
        lengths.append(lengths[-1] + len(followers))
    return AutomatonTables(
        classes,
        accepts,
        array("i", [sets[mask] for mask in characters]).tobytes(),
        lengths.tobytes(),
        array("i", [follower for followers in follow for follower in sorted(followers)]).tobytes(),
        array("i", [matched.get(position, -1) for position in range(len(follow))]).tobytes(),
        array("i", sorted(set(first))).tobytes(),
    )


def _pack_tables(tables: AutomatonTables) -> bytes:
    return struct.pack(_LENGTHS, *map(len, tables)) + b"".join(tables)


def _read(content: bytes) -> AutomatonTables:
    at = struct.calcsize(_LENGTHS)
    tables = []
    for length in struct.unpack_from(_LENGTHS, content):
        tables.append(content[at : at + length])
        at += length
    return AutomatonTables(*tables)
