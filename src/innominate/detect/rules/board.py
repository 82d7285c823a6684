"""The board on which rules put what they found, with the reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, NamedTuple

from innominate.core import Span
from innominate.detect.rules.characters import latin1


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
    by_label: dict[str, list[Found]] = field(default_factory=dict)
    refused: list[Refused] = field(default_factory=list)
    _backwards: bytes = field(default=b"", repr=False)

    @property
    def backwards(self) -> bytes:
        """The text as the scanner sees it, from right to left."""
        if not self._backwards:
            self._backwards = latin1(self.text)[::-1]
        return self._backwards

    def put(self, found: Found) -> None:
        """Add a candidate."""
        label = found.label
        if label in self.by_label:
            self.by_label[label].append(found)
        else:
            self.by_label[label] = [found]

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
        return sorted((found for label in labels for found in self.by_label.get(label, ())), key=_position)


_position = itemgetter(0, 1)


def span_of(found: Found) -> Span:
    """A candidate as a span whose source names its rule."""
    return Span(found.start, found.end, found.label, found.score, f"rules:{found.rule}")
