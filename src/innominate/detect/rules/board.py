"""The board on which rules put what they found, with the reasons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from operator import itemgetter
from typing import Any, NamedTuple

from innominate.core import Span
from innominate.detect.rules.characters import seen
from innominate.detect.rules.nearby import Nearby


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


@dataclass(frozen=True, slots=True)
class Refused:
    """A candidate that was not taken, and why; kept only when somebody asks for an explanation."""

    found: Found
    why: str


@dataclass(slots=True)
class Board:
    """What is known about one text while the rules run over it."""

    text: str = field(repr=False)
    explain: bool = False
    nearby: Nearby | None = None
    by_label: dict[str, list[Found]] = field(default_factory=lambda: defaultdict(list))
    near: dict[int, list[Found]] = field(default_factory=lambda: defaultdict(list))  # by the number of a later rule
    gone: dict[int, Found] = field(default_factory=dict)  # what was taken off again
    refused: list[Refused] = field(default_factory=list)
    data: bytes = field(init=False, repr=False)  # the text as the scanner sees it
    backwards: bytes = field(init=False, repr=False)  # from right to left

    def __post_init__(self) -> None:
        self.data = seen(self.text)
        self.backwards = self.data[::-1]

    def put(self, found: Found) -> None:
        """Add a candidate."""
        label = found[2]
        self.by_label[label].append(found)
        if self.nearby and label in self.nearby.of:
            for number in self.nearby.rules(self.data, found[0], found[1], label):
                self.near[number].append(found)

    def asked(self, number: int) -> list[Found]:
        """The candidates at which a later rule may have something to do, from left to right."""
        gone = self.gone
        some = [found for found in self.near[number] if id(found) not in gone] if gone else self.near[number]
        return sorted(some, key=_position) if len(some) > 1 else some

    def take(self, gone: Sequence[Found], why: str) -> None:
        """Take candidates off the board again."""
        numbers = {id(found): found for found in gone}
        self.gone |= numbers
        for label in {found.label for found in gone}:
            self.by_label[label] = [found for found in self.by_label[label] if id(found) not in numbers]
        for found in gone:
            self.refuse(found, why)

    def refuse(self, found: Found, why: str) -> None:
        """Remember why something was not taken, if an explanation is wanted."""
        if self.explain:
            self.refused.append(Refused(found, why))

    def of(self, labels: Iterable[str]) -> list[Found]:
        """Candidates with any of the labels, from left to right."""
        some: list[Found] = []
        for label in labels:
            if label in self.by_label:
                some += self.by_label[label]
        if len(some) > 1:
            some.sort(key=_position)
        return some


_position = itemgetter(0, 1)


def span_of(found: Found) -> Span:
    """A candidate as a span whose source names its rule."""
    return Span(found[0], found[1], found[2], found[3], _source(found[4]))


@cache
def _source(rule: str) -> str:
    return f"rules:{rule}"
