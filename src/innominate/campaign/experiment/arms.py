"""Which condition each task was done under, what the conditions are compared with, and what annotators did with each
suggestion: whether they miss what was taken away, and keep what was spoilt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from innominate.campaign.analysis.analysis import Analysis
from innominate.campaign.planning.config import Campaign, Condition
from innominate.campaign.records import Annotator
from innominate.campaign.store import Suggestion
from innominate.campaign.suggestions.spoil import Fate
from innominate.core import Span, UsageError
from innominate.evaluate.stats import clopper_pearson

CROSSED = "crossed over"  # the group of conditions that name no team and no group


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


# name -> what was counted of what
OUTCOMES = {
    "missed": "identifiers of the reference that were taken from the suggestions, and that the annotator did not mark",
    "never found": "identifiers of the reference that the detector did not find, and that the annotator did not mark",
    "spoilt kept": "perturbed suggestions that were left as they were",
    "wrong kept": "suggestions that the detector got wrong and that were left as they were",
    "right kept": "right suggestions that were left as they were",
}


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
            yield "missed", not _touched(fate.suggested, said)
        elif fate.name == "perturbed" and fate.shown not in right:
            yield "spoilt kept", fate.shown in marked
        elif fate.name == "kept":
            yield "right kept" if fate.shown in right else "wrong kept", fate.shown in marked
    for span in reference:
        if not _touched(span, [fate.suggested for fate in fates]):
            yield "never found", not _touched(span, said)


def _touched(span: Span, others: Iterable[Span]) -> bool:
    return any(span.start < other.end and other.start < span.end for other in others)


def _rates(found: Counter[tuple[str, bool]]) -> dict[str, Any]:
    rates: dict[str, Any] = {}
    for name in OUTCOMES:
        k, n = found[name, True], found[name, True] + found[name, False]
        rates[name] = {"k": k, "n": n, "rate": k / n if n else None, "ci95": list(clopper_pearson(k, n)) if n else None}
    return rates
