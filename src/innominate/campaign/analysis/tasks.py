"""From raw answers to tasks: who gave them, which count, how long they took (Loftsson 2022, section 3.2.2, steps 1 to 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from innominate.campaign.records import Annotator, Answer, Problem, Sample

BREAK = 300.0  # seconds


@dataclass(frozen=True, slots=True)
class AnnotationTask:
    """The last word of one annotator on one sample, and how long the first took; None if that is not known."""

    answer: Answer
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Tasks:
    """The tasks that count, and what became of all other answers."""

    tasks: tuple[AnnotationTask, ...]
    problems: tuple[Problem, ...]
    dropped: Mapping[str, int]  # rejected, ignored, duplicate, training -> how many answers

    @property
    def unknown_durations(self) -> int:
        """Tasks whose duration is not known: the first of each person, and those with a break before them."""
        return sum(task.seconds is None for task in self.tasks)


def select_tasks(
    answers: Iterable[Answer],
    samples: Mapping[str, Sample],
    annotators: Mapping[str, Annotator],
    longest: float = BREAK,
) -> Tasks:
    """Check, discard, time and deduplicate.

    >>> sample, eva = Sample("n1", "n", 0, 5, "Eva B"), Annotator("eva", "gnocchi")
    >>> found = select_tasks([Answer("1", "n1", "eva"), Answer("2", "n1", "ola")], {"n1": sample}, {"eva": eva})
    >>> len(found.tasks), [str(problem) for problem in found.problems]
    (1, ["answer '2': annotator 'ola' is not registered"])
    """
    known, problems = _check_answers(answers, samples, annotators)
    seconds = measure_durations(known, longest)
    dropped: Counter[str] = Counter()
    words: dict[tuple[str, str], list[Answer]] = {}
    for answer in known:
        if samples[answer.sample].training:
            dropped["training"] += 1
        else:
            words.setdefault((answer.annotator, answer.sample), []).append(answer)
    tasks = []
    for said in words.values():
        said.sort(key=lambda answer: (answer.revision, answer.at, answer.id))
        dropped["duplicate"] += len(said) - 1
        last = said[-1]
        if last.decision == "accept":
            first = min(said, key=lambda answer: (answer.at, answer.revision, answer.id))
            tasks.append(AnnotationTask(last, seconds[first.id]))
        else:
            dropped["rejected" if last.decision == "reject" else "ignored"] += 1
    tasks.sort(key=lambda task: (task.answer.at, task.answer.id))
    return Tasks(tuple(tasks), tuple(problems), dict(dropped))


def measure_durations(answers: Iterable[Answer], longest: float = BREAK) -> dict[str, float | None]:
    """Seconds for each answer, by its id, from the times at which answers were given; None where they cannot be known.

    The clock of a person runs from one answer to the next, whatever the answer was: an ignored task took time too, which must
    not be charged to the one after it. The first answer has no beginning, and a longer gap was a break.

    >>> times = [Answer("1", "n1", "eva", at=100), Answer("2", "n2", "eva", at=107), Answer("3", "n3", "eva", at=999)]
    >>> measure_durations(times)
    {'1': None, '2': 7, '3': None}
    """
    last: dict[str, float] = {}
    found: dict[str, float | None] = {}
    for answer in sorted(answers, key=lambda one: (one.at, one.revision, one.id)):
        before = last.get(answer.annotator)
        gap = answer.at - before if before is not None else None
        found[answer.id] = gap if gap is not None and gap <= longest else None
        last[answer.annotator] = answer.at
    return found


def _check_answers(
    answers: Iterable[Answer], samples: Mapping[str, Sample], annotators: Mapping[str, Annotator]
) -> tuple[list[Answer], list[Problem]]:
    known: list[Answer] = []
    problems: list[Problem] = []
    ids: set[str] = set()
    for answer in answers:
        reason = "its id has been used before" if answer.id in ids else _fault(answer, samples, annotators)
        if reason:
            problems.append(Problem(reason, what=f"answer {answer.id!r}"))
        else:
            ids.add(answer.id)
            known.append(answer)
    return known, problems


def _fault(answer: Answer, samples: Mapping[str, Sample], annotators: Mapping[str, Annotator]) -> str:
    """What is wrong with an answer, if anything is. No word of the text is in it."""
    person, sample = annotators.get(answer.annotator), samples.get(answer.sample)
    if person is None:
        return f"annotator {answer.annotator!r} is not registered"
    team = answer.meta.get("team")
    if team is not None and team != person.team:
        return f"annotator {answer.annotator!r} is registered in team {person.team!r}, not {team!r}"
    if sample is None:
        return f"sample {answer.sample!r} is not part of the campaign"
    outside = [span for span in answer.spans if span.end > len(sample.text)]
    if outside:
        return f"a span ends at {outside[0].end}, after the {len(sample.text)} characters of sample {answer.sample!r}"
    return ""
