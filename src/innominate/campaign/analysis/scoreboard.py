"""The scoreboard: individuals and teams, ranked by tasks, annotations, throughput and quality (Loftsson 2022, section 3.2.3).

Each of the four gives a rank; the total rank orders their weighted sum, 20, 20, 20 and 40 %. Annotations that the reference
contradicts do not count, or the score would pay for marking everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from innominate.campaign.analysis.tasks import AnnotationTask
from innominate.campaign.records import Annotator
from innominate.campaign.reference.verdicts import Judgement, Quality, count_contradicted, measure_qualities

WEIGHTS = {"tasks": 0.2, "annotations": 0.2, "tasks_per_minute": 0.2, "quality": 0.4}


@dataclass(frozen=True, slots=True)
class Work:
    """What somebody, or a team, has done."""

    tasks: int = 0
    marked: int = 0  # spans, all of them
    contradicted: int = 0  # spans that the reference contradicts
    timed: int = 0  # tasks whose duration is known
    seconds: float = 0.0  # of these
    quality: Quality = field(default_factory=Quality)
    members: int = 1

    def __add__(self, other: Work) -> Work:
        return Work(*(getattr(self, name) + getattr(other, name) for name in Work.__slots__))

    @property
    def annotations(self) -> int:
        """Spans that count."""
        return self.marked - self.contradicted

    @property
    def tasks_per_minute(self) -> float | None:
        """Throughput, from the tasks whose duration is known.

        >>> Work(tasks=9, timed=8, seconds=120).tasks_per_minute
        4.0
        """
        return 60 * self.timed / self.seconds if self.seconds else None


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the scoreboard. Ranks are among all lines that have done something."""

    name: str
    team: str
    work: Work
    ranks: Mapping[str, int]
    points: float  # weighted sum of the ranks; less is better
    total_rank: int
    of: int

    def as_dict(self) -> dict[str, Any]:
        """For the result file."""
        work = self.work
        return {
            "total_rank": self.total_rank,
            "of": self.of,
            "name": self.name,
            "team": self.team,
            "members": work.members,
            "tasks": work.tasks,
            "annotations": work.annotations,
            "marked": work.marked,
            "tasks_per_minute": work.tasks_per_minute,
            "quality": work.quality.index,
            "segmentation": work.quality.segmentation,
            "categorisation": work.quality.categorisation,
            "disagreements": work.quality.disagreements,
            "ranks": dict(self.ranks),
            "points": self.points,
        }


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """Both tables, and how far everybody together has come."""

    individuals: tuple[Entry, ...]
    teams: tuple[Entry, ...]
    done: int
    goal: int  # of all together; 0: none was set

    @property
    def progress(self) -> float | None:
        """The share of the goal that is reached; it may exceed 1."""
        return self.done / self.goal if self.goal else None

    def of(self, name: str) -> Entry | None:
        """The line of one person."""
        return next((entry for entry in self.individuals if entry.name == name), None)

    def as_dict(self) -> dict[str, Any]:
        """For the result file and the page."""
        return {
            "weights": WEIGHTS,
            "goal": {"tasks": self.done, "of": self.goal, "progress": self.progress},
            "individuals": [entry.as_dict() for entry in self.individuals],
            "teams": [entry.as_dict() for entry in self.teams],
        }


def make_scoreboard(
    annotators: Iterable[Annotator], tasks: Iterable[AnnotationTask], judged: Sequence[Judgement], goal: int = 0
) -> Scoreboard:
    """Rank everybody who has done a task. `goal` is the campaign's, for annotators without one of their own."""
    people = {person.id: person for person in annotators}
    works = sum_work(tasks, judged)
    teams: dict[str, Work] = {}
    for name, work in works.items():
        team = people[name].team
        teams[team] = teams[team] + work if team in teams else work
    return Scoreboard(
        rank_work({name: (people[name].team, work) for name, work in works.items()}),
        rank_work({team: (team, work) for team, work in teams.items()}),
        sum(work.tasks for work in works.values()),
        sum(person.goal or goal for person in people.values()),
    )


def sum_work(tasks: Iterable[AnnotationTask], judged: Sequence[Judgement]) -> dict[str, Work]:
    """What every annotator has done."""
    wrong, quality = count_contradicted(judged), measure_qualities(judged)
    works: dict[str, Work] = {}
    for task in tasks:
        known = task.seconds is not None
        this = Work(1, len(set(task.answer.spans)), 0, int(known), task.seconds or 0.0, members=0)
        works[task.answer.annotator] = works.get(task.answer.annotator, Work()) + this
    return {
        name: work + Work(contradicted=wrong[name], quality=quality.get(name, Quality()), members=0)
        for name, work in sorted(works.items())
    }


def rank_work(works: Mapping[str, tuple[str, Work]]) -> tuple[Entry, ...]:
    """Order by the weighted sum of ranks. A team is ranked by what its members did on average: teams differ in size.

    >>> [entry.name for entry in rank_work({"eva": ("a", Work(9)), "ola": ("a", Work(12))})]
    ['ola', 'eva']
    """
    values = {name: _values(work) for name, (_, work) in works.items()}
    ranks: dict[str, dict[str, int]] = {name: {} for name in works}
    for factor in WEIGHTS:
        for name in works:
            ranks[name][factor] = 1 + sum(other[factor] > values[name][factor] for other in values.values())
    points = {name: sum(WEIGHTS[factor] * rank for factor, rank in of.items()) for name, of in ranks.items()}
    rounded = {name: round(value, 9) for name, value in points.items()}
    total = {name: 1 + sum(other < rounded[name] for other in rounded.values()) for name in works}
    entries = [
        Entry(name, team, work, ranks[name], rounded[name], total[name], len(works)) for name, (team, work) in works.items()
    ]
    return tuple(sorted(entries, key=lambda entry: (entry.points, -(entry.work.quality.index or 0.0), entry.name)))


def _values(work: Work) -> dict[str, float]:
    return {
        "tasks": work.tasks / work.members,
        "annotations": work.annotations / work.members,
        "tasks_per_minute": work.tasks_per_minute or 0.0,
        "quality": work.quality.index or 0.0,
    }
