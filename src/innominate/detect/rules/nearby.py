"""Which later rules have something to do at a candidate, by what stands before and after it.

A pack has dozens of rules that look beside candidates (`Fax` before a telephone number), and almost none fits a given one. So
one automaton reads to the left and one to the right, each for all rules at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from innominate.detect.rules.automaton import automaton
from innominate.detect.rules.board import Board
from innominate.detect.rules.characters import seen
from innominate.detect.rules.native import native

Wanted = tuple[Iterable[str], str | None, str | None]  # labels, and what must stand before and after, if anything must


def looking(rules: Sequence[Wanted]) -> dict[str, tuple[int, ...]]:
    """The rules that look at each label, by number.

    >>> looking([({"PHONE"}, "Fax", None), ({"PHONE", "DATE"}, None, None)])["PHONE"]
    (0, 1)
    """
    labels = dict.fromkeys(label for wanted, _, _ in rules for label in wanted)
    return {label: tuple(n for n, (wanted, _, _) in enumerate(rules) if label in wanted) for label in labels}


def nearby(rules: Sequence[Wanted], cache: Path | None = None) -> Any:
    """The rules that look at each label, and what they want beside it, for the native board."""
    assert native is not None
    before = {number: wanted for number, (_, wanted, _) in enumerate(rules) if wanted is not None}
    after = {number: wanted for number, (_, _, wanted) in enumerate(rules) if wanted is not None}
    every = range(len(rules))

    def bits(numbers: Iterable[int]) -> bytes:
        return sum(1 << number for number in numbers).to_bytes(8 * ((len(rules) + 63) // 64), "little")

    return native.Nearby(
        {label: bits(numbers) for label, numbers in looking(rules).items()},
        automaton(before, backwards=True, cache=cache),
        bits(set(every) - before.keys()),
        automaton(after, cache=cache),
        bits(set(every) - after.keys()),
        len(rules),
    )


def new_board(rules: Sequence[Wanted], *, quick: bool, cache: Path | None = None) -> Callable[[str, bool], Any]:
    """What makes a board for a text, whether it is to be explained or not."""
    if not quick or native is None:
        return partial(_board, looking(rules))
    return partial(_native_board, native.Board, nearby(rules, cache))


def _board(looking: Mapping[str, Sequence[int]], text: str, explain: bool) -> Board:
    return Board(text, explain, looking)


def _native_board(board: Any, nearby: Any, text: str, explain: bool) -> Any:
    return board(text, seen(text), explain, nearby)
