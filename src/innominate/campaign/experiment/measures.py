"""What is compared: durations of tasks, and penalties of alignments (Loftsson 2022, section 4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from innominate.campaign.analysis.analysis import Analysis
from innominate.campaign.experiment.arms import Arms
from innominate.campaign.planning.config import Condition
from innominate.campaign.reference.judgements import Judgement
from innominate.core import UsageError

Rule = Literal["even", "equal", "any"]
Judged = tuple[Condition, Judgement]
Sides = dict[Condition, dict[int, list[float]]]  # condition -> alignment -> penalties of its annotators
LEAST = 2  # annotators of each side of an alignment


@dataclass(frozen=True, slots=True)
class Timed:
    """The duration of one task, with what explains it."""

    annotator: str
    condition: Condition
    seconds: float
    characters: int


def timed_tasks(analysis: Analysis, arms: Arms) -> list[Timed]:
    """Every task whose duration is known and that was done under a condition (steps 1 to 3)."""
    found = []
    for task in analysis.tasks.tasks:
        condition = arms.condition(task.answer.annotator, task.answer.sample)
        if condition and task.seconds is not None:
            length = len(analysis.samples[task.answer.sample].text)
            found.append(Timed(task.answer.annotator, condition, task.seconds, length))
    return found


def judgements_by_condition(analysis: Analysis, arms: Arms) -> list[Judged]:
    """Every judgement with its condition."""
    found = []
    for one in analysis.judgements:
        condition = arms.condition(one.annotator, one.aligned.sample)
        if condition:
            found.append((condition, one))
    return found


def group_penalties(found: Iterable[Judged], side: Literal["segment", "category"]) -> Sides:
    """Penalties by condition and alignment; alignments without a reference on this side say nothing."""
    sides: Sides = {}
    for condition, one in found:
        penalty = one.segment_penalty if side == "segment" else one.category_penalty
        if penalty is not None:
            sides.setdefault(condition, {}).setdefault(id(one.aligned), []).append(float(penalty))
    return sides


def pair_scores(first: Mapping[int, Sequence[float]], second: Mapping[int, Sequence[float]], rule: Rule) -> list[list[float]]:
    """The mean penalty of each side on the alignments that both did and that the rule allows.

    "even": an even number of annotators, at least two, on each side; "equal": as many on one side as on the other, at least
    two; "any": at least one.

    >>> pair_scores({1: [0, 1], 2: [1]}, {1: [0, 0], 2: [0]}, "even")
    [[0.5], [0.0]]
    """
    if rule not in ("even", "equal", "any"):
        raise UsageError(f"alignments are taken by even, equal or any numbers of annotators, not {rule!r}")
    both = [key for key in first if key in second and _allowed(len(first[key]), len(second[key]), rule)]
    return [[fmean(side[key]) for key in both] for side in (first, second)]


def _allowed(one: int, other: int, rule: Rule) -> bool:
    if rule == "any":
        return True
    enough = one >= LEAST and other >= LEAST
    return enough and (one == other if rule == "equal" else one % 2 == 0 and other % 2 == 0)
