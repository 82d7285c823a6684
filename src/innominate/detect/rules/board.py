"""The board on which rules put what they found, with the reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
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
    wanted: int = 0  # a bit for each later rule that may have something to do
    by_label: dict[str, list[Found]] = field(default_factory=dict)
    refused: list[Refused] = field(default_factory=list)
    data: bytes = field(init=False, repr=False)  # the text as the scanner sees it
    backwards: bytes = field(init=False, repr=False)  # from right to left

    def __post_init__(self) -> None:
        self.data = seen(self.text)
        self.backwards = self.data[::-1]

    def put(self, found: Found) -> None:
        """Add a candidate."""
        start, end, label = found[:3]
        if label in self.by_label:
            self.by_label[label].append(found)
        else:
            self.by_label[label] = [found]
        if self.nearby:
            self.wanted |= self.nearby.rules(self.data, start, end, label)

    def take(self, gone: Sequence[Found], why: str) -> None:
        """Take candidates off the board again."""
        numbers = set(map(id, gone))
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
    start, end, label, score, rule = found[:5]
    return Span(start, end, label, score, f"rules:{rule}")
