"""Edits to a text and the map between the text before and after.

This is the one primitive behind cleaning, concealment, projection of other annotations, and browser offsets. Text is viewed,
never changed: whoever needs another form of it applies edits, works on the result, and comes back through the map.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import NamedTuple

from innominate.core.errors import SpanError
from innominate.core.span import Span

_new = tuple.__new__  # what the constructor of a NamedTuple calls, in half of its time


class Edit(NamedTuple):
    """Replace the characters `[start, end)` by `text`. An empty range inserts, an empty text deletes."""

    start: int
    end: int
    text: str


class Change(NamedTuple):
    """A place where source and target differ: `[source_start, source_end)` became `[target_start, target_end)`."""

    source_start: int
    source_end: int
    target_start: int
    target_end: int


def apply_edits(text: str, edits: Iterable[Edit]) -> tuple[str, OffsetMap]:
    """Return the edited text and the map back. Edits may come in any order but must not overlap.

    >>> view, offsets = apply_edits("<b>Eva</b> slept", [Edit(0, 3, ""), Edit(6, 10, "")])
    >>> view, offsets.to_source(0, 3)
    ('Eva slept', (3, 6))
    """
    parts: list[str] = []
    changes: list[Change] = []
    position = shift = 0
    for start, end, new in sorted(edits, key=itemgetter(0, 1)):
        if not position <= start <= end <= len(text):
            raise SpanError(f"edit {start}..{end} overlaps another or lies outside the {len(text)} characters of the text")
        parts += (text[position:start], new)
        changes.append(_new(Change, (start, end, start + shift, start + shift + len(new))))
        shift += len(new) - (end - start)
        position = end
    parts.append(text[position:])
    return "".join(parts), OffsetMap(len(text), len(text) + shift, tuple(changes))


@dataclass(frozen=True, slots=True)
class OffsetMap:
    """Positions of a source text in a target text, and back.

    Inside an unchanged stretch a position maps exactly. A range that touches a change takes the whole of it,
    so a mapped range always covers everything behind the range that was asked for.
    """

    source_length: int
    target_length: int
    changes: tuple[Change, ...] = ()

    @classmethod
    def identity(cls, length: int) -> OffsetMap:
        """The map of a text that was not edited."""
        return cls(length, length)

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Map a range of the target to the smallest range of the source that covers it (empty if it was inserted)."""
        return _map(self.changes, start, end, forwards=False)

    def to_target(self, start: int, end: int) -> tuple[int, int]:
        """Map a range of the source to the smallest range of the target that covers it (empty if it was deleted)."""
        return _map(self.changes, start, end, forwards=True)

    def spans_to_source(self, spans: Iterable[Span]) -> list[Span]:
        """Bring spans found on the target back to the source; one over inserted characters alone has no source."""
        moved = ((span, self.to_source(span.start, span.end)) for span in spans)
        return [replace(span, start=start, end=end) for span, (start, end) in moved if start < end]

    def spans_to_target(self, spans: Iterable[Span]) -> list[Span]:
        """Carry spans of the source to the target; one whose characters were all deleted is gone."""
        moved = ((span, self.to_target(span.start, span.end)) for span in spans)
        return [replace(span, start=start, end=end) for span, (start, end) in moved if start < end]

    def segments(self) -> Iterator[tuple[Change, bool]]:
        """Yield ranges that tile both texts from left to right, each with whether it is a change."""
        source = target = 0
        for change in self.changes:
            if source < change.source_start:
                yield Change(source, change.source_start, target, change.target_start), False
            yield change, True
            source, target = change.source_end, change.target_end
        if source < self.source_length:
            yield Change(source, self.source_length, target, self.target_length), False

    def then(self, later: OffsetMap) -> OffsetMap:
        """Compose with the map of edits made afterwards on the target of this one."""
        if self.target_length != later.source_length:
            raise SpanError(f"maps do not fit: {self.target_length} characters, then {later.source_length}")
        return OffsetMap(self.source_length, later.target_length, tuple(_compose(self.changes, later.changes)))


def _map(changes: Sequence[Change], start: int, end: int, *, forwards: bool) -> tuple[int, int]:
    """Map a non-empty range by its first and its last character, from one side of the changes to the other."""
    mapped_start = _map_character(changes, start, forwards=forwards)[0]
    return mapped_start, max(mapped_start, _map_character(changes, end - 1, forwards=forwards)[1])


def _map_character(changes: Sequence[Change], position: int, *, forwards: bool) -> tuple[int, int]:
    """Map one character to a range. An insertion or deletion right before it stays outside."""
    from_start, from_end, to_start, to_end = (0, 1, 2, 3) if forwards else (2, 3, 0, 1)
    index = bisect_right(changes, position, key=itemgetter(from_start)) - 1
    if index < 0:
        return position, position + 1
    change = changes[index]
    if position < change[from_end]:
        return change[to_start], change[to_end]
    moved = position - change[from_end] + change[to_end]
    return moved, moved + 1


def _compose(first: Sequence[Change], second: Sequence[Change]) -> list[Change]:
    """Merge the changes of two maps that meet in a middle text; changes that share a middle character become one."""
    if not first or not second:
        return list(first or second)
    composed: list[Change] = []
    i = j = 0
    before = after = 0  # source minus middle, target minus middle, left of the next change
    while i < len(first) or j < len(second):
        start, end = _next_range(first, second, i, j)
        source_start, target_start = start + before, start + after
        while True:  # take in everything that overlaps the growing range [start, end) of the middle text
            if i < len(first) and _within(first[i].target_start, first[i].target_end, start, end):
                end = max(end, first[i].target_end)
                before = first[i].source_end - first[i].target_end
                i += 1
            elif j < len(second) and _within(second[j].source_start, second[j].source_end, start, end):
                end = max(end, second[j].source_end)
                after = second[j].target_end - second[j].source_end
                j += 1
            else:
                break
        composed.append(Change(source_start, end + before, target_start, end + after))
    return composed


def _next_range(first: Sequence[Change], second: Sequence[Change], i: int, j: int) -> tuple[int, int]:
    """The leftmost pending change in the middle text."""
    candidates = []
    if i < len(first):
        candidates.append((first[i].target_start, first[i].target_end))
    if j < len(second):
        candidates.append((second[j].source_start, second[j].source_end))
    return min(candidates)


def _within(start: int, end: int, range_start: int, range_end: int) -> bool:
    """Say whether a change belongs to the range: it starts inside it, or is the very (perhaps empty) range itself."""
    return start < range_end or (start, end) == (range_start, range_end)
