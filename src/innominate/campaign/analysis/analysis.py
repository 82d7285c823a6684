"""The analysis of a campaign in eight steps (Loftsson 2022, section 3.2.2), from answers to a reference with known quality.

What `analyse`, `reference` and `feedback` begin with is the analysis of a store, with the corrections of managers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast, get_args

from innominate.campaign.agreement.alignment import Continuum
from innominate.campaign.agreement.gamma import Parameters
from innominate.campaign.agreement.many import compute_gammas
from innominate.campaign.agreement.pairs import PairAgreement, pairwise_agreement
from innominate.campaign.analysis.scoreboard import Scoreboard, make_scoreboard
from innominate.campaign.analysis.tasks import BREAK, AnnotationTask, Tasks, select_tasks
from innominate.campaign.planning.config import Campaign
from innominate.campaign.records import Annotator, Answer, Problem, Sample
from innominate.campaign.reference.decisions import Correction, Pending, apply_corrections, queue_decisions, read_corrections
from innominate.campaign.reference.verdicts import Judgement, Record, judge_records, vote_on_sample
from innominate.campaign.reference.weighted_votes import Scheme, weigh_votes
from innominate.campaign.store import Store
from innominate.core import Span, UsageError
from innominate.labels import taxonomy

Progress = Callable[[str, int, int], None]  # step, done, of


@dataclass(frozen=True, slots=True)
class AnalysisChoices:
    """How to analyse. `groups` (label -> group) matter only if `gamma.within` is not 1."""

    gamma: Parameters = field(default_factory=Parameters)
    pooled: Parameters = field(default_factory=lambda: Parameters(precision=0.02))
    longest: float = BREAK
    votes: Scheme = "equal"
    goal: int = 0  # tasks per annotator
    groups: Mapping[str, str] = field(default_factory=dict)
    workers: int = 1


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything that follows from the answers, as values."""

    samples: Mapping[str, Sample] = field(repr=False)
    annotators: Mapping[str, Annotator]
    choices: AnalysisChoices
    tasks: Tasks
    records: tuple[Record, ...]
    judgements: tuple[Judgement, ...]
    pairs: tuple[PairAgreement, ...]
    board: Scoreboard
    pending: tuple[Pending, ...]
    problems: tuple[Problem, ...]

    def record_of(self, sample: str) -> Record | None:
        """The record of one sample."""
        return next((record for record in self.records if record.sample == sample), None)


def analyse(
    samples: Iterable[Sample],
    annotators: Iterable[Annotator],
    answers: Iterable[Answer],
    corrections: Sequence[Correction] = (),
    *,
    choices: AnalysisChoices | None = None,
    progress: Progress | None = None,
    memory: Store | None = None,
) -> Analysis:
    """Run the eight steps. Agreement takes nearly all the time; with a `memory`, a store, it is worked out only once.

    >>> eva, ola = Annotator("eva", "gnocchi"), Annotator("ola", "farfalle")
    >>> said = (Span(7, 9, "ROOM"),)
    >>> both = [Answer("1", "n1", "eva", said, at=10), Answer("2", "n1", "ola", said, at=20)]
    >>> found = analyse([Sample("n1", "n", 0, 9, "chambre 12")], [eva, ola], both)
    >>> found.records[0].agreement, found.records[0].spans[0].label
    (1.0, 'ROOM')
    """
    how = choices or AnalysisChoices()
    texts, people = {sample.id: sample for sample in samples}, {person.id: person for person in annotators}
    tasks = select_tasks(answers, texts, people, how.longest)
    marked = group_by_sample(tasks.tasks)
    records = align_samples(marked, how, progress, memory)
    records, chances = weigh_votes(records, how.votes)
    records, faults = apply_corrections(records, corrections)
    judged = judge_records(records)
    lengths = {id: len(sample.text) for id, sample in texts.items()}
    step = _step(progress, "pairs")
    pairs = pairwise_agreement(marked, lengths, how.pooled, how.groups, workers=how.workers, progress=step, memory=memory)
    return Analysis(
        texts,
        people,
        how,
        tasks,
        tuple(records),
        tuple(judged),
        tuple(pairs),
        make_scoreboard(people.values(), tasks.tasks, judged, how.goal),
        tuple(queue_decisions(records, texts, chances)),
        (*tasks.problems, *faults),
    )


def group_by_sample(tasks: Iterable[AnnotationTask]) -> dict[str, dict[str, Sequence[Span]]]:
    """What each annotator of each sample marked, those included who marked nothing."""
    marked: dict[str, dict[str, Sequence[Span]]] = {}
    for task in tasks:
        marked.setdefault(task.answer.sample, {})[task.answer.annotator] = task.answer.spans
    return dict(sorted(marked.items()))


def align_samples(
    marked: Mapping[str, Mapping[str, Sequence[Span]]],
    choices: AnalysisChoices,
    progress: Progress | None = None,
    memory: Store | None = None,
) -> list[Record]:
    """Gamma and the best alignment where there are several annotators and a unit; all others are kept apart."""
    continuums = {id: Continuum.of(spans) for id, spans in marked.items()}
    several = {id: one for id, one in continuums.items() if one.size and len(one.annotators) > 1}
    step = _step(progress, "samples")
    values = compute_gammas(several, choices.gamma, choices.groups, workers=choices.workers, progress=step, memory=memory)
    return [vote_on_sample(id, continuum, values.get(id)) for id, continuum in continuums.items()]


def _step(progress: Progress | None, name: str) -> Callable[[int, int], None] | None:
    return (lambda done, of: progress(name, done, of)) if progress else None


@dataclass(frozen=True, slots=True)
class Analysed:
    """An analysis, with the campaign and everything that was kept out."""

    campaign: Campaign
    analysis: Analysis
    problems: tuple[Problem, ...]

    @property
    def labels(self) -> dict[str, str]:
        """Labels with their category before them, as annotators know them."""
        known = taxonomy(self.campaign.taxonomy).labels.values()
        return {label.name: f"{label.category}:{label.name}" for label in known if label.category != label.name}


def analyse_store(
    store: Store,
    corrections: Iterable[Path] = (),
    *,
    votes: str = "equal",
    workers: int | None = None,
    parameters: Parameters | None = None,
    longest: float = BREAK,
    progress: Progress | None = None,
) -> Analysed:
    """Read a store and analyse it, with the corrections of managers; `workers` are as many as there are cores unless given.

    The store remembers what takes long, so a second command does not work it out again.
    """
    if votes not in get_args(Scheme):
        raise UsageError(f"--votes is one of {', '.join(get_args(Scheme))}, not {votes!r}")
    campaign, samples = store.campaign(), store.samples(training=None)
    labels, by_id = taxonomy(campaign.taxonomy).labels, {sample.id: sample for sample in samples}
    read = [read_corrections(path, by_id, labels) for path in corrections]
    gamma = parameters or Parameters()
    choices = AnalysisChoices(
        gamma=gamma,
        pooled=replace(gamma, precision=0.02),
        longest=longest,
        votes=cast(Scheme, votes),
        goal=campaign.goal,
        groups={name: label.category for name, label in labels.items()},
        workers=workers or os.cpu_count() or 1,
    )
    analysis = analyse(
        samples,
        store.annotators(),
        store.answers(latest=False, training=None),
        [correction for given, _ in read for correction in given],
        choices=choices,
        progress=progress,
        memory=store,
    )
    return Analysed(campaign, analysis, (*(fault for _, faults in read for fault in faults), *analysis.problems))
