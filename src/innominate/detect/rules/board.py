"""The board on which rules put what they found, with the reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from operator import itemgetter
from typing import Any, NamedTuple

from innominate.core import Finder, Span
from innominate.detect.rules.expressions.characters import seen


class Found(NamedTuple):  # a dataclass costs three times as much to make, and thousands are made per note
    """A candidate: where, which label or mark, how sure, which rule, and on what earlier candidates it rests."""

    start: int
    end: int
    label: str
    score: float
    rule: str
    priority: int = 0
    because: tuple[Any, ...] = ()  # of Found
    trigger: tuple[int, int] | None = None  # characters that made the rule fire, outside the candidate


made = partial(tuple.__new__, Found)  # from a tuple of all fields, in a third of the time


@dataclass(slots=True)
class Board:
    """What is known about one text while the rules run over it. The native engine has its own (`native/board.c`)."""

    text: str = field(repr=False)
    explain: bool = False
    looking: Mapping[str, Sequence[int]] = field(default_factory=dict)  # at each label: the later rules, by number
    by_label: dict[str, list[Found]] = field(default_factory=dict)
    near: dict[int, list[Found]] = field(default_factory=dict)  # by the number of a later rule
    gone: dict[int, Found] = field(default_factory=dict)  # what was taken off again
    refused: list[tuple[Found, str]] = field(default_factory=list)  # and why; kept only for an explanation
    data: bytes = field(init=False, repr=False)  # the text as the automaton sees it

    def __post_init__(self) -> None:
        self.data = seen(self.text)

    def put(self, found: Found) -> None:
        """Add a candidate."""
        self.by_label.setdefault(found.label, []).append(found)
        for number in self.looking.get(found.label, ()):
            self.near.setdefault(number, []).append(found)

    def asked(self, number: int) -> list[Found]:
        """The candidates at which a later rule may have something to do, from left to right."""
        return sorted((found for found in self.near.get(number, ()) if id(found) not in self.gone), key=_position)

    def take(self, gone: Sequence[Found], why: str) -> None:
        """Take candidates off the board again."""
        self.gone |= {id(found): found for found in gone}
        for label in {found.label for found in gone}:
            self.by_label[label] = [found for found in self.by_label[label] if id(found) not in self.gone]
        for found in gone:
            self.refuse(found, why)

    def refuse(self, found: Found, why: str) -> None:
        """Remember why something was not taken, if an explanation is wanted."""
        if self.explain:
            self.refused.append((found, why))

    def of(self, labels: Iterable[str]) -> list[Found]:
        """Candidates with any of the labels, from left to right."""
        return sorted((found for label in labels for found in self.by_label.get(label, ())), key=_position)

    def candidates(self) -> list[Found]:
        """What leaves the engine: candidates with a label, not a mark, from left to right."""
        return self.of([label for label in self.by_label if not label.startswith(".")])


_position = itemgetter(0, 1)


def is_there(place: tuple[int, int], label: str) -> bool:
    """Whether a group found something: it is not empty, unless it is a mark before the text begins.

    >>> is_there((3, 9), "DATE"), is_there((-1, -1), "DATE"), is_there((0, 0), ".field")
    (True, False, True)
    """
    start, end = place
    return start < end or (start == end == 0 and label.startswith("."))


def span_of(found: Found) -> Span:
    """A candidate as a span whose source names its rule."""
    return Span(found[0], found[1], found[2], found[3], source_of(found[4]))


@cache
def source_of(rule: str) -> str:
    """How a span names its rule."""
    return Finder.RULES.source(rule)
