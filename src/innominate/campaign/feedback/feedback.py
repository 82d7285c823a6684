"""Feedback for each annotator: what they did, how they rank, and where they and others see things differently.

The list has every alignment of their samples on which not everybody said the same, or on which they differ from the reference,
the most recent first. It holds words of the notes, as the annotators saw them. The plain text has the form of Loftsson 2022,
figures 3.5 and 3.6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from innominate.campaign.analysis.analysis import Analysis
from innominate.campaign.analysis.scoreboard import WEIGHTS, Entry
from innominate.campaign.records import Annotator
from innominate.campaign.reference.judgements import Judgement, count_wrong_categories, judge
from innominate.campaign.reference.verdicts import Aligned, Verdict


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
    return [
        Feedback(
            analysis.annotators[entry.name],
            made,
            entry,
            _most_first(count_wrong_categories(by_person.get(entry.name, []))),
            tuple(sorted(items.get(entry.name, []), key=_recent_first)),
        )
        for entry in analysis.board.individuals
    ]


def _recent_first(item: Item) -> tuple[float, str, tuple[int, int]]:
    return -item.at, item.aligned.sample, item.aligned.place


def _most_first(counts: Mapping[str | None, int]) -> dict[str | None, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], str(item[0]))))


RIGHT, WRONG = "✓", "✗"
NAMES = {
    "tasks": "Number of tasks",
    "annotations": "Number of annotations",
    "tasks_per_minute": "Tasks per minute",
    "quality": "Quality index",
}
Show = Callable[[Any], str]  # a value of a vote, as a reader sees it


def write_feedback(feedback: Feedback, labels: Mapping[str, str] | None = None, *, words: bool = True) -> str:
    """The whole report. `labels` are longer names; without `words` it has positions and nothing of the notes."""
    names = labels or {}
    blocks = [write_header(feedback), write_distribution(feedback, names)]
    blocks += [write_item(item, names, words=words) for item in feedback.items]
    return "\n\n".join(blocks) + "\n"


def write_header(feedback: Feedback) -> str:
    """Who, how much, how well, and the ranks."""
    entry, work = feedback.entry, feedback.entry.work
    pace, quality = work.tasks_per_minute, work.quality.index
    ranks = [f"[{weight:.0%}] {NAMES[factor]}: {entry.ranks[factor]}/{entry.of}" for factor, weight in WEIGHTS.items()]
    lines = [
        "Annotation Contest Feedback",
        "Auto-Generated Report",
        f"{feedback.made:%d.%m.%Y %H:%M:%S}",
        "",
        f"Annotator: {feedback.annotator.id}",
        f"Team: {feedback.annotator.team}",
        "",
        f"Number of tasks: {work.tasks}",
        f"Tasks per minute: {'–' if pace is None else f'{pace:.1f}'}",
        f"Quality index: {'–' if quality is None else f'{quality:.1%}'}",
        "",
        "Rank",
        "-----",
        *ranks,
        "-----",
        f"Total rank: {entry.total_rank}/{entry.of}",
        "",
        f"Number of disagreements: {work.quality.disagreements}",
    ]
    return "\n".join(lines)


def write_distribution(feedback: Feedback, labels: Mapping[str, str]) -> str:
    """How often each category was not the reference's."""
    counts = [f"{'None' if label is None else labels.get(label, label)}: {n}" for label, n in feedback.distribution.items()]
    lines = [
        "~ Category Disagreement Distribution ~",
        "",
        "How often the reference has another category than the one you gave.",
        '"None" counts what the reference has and you did not mark.',
        "",
        *(counts or ["no category disagreement"]),
        "",
        "Disagreements, most recent first. Tell the managers where you think that the reference is wrong.",
    ]
    return "\n".join(lines)


def write_item(item: Item, labels: Mapping[str, str] | None = None, *, words: bool = True) -> str:
    """One alignment: the reference, the votes and one's own, for the text and for the category."""
    aligned, who = item.aligned, item.judgement.annotator
    segment, label = aligned.own(who)
    quote = quote_segments(item.text) if words else show_positions
    called: Show = lambda value: "None" if value is None else (labels or {}).get(value, value)  # noqa: E731
    lines = [
        f"Text span: {quote(aligned.place)}",
        "~~~~~ TEXT ~~~~~",
        *_write_side(aligned.segment, segment, who, quote),
        "~~~~~ CATEGORY ~~~~~",
        *_write_side(aligned.category, label, who, called),
    ]
    return "\n".join(lines)


def quote_segments(text: str) -> Show:
    """Segments as the words they hold.

    >>> quote_segments("à 12h")((2, 5)), quote_segments("à 12h")(None)
    ('«12h»', 'None')
    """
    return lambda value: "None" if value is None else f"«{' '.join(text[slice(*value)].split())}»"


def show_positions(value: Any) -> str:
    """Segments as positions, for reports that must not hold words of notes."""
    return "None" if value is None else f"{value[0]}–{value[1]}"


def order_votes(verdict: Verdict[Any]) -> list[tuple[Any, int]]:
    """The values of a vote: most votes first; of equals the reference, then None, then by place."""

    def rank(value: Any) -> tuple[float, bool, bool, str]:
        reference = verdict.known and value == verdict.value
        return -verdict.vote.counts[value], not reference, value is not None, str(value)

    return [(value, int(verdict.vote.counts[value])) for value in sorted(verdict.vote.counts, key=rank)]


def mark_value(verdict: Verdict[Any], value: Any) -> str:
    """A tick, a cross, or nothing where there is no reference."""
    return (RIGHT if value == verdict.value else WRONG) if verdict.known else ""


def _write_side(verdict: Verdict[Any], own: Any, who: str, show: Show) -> list[str]:
    total = int(verdict.vote.total)
    votes = [
        f"({count}/{total}): {show(value)} {mark_value(verdict, value)}".rstrip() for value, count in order_votes(verdict)
    ]
    reference = f"Reference: {show(verdict.value)} {RIGHT}" if verdict.known else "No reference available"
    return [reference, " ".join(votes), f"{who}: {show(own)} {mark_value(verdict, own)}".rstrip()]
