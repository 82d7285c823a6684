"""Settle overlaps by trimming: the loser gives up the shared characters and keeps the rest, so nothing is uncovered."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from heapq import heappop, heappush

from innominate.core.span import Span


def by_score_then_length(span: Span) -> tuple[float, int]:
    """The default order: the surer span wins, and of two equally sure ones the longer."""
    return (span.score, len(span))


def resolve(spans: Iterable[Span], rank: Callable[[Span], tuple[float, ...]] = by_score_then_length) -> tuple[Span, ...]:
    """Return spans that do not overlap and cover exactly the same characters.

    >>> [(s.start, s.end, s.label) for s in resolve([Span(0, 9, "A"), Span(4, 6, "B", score=0.5), Span(8, 12, "C")])]
    [(0, 9, 'A'), (9, 12, 'C')]
    """
    given = spans if isinstance(spans, tuple) else tuple(spans)
    if _are_apart(given):
        return given
    best: dict[Span, Span] = {}
    for span in given:
        if span not in best or rank(span) > rank(best[span]):
            best[span] = span
    ordered = sorted(best.values())
    return tuple(ordered if _are_apart(ordered) else _settle(ordered, rank))


def trim_blanks(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """The same without blanks at their ends; one of blanks alone, which trimming left over, is none.

    >>> trim_blanks("Dr  Rochat ", [Span(2, 4, "A"), Span(3, 11, "B")])
    (Span(start=4, end=10, label='B', score=1.0, source=''),)
    """
    found = []
    for span in spans:
        start, end = span.start, span.end
        if text[start].isspace() or text[end - 1].isspace():
            inside = text[start:end].strip()
            if not inside:
                continue
            start = text.index(inside, start)
            span = replace(span, start=start, end=start + len(inside))
        found.append(span)
    return tuple(found)


def _are_apart(spans: Sequence[Span]) -> bool:
    """Say whether spans stand in order and none overlaps the next."""
    end = 0
    for span in spans:
        if span.start < end:
            return False
        end = span.end
    return True


def _settle(ordered: list[Span], rank: Callable[[Span], tuple[float, ...]]) -> list[Span]:
    """Sweep from left to right; every stretch between two ends goes to the best span over it."""
    strength = [(*(-value for value in rank(span)), span.start, index) for index, span in enumerate(ordered)]
    ends = sorted({position for span in ordered for position in (span.start, span.end)})
    over: list[tuple[float, ...]] = []  # the spans over the stretch, as a heap, the best first
    pieces: list[Span] = []
    owner = waiting = -1
    for start, end in itertools.pairwise(ends):
        while waiting + 1 < len(ordered) and ordered[waiting + 1].start <= start:
            waiting += 1
            heappush(over, strength[waiting])
        while over and ordered[int(over[0][-1])].end <= start:
            heappop(over)
        if not over:
            continue
        winner = int(over[0][-1])
        if winner == owner and pieces[-1].end == start:
            pieces[-1] = replace(pieces[-1], end=end)
        else:
            pieces.append(replace(ordered[winner], start=start, end=end))
        owner = winner
    return pieces
