"""What annotators say about the reference becomes a list for the managers, in the form of corrections that wait.

Comments come with answers, or in a file: one JSON object a line with `annotator`, `sample`, `comment` and, if it is about one
place only, `at` as in the report.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from innominate.campaign.analysis.analysis import Analysis
from innominate.campaign.records import Problem, read_numbered_lines
from innominate.campaign.reference.verdicts import Aligned, Segment


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
