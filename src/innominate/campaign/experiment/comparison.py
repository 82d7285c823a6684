"""The experiment as one JSON result (Loftsson 2022, section 4.2): durations of tasks and penalties of alignments by condition,
tables 4.3 and 4.4, a mixed model, and what annotators did with each suggestion: whether they miss what was taken away, and
keep what was spoilt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from statistics import fmean
from typing import Any

from innominate.campaign.analysis.analysis import Analysis
from innominate.campaign.experiment.mixed import fit_random_intercept
from innominate.campaign.planning.config import Campaign, Condition
from innominate.campaign.records import Annotator
from innominate.campaign.reference.verdicts import Judgement
from innominate.campaign.store import Suggestion
from innominate.campaign.suggestions.audiences import Fate
from innominate.core import Span, UsageError
from innominate.evaluate.stats import clopper_pearson, paired, student, welch

CROSSED = "crossed over"  # the group of conditions that name no team and no group
# name -> what was counted of what
OUTCOMES = {
    "missed": "identifiers of the reference that were taken from the suggestions, and that the annotator did not mark",
    "never found": "identifiers of the reference that the detector did not find, and that the annotator did not mark",
    "spoilt kept": "perturbed suggestions that were left as they were",
    "wrong kept": "suggestions that the detector got wrong and that were left as they were",
    "right kept": "right suggestions that were left as they were",
}
RULES = ("even", "equal", "any")  # by which alignments are taken: numbers of annotators on each side
Judged = tuple[Condition, Judgement]
Sides = dict[Condition, dict[int, list[float]]]  # condition -> alignment -> penalties of its annotators
SIDES = ("segment", "category")  # of an alignment
LEAST = 2  # annotators of each side of an alignment


@dataclass(frozen=True, slots=True)
class Arms:
    """Finds the condition and the log of suggestions of a person's task."""

    campaign: Campaign
    people: Mapping[str, Annotator]
    logs: Mapping[tuple[str, str], Suggestion]  # by sample and audience

    @classmethod
    def of(cls, campaign: Campaign, people: Mapping[str, Annotator], given: Iterable[Suggestion]) -> Arms:
        """Put suggestions where they can be found."""
        if not campaign.conditions:
            raise UsageError("this campaign has no [[conditions]], so there is no experiment to look at")
        return cls(campaign, people, {(one.sample, one.audience): one for one in given})

    def condition(self, annotator: str, sample: str) -> Condition | None:
        """The condition of the team, or else the one whose turn it was."""
        of_team = self.campaign.condition_of(self.people[annotator].team)
        log = self.logs.get((sample, annotator))
        if of_team or log is None or not isinstance(log.log, dict):
            return of_team
        crossing = (one for one in self.campaign.conditions if not one.teams and one.name == log.log.get("condition"))
        return next(crossing, None)

    def fates(self, annotator: str, sample: str) -> list[Fate]:
        """What became of each suggestion on this person's task."""
        log = self.logs.get((sample, annotator)) or self.logs.get((sample, f"team {self.people[annotator].team}"))
        records = log.log.get("fates", ()) if log is not None and isinstance(log.log, dict) else ()
        return [Fate.from_dict(record) for record in records]

    def groups(self) -> dict[str, list[Condition]]:
        """Conditions that are compared with one another, the control first: the fewest spoilt, then the fewest shown."""
        groups: dict[str, list[Condition]] = {}
        for condition in self.campaign.conditions:
            groups.setdefault(group_of(condition), []).append(condition)
        return {name: sorted(some, key=lambda one: (one.perturbation, one.retention)) for name, some in groups.items()}


def group_of(condition: Condition) -> str:
    """The group of a condition.

    >>> group_of(Condition("half", ("gnocchi",), "1")), group_of(Condition("half"))
    ('1', 'crossed over')
    """
    return condition.group or ("" if condition.teams else CROSSED)


def count_outcomes(analysis: Analysis, arms: Arms) -> dict[Condition, dict[str, Any]]:
    """Counts for each condition, with bounds."""
    reference = {record.sample: record.spans for record in analysis.records}
    counts: dict[Condition, Counter[tuple[str, bool]]] = {}
    for task in analysis.tasks.tasks:
        answer = task.answer
        condition = arms.condition(answer.annotator, answer.sample)
        if condition:
            fates = arms.fates(answer.annotator, answer.sample)
            found = _of_task(fates, answer.spans, reference[answer.sample])
            counts.setdefault(condition, Counter()).update(found)
    return {condition: _rates(found) for condition, found in counts.items()}


def find_injected(analysis: Analysis, arms: Arms) -> list[list[Any]]:
    """Spans of the reference that are spoilt suggestions, and that no manager has confirmed: they want a look."""
    spoilt: dict[str, set[Span]] = {}
    for task in analysis.tasks.tasks:
        for fate in arms.fates(task.answer.annotator, task.answer.sample):
            if fate.name == "perturbed" and fate.shown:
                spoilt.setdefault(task.answer.sample, set()).add(fate.shown)
    return [
        [record.sample, span.start, span.end, span.label]
        for record in analysis.records
        for span in record.spans
        if span in spoilt.get(record.sample, ()) and span.source != "correction"
    ]


def _of_task(fates: Sequence[Fate], said: Sequence[Span], reference: Sequence[Span]) -> Iterable[tuple[str, bool]]:
    """One pair for each thing that could happen, with whether it did."""
    right, marked = set(reference), set(said)
    for fate in fates:
        if fate.name == "dropped" and fate.suggested in right:
            yield "missed", not any(map(fate.suggested.overlaps, said))
        elif fate.name == "perturbed" and fate.shown not in right:
            yield "spoilt kept", fate.shown in marked
        elif fate.name == "kept":
            yield "right kept" if fate.shown in right else "wrong kept", fate.shown in marked
    for span in reference:
        if not any(span.overlaps(fate.suggested) for fate in fates):
            yield "never found", not any(map(span.overlaps, said))


def _rates(found: Counter[tuple[str, bool]]) -> dict[str, Any]:
    rates: dict[str, Any] = {}
    for name in OUTCOMES:
        k, n = found[name, True], found[name, True] + found[name, False]
        rates[name] = {"k": k, "n": n, "rate": k / n if n else None, "ci95": list(clopper_pearson(k, n)) if n else None}
    return rates


@dataclass(frozen=True, slots=True)
class Timed:
    """The duration of one task, with what explains it."""

    annotator: str
    condition: Condition
    seconds: float
    characters: int


def time_tasks(analysis: Analysis, arms: Arms) -> list[Timed]:
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


def group_penalties(found: Iterable[Judged], side: str) -> Sides:
    """Penalties by condition and alignment; alignments without a reference on this side say nothing."""
    sides: Sides = {}
    for condition, one in found:
        penalty = one.penalty_of(side)
        if penalty is not None:
            sides.setdefault(condition, {}).setdefault(id(one.aligned), []).append(float(penalty))
    return sides


def pair_scores(first: Mapping[int, Sequence[float]], second: Mapping[int, Sequence[float]], rule: str) -> list[list[float]]:
    """The mean penalty of each side on the alignments that both did and that the rule allows.

    "even": an even number of annotators, at least two, on each side; "equal": as many on one side as on the other, at least
    two; "any": at least one.

    >>> pair_scores({1: [0, 1], 2: [1]}, {1: [0, 0], 2: [0]}, "even")
    [[0.5], [0.0]]
    """
    if rule not in RULES:
        raise UsageError(f"alignments are taken by even, equal or any numbers of annotators, not {rule!r}")

    def allow(one: int, other: int) -> bool:
        enough = one >= LEAST and other >= LEAST
        return rule == "any" or (enough and (one == other if rule == "equal" else one % 2 == 0 and other % 2 == 0))

    both = [key for key in first if key in second and allow(len(first[key]), len(second[key]))]
    return [[fmean(side[key]) for key in both] for side in (first, second)]


def compare_conditions(
    analysis: Analysis, campaign: Campaign, given: Iterable[Suggestion], rule: str = "even"
) -> dict[str, Any]:
    """Compare the conditions of each group with its control."""
    arms = Arms.of(campaign, analysis.annotators, given)
    timed, found = time_tasks(analysis, arms), judgements_by_condition(analysis, arms)
    groups = {name: _group(some, timed, found, rule) for name, some in arms.groups().items()}
    for condition, counted in count_outcomes(analysis, arms).items():
        groups[group_of(condition)]["conditions"][condition.name]["outcomes"] = counted
    return {
        "rule": rule,
        "groups": groups,
        "meanings": OUTCOMES,
        "injected": find_injected(analysis, arms),
    }


def _group(conditions: Sequence[Condition], timed: Sequence[Timed], found: Sequence[Judged], rule: str) -> dict[str, Any]:
    control, *others = conditions
    if len({condition.name for condition in conditions}) < len(conditions):
        raise UsageError("two conditions of one group have the same name; give each its own")
    timed = [one for one in timed if one.condition in conditions]
    found = [(condition, one) for condition, one in found if condition in conditions]
    applied = rule if control.teams else "any"  # crossed over, a sample has few people of each condition
    return {
        "control": control.name,
        "rule": applied,
        "conditions": {one.name: _describe_condition(one, timed, found) for one in conditions},
        "tests": {one.name: _tests(one, control, timed, found, rule=applied) for one in others},
        "models": _models(conditions, timed, found),
    }


def _describe_condition(condition: Condition, timed: Sequence[Timed], found: Sequence[Judged]) -> dict[str, Any]:
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
        **{side: _mean([value for one in mine if (value := one.penalty_of(side)) is not None]) for side in SIDES},
    }


def _tests(
    condition: Condition, control: Condition, timed: Sequence[Timed], found: Sequence[Judged], *, rule: str
) -> dict[str, Any]:
    """One column of table 4.4. Suggestions are expected to help; spoiling them to harm."""
    tail = "p_greater" if condition.perturbation > control.perturbation else "p_less"
    seconds = [[one.seconds for one in timed if one.condition == which] for which in (condition, control)]
    tests = {"duration": _test_difference(seconds[0], seconds[1], tail)}
    for side in SIDES:
        sides = group_penalties(found, side)
        scores = pair_scores(sides.get(condition, {}), sides.get(control, {}), rule)
        tests[side] = _test_difference(scores[0], scores[1], tail)
    within = [_by_person([one for one in timed if one.condition == which]) for which in (condition, control)]
    both = sorted(within[0].keys() & within[1].keys())
    if len(both) > 1:  # only where conditions are crossed over
        pairs = paired([within[0][who] for who in both], [within[1][who] for who in both])
        tests["duration"]["paired"] = {"people": len(both), **pairs.as_dict()}
    return tests


def _test_difference(first: Sequence[float], second: Sequence[float], tail: str) -> dict[str, Any]:
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
    for side in SIDES:
        values = ((condition, one, one.penalty_of(side)) for condition, one in found)
        rows = [(one.annotator, condition.name, float(value)) for condition, one, value in values if value is not None]
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
