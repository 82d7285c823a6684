"""What a simulated annotator is like, and what they make of a chunk: the truth, with errors of their own and those of the
suggestions.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

from innominate.campaign.records import read_toml_file
from innominate.campaign.suggestions.audiences import Similar, shift_bounds
from innominate.core import Span, UsageError
from innominate.text.tokens import tokens


@dataclass(frozen=True, slots=True)
class Habits:
    """Chances of errors, and seconds. Chances are per identifier unless said otherwise."""

    misses: float = 0.05  # an identifier goes unmarked; a hard one more often
    confuses: float = 0.03  # it gets a similar label
    slips: float = 0.03  # one of its limits is a word off
    invents: float = 0.01  # per task: something is marked that is nothing
    trusts: float = 0.2  # a wrong suggestion is left as it is
    leans: float = 0.05  # more is missed where other things are suggested
    ignores: float = 0.005  # per task
    task_seconds: float = 2.5
    character_seconds: float = 0.03
    mark_seconds: float = 2.0  # to mark something, or to change or remove a suggestion
    check_seconds: float = 0.3  # to look at a suggestion
    spread: float = 0.35  # of the logarithm of the seconds
    breaks: float = 0.01  # per task, before it; 10 minutes to 2 hours
    tasks: int = 0  # stops after so many; 0: never

    def __post_init__(self) -> None:
        for name in ("misses", "confuses", "slips", "trusts", "leans", "ignores", "breaks"):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"{name} is a chance between 0 and 1, not {getattr(self, name)}")
        if min(self.task_seconds, self.character_seconds, self.mark_seconds, self.check_seconds, self.spread, self.tasks) < 0:
            raise UsageError("seconds, spread and tasks cannot be negative")


@dataclass(frozen=True, slots=True)
class Crowd:
    """The habits of everybody, and what makes identifiers hard for all of them."""

    everybody: Habits
    people: Mapping[str, Habits]
    hard: float = 0.05  # share of identifiers that are hard to see
    harder: float = 6.0  # how many times as often they are missed

    def of(self, annotator: str) -> Habits:
        """One person's habits.

        >>> Crowd(Habits(misses=0.1), {}).of("eva").misses
        0.1
        """
        return self.people.get(annotator, self.everybody)


def read_crowd(path: Path | None = None) -> Crowd:
    """Read habits from TOML: `hard`, `harder`, [everybody], and [people.ID] with what differs; the defaults without a file."""
    if path is None:
        return Crowd(Habits(), {})
    return crowd_from(read_toml_file(path, "the habits"), str(path))


def read_thesis() -> dict[str, Any]:
    """The contest of Loftsson 2022 as a simulation: people, teams, conditions and habits."""
    content = files("innominate.campaign.simulate") / "data" / "thesis.toml"
    return tomllib.loads(content.read_text(encoding="utf-8"))


def crowd_from(content: Mapping[str, Any], where: str) -> Crowd:
    """Make habits of plain values; an unknown key is an error."""
    everybody = dict(content.get("everybody", {}))
    people = {str(id): _habits({**everybody, **own}, where) for id, own in content.get("people", {}).items()}
    difficulty = {name: float(content[name]) for name in ("hard", "harder") if name in content}
    return Crowd(_habits(everybody, where), people, **difficulty)


def _habits(values: Mapping[str, Any], where: str) -> Habits:
    known = {field.name for field in fields(Habits)}
    unknown = sorted(values.keys() - known)
    if unknown:
        raise UsageError(f"{where}: unknown habit {', '.join(unknown)}; there are: {', '.join(sorted(known))}")
    return Habits(**values)


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

    def mark_alone(span: Span) -> list[Span]:
        """Mark an identifier without help, or miss it."""
        chance = habits.misses * (crowd.harder if is_hard(chunk.id, span, crowd.hard) else 1.0)
        if rng.random() < min(1.0, chance + (habits.leans if chunk.suggested else 0.0)):
            return []
        start, end, label = span.start, span.end, span.label
        if rng.random() < habits.slips:
            start, end = shift_bounds(span, words, (0, len(chunk.text)), rng)
        if rng.random() < habits.confuses and similar.get(label):
            label = rng.choice(similar[label])
        return [Span(start, end, label)]

    said: list[Span] = []
    wrong = [span for span in chunk.suggested if span not in chunk.truth]
    trusted = {span for span in wrong if rng.random() < habits.trusts}
    for span in chunk.truth:
        if span in chunk.suggested:
            said.append(span)
        elif not any(span.overlaps(other) for other in trusted):  # what is left as it was hides what it should have been
            said += mark_alone(span)
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


def _apart(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Marks of one person do not overlap; of two that would, the first stays."""
    kept: list[Span] = []
    for span in spans:
        if not any(span.overlaps(other) for other in kept):
            kept.append(span)
    return tuple(sorted(kept))
