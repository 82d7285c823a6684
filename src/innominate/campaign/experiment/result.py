"""The experiment as one JSON result: tables 4.3 and 4.4 of Loftsson 2022, a mixed model, and what became of suggestions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log
from statistics import fmean
from typing import Any

from innominate.campaign.analysis.analysis import Analysis
from innominate.campaign.experiment.arms import Arms, group_of
from innominate.campaign.experiment.measures import (
    Judged,
    Rule,
    Timed,
    group_penalties,
    judgements_by_condition,
    pair_scores,
    timed_tasks,
)
from innominate.campaign.experiment.mixed import fit_random_intercept
from innominate.campaign.experiment.outcomes import OUTCOMES, count_outcomes, find_injected
from innominate.campaign.planning.config import Campaign, Condition
from innominate.campaign.reference.judgements import Judgement
from innominate.campaign.store import Suggestion
from innominate.core import UsageError
from innominate.evaluate.stats import paired, student, welch

MEASURES = {"duration": "s", "segment": "penalty ratio", "category": "penalty ratio"}


def compare_conditions(
    analysis: Analysis, campaign: Campaign, given: Iterable[Suggestion], rule: Rule = "even"
) -> dict[str, Any]:
    """Compare the conditions of each group with its control."""
    arms = Arms.of(campaign, analysis.annotators, given)
    timed, found = timed_tasks(analysis, arms), judgements_by_condition(analysis, arms)
    groups = {name: _group(some, timed, found, rule) for name, some in arms.groups().items()}
    for condition, counted in count_outcomes(analysis, arms).items():
        groups[group_of(condition)]["conditions"][condition.name]["outcomes"] = counted
    return {
        "rule": rule,
        "groups": groups,
        "meanings": OUTCOMES,
        "injected": find_injected(analysis, arms),
    }


def _group(conditions: Sequence[Condition], timed: Sequence[Timed], found: Sequence[Judged], rule: Rule) -> dict[str, Any]:
    control, *others = conditions
    if len({condition.name for condition in conditions}) < len(conditions):
        raise UsageError("two conditions of one group have the same name; give each its own")
    timed = [one for one in timed if one.condition in conditions]
    found = [(condition, one) for condition, one in found if condition in conditions]
    applied: Rule = rule if control.teams else "any"  # crossed over, a sample has few people of each condition
    return {
        "control": control.name,
        "rule": applied,
        "conditions": {one.name: _described(one, timed, found) for one in conditions},
        "tests": {one.name: _tests(one, control, timed, found, rule=applied) for one in others},
        "models": _models(conditions, timed, found),
    }


def _described(condition: Condition, timed: Sequence[Timed], found: Sequence[Judged]) -> dict[str, Any]:
    """One line of table 4.3; ratios are over all judgements, before any rule about numbers of annotators."""
    mine = [one for under, one in found if under == condition]
    seconds = [one.seconds for one in timed if one.condition == condition]
    return {
        "teams": list(condition.teams),
        "retention": condition.retention,
        "perturbation": condition.perturbation,
        "tasks": len(seconds),
        "judgements": len(mine),
        "duration": _mean(seconds),
        "segment": _mean([one.segment_penalty for one in mine if one.segment_penalty is not None]),
        "category": _mean([one.category_penalty for one in mine if one.category_penalty is not None]),
    }


def _tests(
    condition: Condition, control: Condition, timed: Sequence[Timed], found: Sequence[Judged], *, rule: Rule
) -> dict[str, Any]:
    """One column of table 4.4. Suggestions are expected to help; spoiling them to harm."""
    tail = "p_greater" if condition.perturbation > control.perturbation else "p_less"
    seconds = [[one.seconds for one in timed if one.condition == which] for which in (condition, control)]
    tests = {"duration": _tested(seconds[0], seconds[1], tail)}
    for side in ("segment", "category"):
        sides = group_penalties(found, "segment" if side == "segment" else "category")
        scores = pair_scores(sides.get(condition, {}), sides.get(control, {}), rule)
        tests[side] = _tested(scores[0], scores[1], tail)
    within = [_by_person([one for one in timed if one.condition == which]) for which in (condition, control)]
    both = sorted(within[0].keys() & within[1].keys())
    if len(both) > 1:  # only where conditions are crossed over
        pairs = paired([within[0][who] for who in both], [within[1][who] for who in both])
        tests["duration"]["paired"] = {"people": len(both), **pairs.as_dict()}
    return tests


def _tested(first: Sequence[float], second: Sequence[float], tail: str) -> dict[str, Any]:
    """Student's test as in the thesis, and Welch's, which does not take the variances as equal."""
    known: dict[str, Any] = {"n": [len(first), len(second)], "means": [_mean(first), _mean(second)], "tail": tail}
    if min(len(first), len(second)) < 2:
        return {**known, "p": None}
    tests = {"student": student(first, second).as_dict(), "welch": welch(first, second).as_dict()}
    return {**known, **tests, "p": tests["student"][tail]}


def _models(conditions: Sequence[Condition], timed: Sequence[Timed], found: Sequence[Judged]) -> dict[str, Any]:
    """The three measures with a random effect of the annotator. Durations are logarithms, for chunks of any length."""
    others = [condition.name for condition in conditions[1:]]
    lengths = [log(1 + one.characters) for one in timed]
    middle = fmean(lengths) if lengths else 0.0
    varying = len(set(lengths)) > 1  # chunks of one length explain nothing
    models: dict[str, Any] = {
        "duration": _model(
            others,
            [(one.annotator, one.condition.name, log(max(one.seconds, 0.1))) for one in timed],
            {"log characters": [length - middle for length in lengths]} if varying else {},
        )
    }
    sides: dict[str, Callable[[Judgement], int | None]] = {
        "segment": lambda one: one.segment_penalty,
        "category": lambda one: one.category_penalty,
    }
    for side, penalty in sides.items():
        rows = [
            (one.annotator, condition.name, float(value)) for condition, one in found if (value := penalty(one)) is not None
        ]
        models[side] = _model(others, rows, {})
    return models


def _model(
    others: Sequence[str], rows: Sequence[tuple[str, str, float]], more: Mapping[str, Sequence[float]]
) -> dict[str, Any] | None:
    columns: dict[str, Sequence[float]] = {name: [float(row[1] == name) for row in rows] for name in others}
    try:
        return fit_random_intercept({**columns, **more}, [row[2] for row in rows], [row[0] for row in rows]).as_dict()
    except UsageError:  # too few people or tasks for a model
        return None


def _by_person(timed: Sequence[Timed]) -> dict[str, float]:
    people: dict[str, list[float]] = {}
    for one in timed:
        people.setdefault(one.annotator, []).append(one.seconds)
    return {who: fmean(seconds) for who, seconds in people.items()}


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None
