"""How long a simulated annotator takes."""

from __future__ import annotations

from math import exp
from random import Random

from innominate.campaign.simulate.habits import Habits
from innominate.campaign.simulate.marking import Chunk, Marked

_BREAK = (600.0, 7200.0)  # seconds; longer than what still counts as a task


def expected_seconds(chunk: Chunk, marked: Marked, habits: Habits) -> float:
    """The mean for this chunk and what was done to it.

    >>> expected_seconds(Chunk("n", "x" * 100, ()), Marked((), 0), Habits(task_seconds=2, character_seconds=0.01))
    3.0
    """
    return (
        habits.task_seconds
        + habits.character_seconds * len(chunk.text)
        + habits.mark_seconds * marked.actions
        + habits.check_seconds * len(chunk.suggested)
    )


def drawn_seconds(expected: float, habits: Habits, rng: Random) -> float:
    """A duration around the mean, which it keeps: log-normal, as times of people are."""
    return expected * exp(rng.gauss(0.0, habits.spread) - habits.spread**2 / 2)


def pause(habits: Habits, rng: Random) -> float:
    """Seconds of a break before a task; mostly none."""
    return rng.uniform(*_BREAK) if rng.random() < habits.breaks else 0.0
