"""Feedback for each annotator: what they did, how they rank, where they and others see things differently; and their comments.

The list has every alignment of their samples on which not everybody said the same, or on which they differ from the reference,
the most recent first. It holds words of the notes, as the annotators saw them. What annotators say about the reference becomes
a list for the managers, in the form of corrections that wait. Comments come with answers, or in a file: one JSON object a line
with `annotator`, `sample`, `comment` and, if it is about one place only, `at` as in the report.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from innominate.campaign.analysis.analysis import Analysis
from innominate.campaign.analysis.scoreboard import Entry
from innominate.campaign.records import Annotator, Problem, read_numbered_lines
from innominate.campaign.reference.verdicts import Aligned, Judgement, Segment, count_wrong_categories, judge


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


@dataclass(frozen=True, slots=True)
class Comment:
    """One remark of an annotator on a sample, or on one place of it."""

    annotator: str
    sample: str
    comment: str = field(repr=False)  # it may quote the note
    at: Segment | None = None
    line: int | None = None


def collect_comments(analysis: Analysis) -> list[Comment]:
    """Comments that came with answers."""
    answers = (task.answer for task in analysis.tasks.tasks)
    return [Comment(one.annotator, one.sample, one.comment.strip()) for one in answers if one.comment.strip()]


def read_comments(path: Path) -> tuple[list[Comment], list[Problem]]:
    """Read a file of comments; lines that are none are listed and kept out."""
    found, problems = [], []
    for number, line in read_numbered_lines(path, "the comments"):
        comment = _comment(line, number)
        if comment:
            found.append(comment)
        else:
            reason = "this is not an object with annotator, sample and comment"
            problems.append(Problem(reason, number, "comment", path.name))
    return found, problems


def _comment(line: str, number: int) -> Comment | None:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    match entry:
        case {"annotator": str(who), "sample": str(sample), "comment": str(comment)}:
            match entry.get("at"):
                case None:
                    return Comment(who, sample, comment, None, number)
                case [int(start), int(end)]:
                    return Comment(who, sample, comment, (start, end), number)
    return None


def list_corrections(analysis: Analysis, comments: Iterable[Comment]) -> tuple[list[str], list[Problem]]:
    """One line for each alignment that a comment is about, with the annotator's own unit as the proposal.

    A manager fills in `decision` (keep or drop), or writes another segment and category; then it is a correction. A comment on
    a whole sample stands for every alignment on which not everybody said the same.
    """
    lines, problems = [], []
    for comment in comments:
        about = list(_about(analysis, comment))
        lines += [_line(aligned, comment) for aligned in about]
        if not about:
            what = f"comment of {comment.annotator!r} on sample {comment.sample!r}"
            problems.append(Problem("it is about no alignment on which anybody disagrees", comment.line, what))
    return lines, problems


def _about(analysis: Analysis, comment: Comment) -> Iterator[Aligned]:
    record = analysis.record_of(comment.sample)
    for aligned in record.aligned if record else ():
        limits = {(int(unit.start), int(unit.end)) for unit in aligned.units.values()} | {aligned.place}
        if comment.at in limits or (comment.at is None and not aligned.unanimous):
            yield aligned


def _line(aligned: Aligned, comment: Comment) -> str:
    unit = aligned.units.get(comment.annotator)
    some = next(iter(aligned.units.values()))
    entry = {
        "decision": "",
        "sample": aligned.sample,
        "at": [int(some.start), int(some.end), some.label],
        "segment": [int(unit.start), int(unit.end)] if unit else None,
        "category": unit.label if unit else None,
        "otherwise": [*aligned.segment.value, aligned.category.value] if aligned.span and aligned.segment.value else None,
        "annotator": comment.annotator,
        "comment": comment.comment,
        "by": "",
        "reason": "",
    }
    return json.dumps(entry, ensure_ascii=False)
