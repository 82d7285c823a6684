"""What `analyse`, `reference` and `feedback` have in common: the analysis of a store, and its options."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from innominate.campaign.analysis.analysis import Analysed, Asked, analyse_store
from innominate.campaign.analysis.analysis import Progress as Show
from innominate.campaign.records import Problem
from innominate.campaign.store import open_store
from innominate.cli.console import stderr

MOST_SHOWN = 10  # problems on the screen

Corrections = Annotated[
    list[Path] | None,
    typer.Option("--corrections", metavar="FILE", help="Corrections and decisions of managers. May be repeated."),
]
Votes = Annotated[
    str, typer.Option("--votes", metavar="equal|index|dawid-skene", help="What a vote weighs: all the same, or by quality.")
]
Workers = Annotated[int | None, typer.Option("--workers", metavar="N", help="Processes. [dim]Default: all cores[/]")]


def run(store: str, asked: Asked) -> Analysed:
    """Open a store and analyse it with a progress bar; what is kept out is listed."""
    with open_store(store, time.time()) as opened, _progress() as show:
        result = analyse_store(opened, asked, show)
    _list(result.problems)
    return result


def exit_code(analysed: Analysed) -> int:
    """1 if anything was kept out."""
    return 1 if analysed.problems else 0


def _list(problems: tuple[Problem, ...]) -> None:
    for problem in problems[:MOST_SHOWN]:
        stderr.print(f"[yellow]kept out:[/] {escape(str(problem))}", soft_wrap=True)
    if len(problems) > MOST_SHOWN:
        stderr.print(f"[yellow]kept out:[/] {len(problems) - MOST_SHOWN} more")


@contextmanager
def _progress() -> Iterator[Show | None]:
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
