"""The part of an expression that the native scanner looks for: rare in ordinary notes, and small.

`(?:Dr|Prof)\\.? {name} {name}` needs no scan for names: where there is no `Dr` or `Prof` before a capital, there is no match.
Short expressions compile in a moment and scan faster; the exact expression then looks only where a match can begin.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from heapq import heapify, heappop, heappush
from itertools import accumulate, takewhile
from operator import mul
from re import _constants as sre  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from innominate.detect.rules.characters import accepted, items_of, written
from innominate.detect.rules.gate import AHEAD, BEHIND, MAX_WIDTH, REPEATS, Gate, inner_case, parse, widest, zero_width

# How often characters stand in clinical notes, in thousandths, measured on synthetic notes of four languages.
_THOUSANDTHS = {
    120: " ", 79: "e", 68: "a", 65: "i", 59: "r", 53: "ot", 49: "n", 45: "s", 38: "l.", 29: "c", 26: "du", 24: "m", 20: "p",
    13: "g", 12: "h", 9: "bfky", 8: "v", 7: "é", 5: "AC\n1SI", 4: "P02TLD", 3: "E-MHR,x5", 2: "qBON43ä:G/ójF96öKV87wí",
}  # fmt: skip
_SHARE = {ord(character): often / 1000 for often, characters in _THOUSANDTHS.items() for character in characters}
_RARE = 0.0002
_DIGITS_TOGETHER = 12  # how much more often a digit stands after a digit
EVERYTHING = r"[\x00-\xff]"
# What things cost, in microseconds per note of 3000 characters.
_HIT = 3000 * 2.0
_TRY = 3000 * 0.3  # one more character at which a match may begin
_STATE = 0.0005  # one more state of the scanner
_BUSY = 3000 * 0.00004  # one character more on which the scanner is at work after it has seen the beginning
_CHANCE = 2  # how often anything may stand in a sample by chance
_DENSER = 4  # how much closer together identifiers and their triggers stand in examples than in notes
_LARGE = 400  # states; the scanner may refuse more
_SMALL = 12  # states; more are not worth looking at twice

Item = tuple[Any, Any, bool]  # operator and argument, as `re` parses an expression, and whether case is ignored


@dataclass(frozen=True, slots=True)
class Part:
    """A looser expression for the scanner, and how many characters before the end of its match an exact match can begin."""

    gate: str
    farthest: int
    nearest: int


def beginnings(expression: str, *, cut: bool = False) -> tuple[str, int]:
    """Where a match of an expression may begin, by its first characters and what stands before it; and how far it looks.

    With `cut` also where the text is cut off right after the match.

    >>> beginnings("(?<!a)[bB]c")
    ('[Bb](?<=[\\\\x00-\\\\x60b-\\\\xff](?=[Bb]c).)', 2)
    """
    gate = Gate(expression)
    items = list(_flat(gate, gate.parsed, gate.ignore_case))
    pieces, start = _pieces(gate, items if cut else _with_what_follows(gate, items), tail=not cut)
    first, _ = _first(parse("".join(piece.middle for piece in pieces[start:])))
    before = pieces[0].middle if start and _measured(pieces[0].middle)[2:] == (1, 1) else "."
    following = ahead = ""
    for number, piece in enumerate(pieces[start:], start=start):
        if _measured(following + piece.middle).states > _SMALL:
            second, optional = _first(parse("".join(piece.middle for piece in pieces[number:])))
            ahead = ahead if optional else following + written(second)
            break
        ahead = following + piece.last
        following += piece.middle
    return written(first) + f"(?<={before}(?={ahead}).)", _measured(ahead).most


def _first(items: Any) -> tuple[frozenset[str], bool]:
    """The characters with which a looser expression can begin, and whether it can be empty."""
    found: frozenset[str] = frozenset()
    for operator, argument in items:
        if operator is sre.SUBPATTERN:
            characters, optional = _first(argument[3])
        elif operator is sre.BRANCH:
            each = [_first(branch) for branch in argument[1]]
            characters, optional = frozenset().union(*(c for c, _ in each)), any(o for _, o in each)
        elif operator in REPEATS:
            characters, optional = _first(argument[2])
            optional |= argument[0] == 0
        else:
            characters, optional = accepted(items_of(operator, argument), False), False
        found |= characters
        if not optional:
            return found, False
    return found, True


@dataclass(frozen=True, slots=True)
class Choice:
    """What else the choice of a part depends on."""

    sample: bytes = b""  # a text in which common words are seen to be common: ` the `, whose letters are not
    fits: Callable[[str], bool] = lambda _gate: True  # whether the scanner can take a large gate


def rarest_parts(expression: str, choice: Choice = Choice()) -> list[Part]:  # noqa: B008
    """What to look for, for an expression or for each of its alternatives, to find all its matches.

    >>> rarest_parts("[A-Z][a-z]{1,9} Hospital(?: of [A-Z][a-z]{1,9})?")
    [Part(gate='Hospi', farthest=16, nearest=8)]
    """
    widest(expression)  # raises where there is no limit
    gate = Gate(expression)
    found: dict[str, Part] = {}
    for part in _parts(gate, list(_flat(gate, gate.parsed, gate.ignore_case)), choice):
        same = found.get(part.gate, part)
        found[part.gate] = Part(part.gate, max(same.farthest, part.farthest), min(same.nearest, part.nearest))
    return list(found.values())


def _flat(gate: Gate, items: Any, ignore_case: bool) -> Iterator[Item]:
    """Items with those of groups in their place."""
    for operator, argument in items:
        if operator is sre.SUBPATTERN:
            gate.groups[argument[0]] = argument[3], inner_case(argument, ignore_case)
            yield from _flat(gate, *gate.groups[argument[0]])
        elif operator is sre.ATOMIC_GROUP:
            yield from _flat(gate, argument, ignore_case)
        else:
            yield operator, argument, ignore_case


def _parts(gate: Gate, items: list[Item], choice: Choice) -> Iterator[Part]:
    wide = [at for at, item in enumerate(items) if not zero_width(item)]
    if len(wide) == 1 and items[wide[0]][0] is sre.BRANCH:
        at = wide[0]
        for branch in items[at][1][1]:
            yield from _parts(gate, [*items[:at], *_flat(gate, branch, items[at][2]), *items[at + 1 :]], choice)
    else:
        yield _cheapest(*_pieces(gate, _with_what_follows(gate, items)), choice)


def _with_what_follows(gate: Gate, items: list[Item]) -> list[Item]:
    """Items with those that a look-ahead at the end wants there."""
    trailing = takewhile(zero_width, reversed(items))
    asserted = (item for item in trailing if item[0] is sre.ASSERT and item[1][0] == AHEAD)
    for _, (_, content), ignore_case in asserted:
        if content.getwidth()[1] <= MAX_WIDTH:
            return _with_what_follows(gate, [*items, *_flat(gate, content, ignore_case)])
    return items


@dataclass(frozen=True, slots=True)
class _Piece:
    """An item as the scanner sees it: in the middle of a part, as its first, and as its last."""

    middle: str
    first: str
    last: str


def _pieces(gate: Gate, items: list[Item], *, tail: bool = True) -> tuple[list[_Piece], int]:
    """The items of an expression with the conditions at its ends; and which is the first of the exact match."""
    before = gate.beside(takewhile(zero_width, items), BEHIND, gate.ignore_case)
    after = gate.beside(takewhile(zero_width, reversed(items)), AHEAD, gate.ignore_case) if tail else ""
    wide = [item for item in items if not zero_width(item)]
    pieces = [_Piece(before, before, before)] if before else []
    for k, (operator, argument, ignore_case) in enumerate(wide):
        item, last_one = (operator, argument), tail and k == len(wide) - 1 and not after
        plain, middle = gate.item(item, ignore_case), gate.item(item, ignore_case, tail=last_one)
        headed = gate.item(item, ignore_case, head=k == 0 and not before, tail=last_one)
        last = gate.item(_shortest(item), ignore_case) if middle == plain else middle
        pieces.append(_Piece(middle, headed if headed != middle else last, last))
    if after:
        pieces.append(_Piece(after, after, after))
    return pieces, int(bool(before))


def _shortest(item: tuple[Any, Any]) -> tuple[Any, Any]:
    """A repetition as short as it may be: enough at the ends of a part."""
    operator, argument = item
    return (operator, (argument[0], argument[0], argument[2])) if operator in REPEATS else item


def _cheapest(pieces: list[_Piece], start: int, choice: Choice) -> Part:
    """The run of pieces that costs least to look for: by the letters in it, and of those that seem cheap by the sample."""
    sample = choice.sample
    every = (_run(pieces, i, j, start) for i in range(len(pieces)) for j in range(i, len(pieces)))
    waiting = [(run.cost, number, run) for number, run in enumerate(run for run in every if run)]
    heapify(waiting)
    while waiting:
        cost, number, run = heappop(waiting)
        if run.counted or not sample:
            if run.states < _LARGE or choice.fits(run.part.gate):
                return run.part
            continue
        often = max(0, _count(run.part.gate, sample) - _CHANCE) / (len(sample) * _DENSER)
        more = max(0.0, often - run.often) * run.each
        heappush(waiting, (cost + more, number, run._replace(counted=True)))
    return Part(EVERYTHING, 1, 0)


@cache
def _count(gate: str, sample: bytes) -> int:
    return sum(1 for _ in re.compile(gate.encode("latin-1"), re.DOTALL).finditer(sample))


class _Run(NamedTuple):
    cost: float
    part: Part
    often: float  # the chance that it stands at a given place
    each: float  # what a hit at every place would cost
    states: float
    counted: bool = False  # in the sample


def _run(pieces: list[_Piece], i: int, j: int, start: int) -> _Run | None:
    """The pieces from one to another as a part, with its cost."""
    gates = [pieces[i].first, *(piece.middle for piece in pieces[i + 1 : j]), *([pieces[j].last] if j > i else [])]
    if not gates[0] or not gates[-1]:  # it may be missing
        return None
    measures = [_measured(gate) for gate in gates]
    often, states = math.prod(m.often for m in measures), sum(m.states for m in measures)
    end = pieces[j].last if j > i or pieces[i].first == pieces[i].last else pieces[j].middle
    way = [_measured(gate) for gate in [*(piece.middle for piece in pieces[start:j]), end]] if j >= start else []
    farthest, nearest = sum(m.most for m in way), sum(m.least for m in way)
    reached = accumulate((m.often for m in measures[:-1]), mul, initial=1.0)
    busy = sum(before * m.most for before, m in zip(reached, measures, strict=True))
    each = _HIT + _TRY * (farthest - nearest)
    cost = often * each + states * _STATE + busy * _BUSY
    return _Run(cost, Part("".join(gates), farthest, nearest), often, each, states)


class _Measure(NamedTuple):
    often: float  # the chance that it stands at a given place
    states: float  # of the scanner
    least: int  # characters
    most: int


@cache
def _measured(gate: str) -> _Measure:
    """What there is to know about a looser expression."""
    parsed = parse(gate)
    return _Measure(*_chance(parsed), *parsed.getwidth())


def _chance(items: Any) -> tuple[float, float]:
    """The chance that a sequence stands at a given place, and its states."""
    often, states, after_digit = 1.0, 0.0, False
    for operator, argument in items:
        chance, size = _one(operator, argument)
        digit = _digit(operator, argument)
        often, states = often * (min(1.0, chance * _DIGITS_TOGETHER) if digit and after_digit else chance), states + size
        after_digit = digit or (after_digit and chance == 1.0)  # what may be missing changes nothing
    return often, states


def _one(operator: Any, argument: Any) -> tuple[float, float]:
    if operator is sre.SUBPATTERN:
        return _chance(argument[3])
    if operator is sre.BRANCH:
        each = [_chance(branch) for branch in argument[1]]
        return min(1.0, sum(chance for chance, _ in each)), sum(size for _, size in each)
    if operator in REPEATS:
        least, most, inner = argument
        _, size = _chance(inner)
        chance, _ = _chance([*inner] * int(least))
        return chance, size * min(int(most), 2 if len(inner) == 1 else 50)
    if operator is sre.IN:
        return min(1.0, sum(map(_share, argument))), 1.0
    return _SHARE.get(argument, _RARE), 1.0


def _digit(operator: Any, argument: Any) -> bool:
    if operator is sre.SUBPATTERN:
        return len(argument[3]) > 0 and _digit(*argument[3][-1])
    if operator in REPEATS:
        return bool(argument[0]) and _digit(*argument[2][-1])
    if operator is sre.IN:
        return (sre.RANGE, (48, 57)) in argument and len(argument) < 3
    return operator is sre.LITERAL and chr(argument).isdecimal()


def _share(item: tuple[Any, Any]) -> float:
    operator, value = item
    if operator is sre.LITERAL:
        return _SHARE.get(value, _RARE)
    return sum(_SHARE.get(code, _RARE) for code in range(value[0], min(value[1], 255) + 1))
