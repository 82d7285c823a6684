"""What a simulated annotator makes of a chunk: the truth, with errors of their own and those of the suggestions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from random import Random

from innominate.campaign.simulate.habits import Crowd, Habits
from innominate.campaign.suggestions.similar import Similar
from innominate.campaign.suggestions.spoil import shift_bounds
from innominate.core import Span
from innominate.text.tokens import tokens


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk as an annotator meets it, with the truth that they do not know."""

    id: str
    text: str
    truth: tuple[Span, ...]
    suggested: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class SimulatedMarks:
    """What somebody marked, and how often they did something about it."""

    spans: tuple[Span, ...]
    actions: int


def mark_chunk(chunk: Chunk, habits: Habits, crowd: Crowd, *, similar: Similar, rng: Random) -> SimulatedMarks:
    """Work through a chunk.

    >>> chunk = Chunk("n1#1", "vu le 3 mai", (Span(6, 11, "DATE"),))
    >>> careful = Habits(misses=0, confuses=0, slips=0, invents=0)
    >>> mark_chunk(chunk, careful, Crowd(careful, {}), similar={}, rng=Random(1)).spans
    (Span(start=6, end=11, label='DATE', score=1.0, source=''),)
    """
    words = tokens(chunk.text)
    alone = _Alone(chunk, habits, crowd, similar, rng)
    said: list[Span] = []
    wrong = [span for span in chunk.suggested if span not in chunk.truth]
    trusted = {span for span in wrong if rng.random() < habits.trusts}
    for span in chunk.truth:
        if span in chunk.suggested:
            said.append(span)
        elif not any(_touch(span, other) for other in trusted):  # what is left as it was hides what it should have been
            said += alone(span, words)
    said += trusted
    if similar and words and rng.random() < habits.invents:
        start, end = rng.choice(words)
        said.append(Span(start, end, rng.choice(sorted(similar))))
    spans = _apart(said)
    return SimulatedMarks(spans, len(set(spans) ^ set(chunk.suggested)))


def is_hard(chunk: str, span: Span, share: float) -> bool:
    """Whether an identifier is hard to see, which is the same for everybody."""
    digest = blake2b(f"{chunk}/{span.start}/{span.end}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64 < share


@dataclass(frozen=True, slots=True)
class _Alone:
    """Marks identifiers without help."""

    chunk: Chunk
    habits: Habits
    crowd: Crowd
    similar: Similar
    rng: Random

    def __call__(self, span: Span, words: Sequence[tuple[int, int]]) -> list[Span]:
        habits, rng = self.habits, self.rng
        chance = habits.misses * (self.crowd.harder if is_hard(self.chunk.id, span, self.crowd.hard) else 1.0)
        if self.chunk.suggested:
            chance += habits.leans
        if rng.random() < min(1.0, chance):
            return []
        start, end, label = span.start, span.end, span.label
        if rng.random() < habits.slips:
            start, end = shift_bounds(span, words, (0, len(self.chunk.text)), rng)
        if rng.random() < habits.confuses and self.similar.get(label):
            label = rng.choice(self.similar[label])
        return [Span(start, end, label)]


def _apart(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Marks of one person do not overlap; of two that would, the first stays."""
    kept: list[Span] = []
    for span in spans:
        if not any(_touch(span, other) for other in kept):
            kept.append(span)
    return tuple(sorted(kept))


def _touch(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
