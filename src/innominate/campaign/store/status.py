"""Where a campaign stands: numbers counted by the database, by person, by team, and towards the common goal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from innominate.campaign.planning.config import Campaign
from innominate.campaign.records import Annotator
from innominate.campaign.store.database import Transaction


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """What one person has done."""

    annotator: str
    accepted: int
    rejected: int
    ignored: int
    at_work: int  # tasks that are lent to them now
    last: float  # when their last answer was given, or came


@dataclass(frozen=True, slots=True)
class Summary:
    """Everything that is counted, without training."""

    documents: int
    chunks: int
    by_annotators: dict[int, int]  # how many chunks were accepted by 0, 1, 2, ... people
    work: tuple[AnswerCounts, ...]
    training: int  # chunks for training
    trained: dict[str, int]  # how many of them each person has done
    kept_out: dict[str, int]  # answers that are in the event log only: late, conflict


def count_work(transaction: Transaction, now: float) -> Summary:
    """Count."""
    chunks = transaction.count("SELECT count(*) FROM chunks WHERE training = 0")
    counts = transaction.rows(
        "SELECT n, count(*) FROM (SELECT count(*) AS n FROM work w JOIN chunks c ON c.number = w.chunk "
        "WHERE c.training = 0 AND w.state = 'accept' GROUP BY w.chunk) AS counted GROUP BY n ORDER BY n"
    )
    by_annotators = {int(people): int(number) for people, number in counts}
    kept_out = transaction.rows("SELECT kind, count(*) FROM events WHERE kind IN ('late', 'conflict') GROUP BY kind")
    trained = transaction.rows(
        "SELECT w.annotator, count(*) FROM work w JOIN chunks c ON c.number = w.chunk "
        "WHERE c.training = 1 AND w.state <> 'leased' GROUP BY w.annotator"
    )
    return Summary(
        transaction.count("SELECT count(*) FROM documents"),
        chunks,
        {0: chunks - sum(by_annotators.values()), **by_annotators},
        _work(transaction, now),
        transaction.count("SELECT count(*) FROM chunks WHERE training = 1"),
        {str(annotator): int(number) for annotator, number in trained},
        {str(kind): int(number) for kind, number in kept_out},
    )


def _work(transaction: Transaction, now: float) -> tuple[AnswerCounts, ...]:
    rows = transaction.rows(
        "SELECT a.id, count(CASE WHEN w.state = 'accept' THEN 1 END), count(CASE WHEN w.state = 'reject' THEN 1 END), "
        "count(CASE WHEN w.state = 'ignore' THEN 1 END), count(CASE WHEN w.state = 'leased' AND w.until > :now THEN 1 END), "
        "(SELECT max(CASE WHEN n.at > 0 THEN n.at ELSE n.received END) FROM answers n WHERE n.annotator = a.id) "
        "FROM annotators a LEFT JOIN (SELECT w.* FROM work w JOIN chunks c ON c.number = w.chunk WHERE c.training = 0) AS w "
        "ON w.annotator = a.id GROUP BY a.id ORDER BY a.id",
        now=now,
    )
    return tuple(
        AnswerCounts(id, int(accepted), int(rejected), int(ignored), int(at_work), float(last or 0))
        for id, accepted, rejected, ignored, at_work, last in rows
    )


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
            "total": _describe_progress(self.total),
            "teams": [_describe_progress(team) for team in self.teams],
            "annotators": [
                {**_describe_progress(one.progress), "team": one.team, "trained": one.trained, **asdict(one.work)}
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


def _describe_progress(progress: GoalProgress) -> dict[str, Any]:
    return {"name": progress.name, "tasks": progress.tasks, "goal": progress.goal, "share": progress.share}
