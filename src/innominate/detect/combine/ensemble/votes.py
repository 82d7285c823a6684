"""Spans of several detectors put together: their union, or what enough of them agree on.

Votes are for exact spans, place and label (Kim, Heider and Meystre 2018 vote on tokens; spans keep their borders). Of spans
that overlap, the one with more support stands. Where detectors agree that something identifies but not on its borders, no
exact span may have enough votes: such characters are voted on one by one, so that a name two of three saw is never shown.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from innominate.core import Finder, Span, resolve

SOURCE = "ensemble"
Opinions = Sequence[Sequence[Span]]  # of one note: what each detector found


@dataclass(frozen=True, slots=True)
class EnsembleBallot:
    """Who may vote on what: the labels each detector knows, and how much its word on a label weighs."""

    knows: Sequence[frozenset[str]]
    weights: Mapping[str, Sequence[float]] = field(default_factory=dict)  # label -> by detector; one that is not here: 1 each
    threshold: float = 0.5  # the share of the weight that a span must have more than

    def weight(self, member: int, label: str) -> float:
        """What one detector's word on a label weighs; nothing, if it does not know the label."""
        if label not in self.knows[member]:
            return 0.0
        return self.weights[label][member] if label in self.weights else 1.0

    def total(self, label: str) -> float:
        """The weight of all that know the label."""
        return sum(self.weight(member, label) for member in range(len(self.knows))) or 1.0


def unite_opinions(opinions: Opinions, ballot: EnsembleBallot) -> tuple[Span, ...]:
    """Everything that anyone found; where they overlap the better wins and the other keeps the rest.

    Who is worth more on the label is better; without figures models before rules, then the surer, then the longer.
    """
    ranks: dict[Span, tuple[float, ...]] = {}
    best: dict[Span, Span] = {}  # of several that say the same
    for member, found in enumerate(opinions):
        for span in found:
            learned = float(span.finder is not Finder.RULES)
            rank = (ballot.weight(member, span.label), learned, span.score, float(len(span)))
            if span not in ranks or rank > ranks[span]:
                ranks[span], best[span] = rank, span
    return resolve(best.values(), ranks.__getitem__)


def count_votes(text: str, opinions: Opinions, ballot: EnsembleBallot) -> tuple[Span, ...]:
    """What has more than the threshold's share of the weight.

    >>> sure, short, blind = [Span(0, 6, "NAME")], [Span(3, 6, "NAME")], []
    >>> three = EnsembleBallot([frozenset({"NAME"})] * 3)
    >>> [(span.start, span.end) for span in count_votes("Dr Eva", [sure, sure, short], three)]
    [(0, 6)]
    >>> [(span.start, span.end) for span in count_votes("Dr Eva", [sure, short, blind], three)]  # both mean `Eva`
    [(3, 6)]
    """
    kept = _elect_spans(opinions, ballot)
    return tuple(sorted([*kept, *_agree_on_characters(text, opinions, ballot, kept)]))


def _elect_spans(opinions: Opinions, ballot: EnsembleBallot) -> list[Span]:
    """Exact spans with enough support, the best first; one that overlaps a better one is left to the characters."""
    support: dict[Span, float] = defaultdict(float)
    score: dict[Span, float] = defaultdict(float)
    for member, found in enumerate(opinions):
        for span in set(found):
            share = ballot.weight(member, span.label) / ballot.total(span.label)
            support[span] += share
            score[span] += share * span.score
    kept: list[Span] = []
    for span in sorted(support, key=lambda one: (-support[one], -len(one), one)):
        if support[span] > ballot.threshold and not any(map(span.overlaps, kept)):
            kept.append(replace(span, score=min(1.0, score[span]), source=SOURCE))
    return kept


def _agree_on_characters(text: str, opinions: Opinions, ballot: EnsembleBallot, kept: Sequence[Span]) -> Iterator[Span]:
    """Stretches outside of the kept spans that enough detectors cover, with the label that most of their weight is for."""
    stretches: list[tuple[int, int, str, float]] = []
    for start, end, said in _stretches(opinions, kept):
        by_label: dict[str, float] = defaultdict(float)
        for member, span in said:
            by_label[span.label] += ballot.weight(member, span.label)
        label = max(sorted(by_label), key=by_label.__getitem__)
        share = sum(by_label.values()) / ballot.total(label)
        if share <= ballot.threshold:
            continue
        if stretches and stretches[-1][1] == start and stretches[-1][2] == label:
            begun = stretches.pop()
            start, share = begun[0], min(share, begun[3])
        stretches.append((start, end, label, share))
    for start, end, label, share in stretches:
        found = text[start:end]
        start, end = start + len(found) - len(found.lstrip()), end - (len(found) - len(found.rstrip()))
        if any(map(str.isalnum, text[start:end])):
            yield Span(start, end, label, min(1.0, share), SOURCE)


def _stretches(opinions: Opinions, kept: Sequence[Span]) -> Iterator[tuple[int, int, list[tuple[int, Span]]]]:
    """Stretches between the ends of spans that some detector covers and no kept span does, with who says what there."""
    settled = set(kept)
    spans = [(member, span) for member, found in enumerate(opinions) for span in found if span not in settled]
    ends = sorted({place for span in (*(span for _, span in spans), *kept) for place in (span.start, span.end)})
    taken = sorted(kept)
    starts = [span.start for span in taken]
    for start, end in itertools.pairwise(ends):
        before = bisect_right(starts, start) - 1
        if before >= 0 and start < taken[before].end:
            continue
        said = {member: span for member, span in spans if span.start <= start and end <= span.end}
        if said:
            yield start, end, list(said.items())
