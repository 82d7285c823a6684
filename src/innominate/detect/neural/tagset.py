"""Tags: what a network says of a piece, and the way from spans to tags and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from innominate.core import Span
from innominate.detect.crf.tokenise import tokens_touched
from innominate.detect.dial.threshold import runs

Place = tuple[int, int]
Entity = tuple[int, int, str]  # pieces from, to (half-open), label


@dataclass(frozen=True)
class Tagset:
    """The labels that a model knows, written as IOB2 or BIOES tags.

    >>> Tagset(("DATE",), "IOB2").tags
    ('O', 'B-DATE', 'I-DATE')
    """

    labels: tuple[str, ...]
    scheme: str = "BIOES"

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """All tags; the first means that a piece identifies nobody."""
        prefixes = "BI" if self.scheme == "IOB2" else "BIES"
        return ("O", *(f"{prefix}-{label}" for label in self.labels for prefix in prefixes))

    @cached_property
    def ids(self) -> dict[str, int]:
        """The number of each tag."""
        return {tag: number for number, tag in enumerate(self.tags)}

    def encode(self, places: Sequence[Place], spans: Iterable[Span]) -> list[int]:
        """Tag pieces from spans; a piece that a span only touches belongs to it. Labels that are not known are left out.

        >>> Tagset(("DATE",)).encode([(0, 2), (3, 4)], [Span(0, 4, "DATE")])
        [1, 3]
        """
        found = [0] * len(places)
        for begin, end, label in entities(places, spans):
            if label in self.labels:
                for index in range(begin, end):
                    found[index] = self.ids[self._tag(index, begin, end, label)]
        return found

    def _tag(self, index: int, begin: int, end: int, label: str) -> str:
        if self.scheme == "BIOES" and index == end - 1:
            return f"{'S' if index == begin else 'E'}-{label}"
        return f"{'B' if index == begin else 'I'}-{label}"

    def decode(self, numbers: Sequence[int]) -> list[Entity]:
        """Read entities from tags. A sequence that no encoder would write still covers every piece that has a label.

        >>> Tagset(("DATE",)).decode([2, 3, 0])  # an I without its B
        [(0, 2, 'DATE')]
        """
        return runs([self.tags[number] for number in numbers])


def entities(places: Sequence[Place], spans: Iterable[Span]) -> list[Entity]:
    """Find the pieces that each span touches; spans that touch none are left out."""
    starts, ends = [start for start, _ in places], [end for _, end in places]
    found = ((tokens_touched(starts, ends, span), span.label) for span in spans)
    return [(pieces.start, pieces.stop, label) for pieces, label in found if pieces]
