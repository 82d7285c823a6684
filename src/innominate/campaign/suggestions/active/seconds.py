"""How long a chunk will take, from how long earlier ones took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from innominate.campaign.analysis.tasks import Task
from innominate.campaign.records import Sample

LEAST_TASKS = 20  # with fewer the length alone is used
_SHORTEST = 0.5  # seconds; nobody reads anything faster


@dataclass(frozen=True, slots=True)
class Seconds:
    """Seconds for a task: something for every task, for every character, and for every span to be marked."""

    task: float = 2.0
    character: float = 0.05
    span: float = 2.0
    tasks: int = 0  # from how many it was learnt

    def of(self, characters: int, spans: float) -> float:
        """The seconds that a chunk will probably take.

        >>> Seconds(2.0, 0.05, 1.5).of(100, 2)
        10.0
        """
        return max(_SHORTEST, self.task + self.character * characters + self.span * spans)

    def as_dict(self) -> dict[str, Any]:
        """For the result file."""
        return {"task": self.task, "character": self.character, "span": self.span, "learnt_from": self.tasks}


def seconds_from(tasks: Sequence[Task], samples: dict[str, Sample]) -> Seconds:
    """Learn from tasks of known duration, by least squares; a part that would be negative is left out.

    The longest twentieth counts as the duration at its border: an interrupted task must not make all others look long.
    """
    known = [(task, task.seconds) for task in tasks if task.seconds is not None]
    if len(known) < LEAST_TASKS:
        return Seconds()
    rows = np.array([[1.0, len(samples[task.answer.sample].text), len(task.answer.spans)] for task, _ in known])
    seconds = np.array([value for _, value in known])
    seconds = np.minimum(seconds, np.quantile(seconds, 0.95))
    found = np.zeros(3)
    use = [0, 1, 2]
    while use:
        parts = np.linalg.lstsq(rows[:, use], seconds, rcond=None)[0]
        if (parts >= 0).all():
            found[use] = parts
            break
        use.remove(use[int(parts.argmin())])
    return Seconds(float(found[0]), float(found[1]), float(found[2]), len(known))
