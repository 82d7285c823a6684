"""Which later rules have something to do at a candidate, by the few characters before and after it.

A pack has dozens of rules that look beside candidates (`Fax` before a telephone number), and almost none fits a given one.
So the first characters that each rule wants there are asked for once per neighbourhood, and remembered: ` Dr. ` comes again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import regex

from innominate.detect.rules.gate import Gate

SEEN = 4  # characters on each side
MOST = 50_000  # neighbourhoods remembered


class Side(dict[bytes, int]):
    """Says which of the expressions can match a text that begins with some characters, as a number with a bit for each.

    >>> side = Side({0: "Fax", 3: "F(?:ol|a)"})
    >>> side[b"Fa"], side[b"Fo"], side[b"Tel."]
    (9, 8, 0)
    """

    def __init__(self, expressions: Mapping[int, str], always: int = 0, *, backwards: bool = False) -> None:
        super().__init__()
        self.expressions, self.always, self.backwards = expressions, always, backwards
        self._compiled: dict[int, Any] = {}

    def __missing__(self, characters: bytes) -> int:
        """The bits of the expressions that may match, and of those that want nothing."""
        found = self._looked_up(characters)
        if len(self) >= MOST:
            self.clear()
        self[characters] = found
        return found

    def _looked_up(self, characters: bytes) -> int:
        if not characters:
            return self.always | sum(1 << bit for bit in self.expressions)
        nearest = characters[1:] if self.backwards else characters[:-1]
        may = self[nearest]  # what does not fit the nearest ones need not be asked again
        wanted = characters[::-1] if self.backwards else characters
        fits = (bit for bit in self.expressions if may >> bit & 1 and self._looser(bit).match(wanted, partial=True))
        return self.always | sum(1 << bit for bit in fits)

    def _looser(self, bit: int) -> Any:
        if bit not in self._compiled:
            gate = Gate(self.expressions[bit], backwards=self.backwards)
            looser = gate.sequence(gate.parsed, gate.ignore_case)
            self._compiled[bit] = regex.compile(looser.encode("latin-1"), regex.DOTALL)
        return self._compiled[bit]


class _Numbers(dict[int, tuple[int, ...]]):
    """The numbers of the bits that are set."""

    def __missing__(self, bits: int) -> tuple[int, ...]:
        if len(self) >= MOST:
            self.clear()
        self[bits] = numbers = tuple(number for number in range(bits.bit_length()) if bits >> number & 1)
        return numbers


class Nearby:
    """The later rules of a pack by what they want: labels, and expressions before and after."""

    def __init__(self, rules: Sequence[tuple[Iterable[str], str | None, str | None]]) -> None:
        before = {bit: expression for bit, (_, expression, _) in enumerate(rules) if expression is not None}
        after = {bit: expression for bit, (_, _, expression) in enumerate(rules) if expression is not None}
        everything = (1 << len(rules)) - 1
        self.before = Side(before, everything & ~sum(1 << bit for bit in before), backwards=True)
        self.after = Side(after, everything & ~sum(1 << bit for bit in after))
        self.numbers = _Numbers()
        self.of: dict[str, int] = {}
        for bit, (labels, _, _) in enumerate(rules):
            for label in labels:
                self.of[label] = self.of.get(label, 0) | 1 << bit
        wanting = self.before.always & self.after.always
        self.everywhere = {label: self.numbers[bits] for label, bits in self.of.items() if bits | wanting == wanting}

    def rules(self, data: bytes, start: int, end: int, label: str) -> tuple[int, ...]:
        """The rules that may have something to do at a candidate, in a text as the scanner sees it."""
        if label in self.everywhere:
            return self.everywhere[label]
        before = data[start + 1 - SEEN if start + 1 > SEEN else 0 : start + 1]
        return self.numbers[self.of[label] & self.before[before] & self.after[data[end + 1 : end + 1 + SEEN]]]
