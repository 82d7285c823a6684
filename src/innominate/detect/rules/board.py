"""The board on which rules put what they found, with the reasons; and what every kind of rule has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from operator import itemgetter
from typing import Any, NamedTuple

from innominate.core import Finder, Span
from innominate.detect.rules.expressions.parsed import bytes_to_scan


class Found(NamedTuple):  # a dataclass costs three times as much to make, and hundreds are made per note
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


# Says which later rules may have something to do at a candidate, by their numbers.
Looker = Callable[[bytes, int, int], tuple[int, ...]]


@dataclass(slots=True)
class Board:
    """What is known about one text while the rules run over it."""

    text: str = field(repr=False)
    lookers: Mapping[str, Looker] = field(default_factory=dict, repr=False)  # at each label
    explain: bool = False
    by_label: defaultdict[str, list[Found]] = field(default_factory=lambda: defaultdict(list))
    near: defaultdict[int, list[Found]] = field(default_factory=lambda: defaultdict(list))  # by the number of a later rule
    gone: dict[int, Found] = field(default_factory=dict)  # what was taken off again, by identity
    refused: list[tuple[Found, str]] = field(default_factory=list)  # and why; kept only for an explanation
    data: bytes = field(init=False, repr=False)  # the text as the automaton sees it

    def __post_init__(self) -> None:
        self.data = bytes_to_scan(self.text)

    def put(self, found: Found) -> None:
        """Add a candidate, and tell it to the later rules that may have something to do there."""
        self.by_label[found[2]].append(found)
        if (looker := self.lookers.get(found[2])) is not None:
            for number in looker(self.data, found[0], found[1]):
                self.near[number].append(found)

    def take_off(self, found: Found, why: str) -> None:
        """Take a candidate off the board again."""
        self.gone[id(found)] = found
        self.refuse(found, why)

    def refuse(self, found: Found, why: str) -> None:
        """Remember why something was not taken, if an explanation is wanted."""
        if self.explain:
            self.refused.append((found, why))

    def near_rule(self, number: int) -> list[Found]:
        """The candidates at which a later rule may have something to do, from left to right."""
        return sorted(self._those_left(self.near[number]), key=_position)

    def of_label(self, label: str) -> list[Found]:
        """Candidates with a label, in the order in which they were put here."""
        return self._those_left(self.by_label.get(label, []))

    def of(self, labels: Iterable[str]) -> list[Found]:
        """Candidates with any of the labels, from left to right."""
        return sorted([found for label in labels for found in self.of_label(label)], key=_position)

    def candidates(self) -> list[Found]:
        """What leaves the engine: candidates with a label, not a mark, from left to right."""
        return self.of([label for label in self.by_label if not label.startswith(".")])

    def _those_left(self, candidates: list[Found]) -> list[Found]:
        return [found for found in candidates if id(found) not in self.gone] if self.gone else candidates


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The part of a rule that all kinds share."""

    name: str
    label: str  # a label of the taxonomy, or a mark: a name that begins with '.' and never leaves the engine
    score: float = 0.9
    priority: int = 0  # of two overlapping candidates the one with the higher priority wins
    match: tuple[str, ...] = ()  # sentences with the span marked, such as "né le [3 mai](DATE)"
    no_match: tuple[str, ...] = ()  # sentences in which this rule finds nothing


@dataclass(frozen=True, slots=True)
class PackRule:
    """A rule puts candidates on the board."""

    header: Header

    @property
    def gives(self) -> frozenset[str]:
        """Labels and marks it may put on the board: its own, if it has one."""
        return frozenset({self.header.label} - {""})

    @property
    def needs(self) -> frozenset[str]:
        """Labels and marks that must be on the board before it runs; none, if it looks at the text alone."""
        return frozenset()


@dataclass(frozen=True, slots=True)
class LaterRule(PackRule):
    """A rule that looks at what is on the board: it has nothing to do where there is nothing of the labels in `of`."""

    of: frozenset[str]

    @property
    def needs(self) -> frozenset[str]:
        """What it looks at."""
        return self.of

    @property
    def beside(self) -> tuple[str | None, str | None]:
        """Expressions that must match right before and right after one of them, if any must."""
        return None, None

    def apply(self, board: Board, candidates: Sequence[Found]) -> None:
        """Look at those of them where it may have something to do, from left to right, and change the board."""
        raise NotImplementedError
