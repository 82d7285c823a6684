"""The analysis of a store, with the corrections of managers: what `analyse`, `reference` and `feedback` begin with."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from innominate.campaign.agreement.gamma import Parameters
from innominate.campaign.analysis.analysis import Analysis, AnalysisChoices, Progress, analyse
from innominate.campaign.planning.config import Campaign
from innominate.campaign.problems import Problem
from innominate.campaign.records import Sample
from innominate.campaign.reference.corrections import Correction, read_corrections
from innominate.campaign.reference.weighted_votes import Scheme
from innominate.campaign.store import Store
from innominate.core import UsageError
from innominate.labels import taxonomy


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of an analysis; what is None is as usual."""

    corrections: Sequence[Path] = ()
    votes: str = "equal"
    workers: int | None = None
    parameters: Parameters | None = None
    longest: float | None = None  # seconds; a longer task was a break


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


def analyse_store(store: Store, asked: Asked, progress: Progress | None = None) -> Analysed:
    """Read a store and analyse it. The store remembers what takes long, so a second command does not work it out again."""
    campaign, people = store.campaign(), store.annotators()
    samples, answers = store.samples(training=None), store.answers(latest=False, training=None)
    labels = taxonomy(campaign.taxonomy).labels
    given, faults = _read(asked.corrections, {sample.id: sample for sample in samples}, labels)
    parameters = asked.parameters or Parameters()
    choices = AnalysisChoices(
        gamma=parameters,
        pooled=replace(parameters, precision=0.02),
        votes=_scheme(asked.votes),
        goal=campaign.goal,
        groups={name: label.category for name, label in labels.items()},
        workers=asked.workers or os.cpu_count() or 1,
    )
    choices = replace(choices, longest=asked.longest) if asked.longest is not None else choices
    analysis = analyse(samples, people, answers, given, choices=choices, progress=progress, memory=store)
    return Analysed(campaign, analysis, (*faults, *analysis.problems))


def _read(
    paths: Sequence[Path], samples: Mapping[str, Sample], labels: Iterable[str]
) -> tuple[list[Correction], list[Problem]]:
    """The corrections of all files, and what is wrong with them."""
    given: list[Correction] = []
    faults: list[Problem] = []
    for path in paths:
        found, wrong = read_corrections(path, samples, labels)
        given += found
        faults += wrong
    return given, faults


def _scheme(votes: str) -> Scheme:
    schemes: dict[str, Scheme] = {"equal": "equal", "index": "index", "dawid-skene": "dawid-skene"}
    if votes not in schemes:
        raise UsageError(f"--votes is one of {', '.join(schemes)}, not {votes!r}")
    return schemes[votes]
