"""What subcommands have in common: arguments, the analysis of a store, tables, and the files that they write."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from innominate.campaign.analysis.analysis import Analysed, analyse_store
from innominate.campaign.analysis.analysis import Progress as Show
from innominate.campaign.store import open_store
from innominate.cli.console import stderr
from innominate.core import Rejected

MOST_SHOWN = 10  # problems on the screen

StoreAddress = Annotated[
    str, typer.Argument(metavar="STORE", help="The campaign's file, or the URL of its PostgreSQL database.")
]
Corrections = Annotated[
    list[Path] | None,
    typer.Option("--corrections", metavar="FILE", help="Corrections and decisions of managers. May be repeated."),
]
Votes = Annotated[
    str, typer.Option("--votes", metavar="equal|index|dawid-skene", help="What a vote weighs: all the same, or by quality.")
]
Workers = Annotated[int | None, typer.Option("--workers", metavar="N", help="Processes. [dim]Default: all cores[/]")]


def analyse_with_progress(store: str, corrections: Iterable[Path] | None, **options: Any) -> Analysed:
    """Open a store and analyse it with a progress bar; what is kept out is listed."""
    with open_store(store, time.time()) as opened, _progress() as show:
        result = analyse_store(opened, corrections or (), progress=show, **options)
    for problem in result.problems[:MOST_SHOWN]:
        stderr.print(f"[yellow]kept out:[/] {escape(str(problem))}", soft_wrap=True)
    if len(result.problems) > MOST_SHOWN:
        stderr.print(f"[yellow]kept out:[/] {len(result.problems) - MOST_SHOWN} more")
    return result


def exit_code(analysed: Analysed) -> int:
    """1 if anything was kept out."""
    return 1 if analysed.problems else 0


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


def say_written(path: Path, remark: str = "") -> None:
    """Say where something is."""
    stderr.print(f"wrote [cyan]{escape(str(path))}[/]{remark}", soft_wrap=True)


def say_left_out(item: Rejected) -> None:
    """Name a note that cannot be read, and why."""
    stderr.print(f"[red]left out:[/] {item}", soft_wrap=True, highlight=False)


def write_json(path: Path, value: Any) -> None:
    """Write a result."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def make_table(names: Sequence[str], numbers: Sequence[str]) -> Table:
    """A plain table: columns of names, then columns of numbers."""
    table = Table(*names, box=None, pad_edge=False)
    for heading in numbers:
        table.add_column(heading, justify="right")
    return table


def show_number(value: Any, form: str) -> str:
    """A number, or a dash where there is none.

    >>> show_number(0.5, ".1%"), show_number(None, ".3f")
    ('50.0%', '–')
    """
    return format(value, form) if isinstance(value, int | float) else "–"
