"""Feedback for each annotator: what they did, how they rank, and where they and others see things differently.

The list has every alignment of their samples on which not everybody said the same, or on which they differ from the reference,
the most recent first. It holds words of the notes, as the annotators saw them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from innominate.campaign.analysis.analysis import Analysis
from innominate.campaign.analysis.scoreboard import Entry
from innominate.campaign.records import Annotator
from innominate.campaign.reference.judgements import Judgement, count_wrong_categories, judge
from innominate.campaign.reference.verdicts import Aligned


@dataclass(frozen=True, slots=True)
class Item:
    """One alignment in somebody's report, with the text of its sample and when they answered."""

    judgement: Judgement
    text: str = field(repr=False)
    at: float = 0.0

    @property
    def aligned(self) -> Aligned:
        """The alignment."""
        return self.judgement.aligned


@dataclass(frozen=True, slots=True)
class Feedback:
    """One person's report."""

    annotator: Annotator
    made: datetime
    entry: Entry
    distribution: Mapping[str | None, int]
    items: tuple[Item, ...]


def make_feedback(analysis: Analysis, made: datetime) -> list[Feedback]:
    """A report for everybody who has done a task, in the order of the scoreboard."""
    items: dict[str, list[Item]] = {}
    times = {(task.answer.annotator, task.answer.sample): task.answer.at for task in analysis.tasks.tasks}
    for record in analysis.records:
        for aligned in record.aligned:
            for who in aligned.annotators:
                one = judge(who, aligned)
                if (aligned.judged and one.penalty) or not aligned.unanimous:
                    item = Item(one, analysis.samples[aligned.sample].text, times[who, aligned.sample])
                    items.setdefault(who, []).append(item)
    by_person: dict[str, list[Judgement]] = {}
    for one in analysis.judgements:
        by_person.setdefault(one.annotator, []).append(one)
    reports = []
    for entry in analysis.board.individuals:
        wrong = count_wrong_categories(by_person.get(entry.name, []))
        most_first = dict(sorted(wrong.items(), key=lambda item: (-item[1], str(item[0]))))
        recent_first = sorted(items.get(entry.name, []), key=lambda one: (-one.at, one.aligned.sample, one.aligned.place))
        reports.append(Feedback(analysis.annotators[entry.name], made, entry, most_first, tuple(recent_first)))
    return reports
