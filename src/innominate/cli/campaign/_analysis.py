"""What `analyse`, `reference` and `feedback` have in common: the analysis of a store, and its options."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from innominate.campaign.analysis import Analysis, Choices, analyse
from innominate.campaign.analysis_tasks import Problem
from innominate.campaign.config import Campaign
from innominate.campaign.corrections import Correction, read_corrections
from innominate.campaign.gamma import Parameters
from innominate.campaign.records import Sample
from innominate.campaign.store import open_store
from innominate.campaign.votes_weighted import Scheme
from innominate.cli.console import stderr
from innominate.core import UsageError
from innominate.labels import taxonomy

MOST_SHOWN = 10  # problems on the screen

Corrections = Annotated[
    list[Path] | None,
    typer.Option("--corrections", metavar="FILE", help="Corrections and decisions of managers. May be repeated."),
]
Votes = Annotated[
    str, typer.Option("--votes", metavar="equal|index|dawid-skene", help="What a vote weighs: all the same, or by quality.")
]
Workers = Annotated[int | None, typer.Option("--workers", metavar="N", help="Processes. [dim]Default: all cores[/]")]


@dataclass(frozen=True, slots=True)
class Analysed:
    """An analysis, with the campaign and everything that was kept out."""

    campaign: Campaign
    analysis: Analysis
    problems: tuple[Problem, ...]

    @property
    def code(self) -> int:
        """The exit code: 1 if anything was kept out."""
        return 1 if self.problems else 0

    @property
    def labels(self) -> dict[str, str]:
        """Labels with their category before them, as annotators know them."""
        known = taxonomy(self.campaign.taxonomy).labels.values()
        return {label.name: f"{label.category}:{label.name}" for label in known if label.category != label.name}


def run(
    store: str,
    corrections: list[Path] | None,
    votes: str = "equal",
    workers: int | None = None,
    parameters: Parameters | None = None,
    longest: float | None = None,
) -> Analysed:
    """Read a store and analyse it. The store remembers what takes long, so a second command does not work it out again."""
    with open_store(store, time.time()) as opened:
        campaign, people = opened.campaign(), opened.annotators()
        samples, answers = opened.samples(training=None), opened.answers(latest=False, training=None)
        labels = taxonomy(campaign.taxonomy).labels
        given, faults = _read(corrections or [], {sample.id: sample for sample in samples}, labels)
        choices = Choices(
            gamma=parameters or Parameters(),
            pooled=replace(parameters or Parameters(), precision=0.02),
            votes=_scheme(votes),
            goal=campaign.goal,
            groups={name: label.category for name, label in labels.items()},
            workers=workers or os.cpu_count() or 1,
        )
        choices = replace(choices, longest=longest) if longest is not None else choices
        with _progress() as show:
            analysis = analyse(samples, people, answers, given, choices, progress=show, memory=opened)
    result = Analysed(campaign, analysis, (*faults, *analysis.problems))
    _list(result.problems)
    return result


def _read(paths: list[Path], samples: Mapping[str, Sample], labels: Iterable[str]) -> tuple[list[Correction], list[Problem]]:
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


def _list(problems: tuple[Problem, ...]) -> None:
    for problem in problems[:MOST_SHOWN]:
        stderr.print(f"[yellow]kept out:[/] {escape(str(problem))}", soft_wrap=True)
    if len(problems) > MOST_SHOWN:
        stderr.print(f"[yellow]kept out:[/] {len(problems) - MOST_SHOWN} more")


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None] | None]:
    """A bar for each step on a terminal; the whole takes seconds, so elsewhere there is nothing to say."""
    if not stderr.is_terminal:
        yield None
        return
    columns = (TextColumn("agreement of {task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=stderr, transient=True) as bar:
        steps = {name: bar.add_task(name, total=None, visible=False) for name in ("samples", "pairs")}
        yield lambda name, done, of: bar.update(steps[name], completed=done, total=of, visible=True)


def wrote(path: Path, remark: str = "") -> None:
    """Say where something is."""
    stderr.print(f"wrote [cyan]{escape(str(path))}[/]{remark}", soft_wrap=True)
