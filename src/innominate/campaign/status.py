"""Where a campaign stands: by person, by team, and towards the common goal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from innominate.campaign.planning.config import Campaign
from innominate.campaign.records import Annotator
from innominate.campaign.store.summary import AnswerCounts, Summary


@dataclass(frozen=True, slots=True)
class GoalProgress:
    """Tasks that count (accepted, and no training) and the goal for them; 0: no goal."""

    name: str
    tasks: int
    goal: int

    @property
    def share(self) -> float | None:
        """How much of the goal is reached.

        >>> GoalProgress("eva", 500, 2000).share
        0.25
        """
        return self.tasks / self.goal if self.goal else None


@dataclass(frozen=True, slots=True)
class AnnotatorStatus:
    """One annotator's progress and what else they did."""

    progress: GoalProgress
    team: str
    work: AnswerCounts
    trained: int


@dataclass(frozen=True, slots=True)
class Status:
    """One screen about a campaign."""

    campaign: Campaign
    guidelines: int
    summary: Summary
    people: tuple[AnnotatorStatus, ...]
    teams: tuple[GoalProgress, ...]
    total: GoalProgress
    finished: int  # chunks with as many annotators as wanted

    def as_json(self) -> dict[str, Any]:
        """The numbers as plain values."""
        return {
            "campaign": self.campaign.name,
            "taxonomy": self.campaign.taxonomy,
            "guidelines": self.guidelines,
            "documents": self.summary.documents,
            "chunks": self.summary.chunks,
            "annotators_per_chunk": self.campaign.annotators_per_chunk,
            "finished_chunks": self.finished,
            "chunks_by_annotators": self.summary.by_annotators,
            "training_chunks": self.summary.training,
            "kept_out": self.summary.kept_out,
            "total": _progress(self.total),
            "teams": [_progress(team) for team in self.teams],
            "annotators": [
                {**_progress(one.progress), "team": one.team, "trained": one.trained, **asdict(one.work)}
                for one in self.people
            ],
        }


def summarise_status(campaign: Campaign, guidelines: int, annotators: Iterable[Annotator], summary: Summary) -> Status:
    """Put the numbers together."""
    work = {one.annotator: one for one in summary.work}
    people = tuple(
        AnnotatorStatus(
            GoalProgress(person.id, work[person.id].accepted, person.goal or campaign.goal),
            person.team,
            work[person.id],
            summary.trained.get(person.id, 0),
        )
        for person in annotators
    )
    teams = sorted({person.team for person in people})
    wanted = campaign.annotators_per_chunk or len(people)
    return Status(
        campaign,
        guidelines,
        summary,
        people,
        tuple(_sum(team, (person.progress for person in people if person.team == team)) for team in teams),
        _sum("all", (person.progress for person in people)),
        sum(number for count, number in summary.by_annotators.items() if count >= wanted),
    )


def _sum(name: str, progress: Iterable[GoalProgress]) -> GoalProgress:
    listed = list(progress)
    return GoalProgress(name, sum(one.tasks for one in listed), sum(one.goal for one in listed))


def _progress(progress: GoalProgress) -> dict[str, Any]:
    return {"name": progress.name, "tasks": progress.tasks, "goal": progress.goal, "share": progress.share}
