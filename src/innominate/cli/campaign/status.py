"""`innominate campaign status`: one screen about a campaign."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from innominate.campaign.store import open_store
from innominate.campaign.store.status import AnswerCounts, GoalProgress, Status, summarise_status
from innominate.cli.campaign._shared import StoreAddress
from innominate.cli.console import stdout

_WIDTH = 10  # of a bar, so that a line fits a terminal of 80 characters


def command(
    store: StoreAddress,
    as_json: Annotated[bool, typer.Option("--json", help="Write the numbers as JSON.")] = False,
) -> None:
    """Show how far annotators, teams and the campaign are.

    [dim]innominate campaign status contest.db[/]
    """
    now = time.time()
    with open_store(store, now) as opened:
        found = summarise_status(opened.campaign(), len(opened.guidelines()), opened.annotators(), opened.summary(now))
    if as_json:
        stdout.print_json(json.dumps(found.as_json(), ensure_ascii=False))
    else:
        _show(found)


def _show(found: Status) -> None:
    campaign, counts = found.campaign, found.summary
    stdout.print(
        f"[bold]{escape(campaign.name)}[/]  {campaign.taxonomy}, guidelines version {found.guidelines or 'none'}\n"
        f"{counts.documents} notes, {counts.chunks} chunks, {found.finished} of them finished "
        f"({campaign.annotators_per_chunk or 'all'} annotators each)"
    )
    spread = ", ".join(f"{number} by {people}" for people, number in counts.by_annotators.items())
    stdout.print(f"chunks by number of annotators: {spread}")
    if counts.kept_out:
        kept_out = ", ".join(f"{number} {kind}" for kind, number in counts.kept_out.items())
        stdout.print(f"[yellow]answers that are in the event log only:[/] {kept_out}")
    stdout.print(_annotators(found))
    stdout.print(_teams(found))


def _annotators(found: Status) -> Table:
    training = found.summary.training
    table = _table("annotator", "team")
    for heading in ("rej.", "ign.", *(["trained"] if training else []), "last"):
        table.add_column(heading, justify="right")
    for person in found.people:
        work = person.work
        cells = [str(work.rejected), str(work.ignored), *([f"{person.trained}/{training}"] if training else [])]
        table.add_row(escape(person.progress.name), escape(person.team), *_bar(person.progress), *cells, _last(work))
    return table


def _teams(found: Status) -> Table:
    table = _table("team")
    for team in found.teams:
        table.add_row(escape(team.name), *_bar(team))
    table.add_row("[bold]all[/]", *_bar(found.total))
    return table


def _table(*names: str) -> Table:
    table = Table(*names, box=None, pad_edge=False, collapse_padding=True)
    table.add_column("tasks", justify="right")
    table.add_column("of the goal", no_wrap=True)
    return table


def _last(work: AnswerCounts) -> str:
    """When the last answer was given, in UTC; somebody who holds a task is at work."""
    if work.at_work:
        return "[green]at work[/]"
    return datetime.fromtimestamp(work.last, UTC).strftime("%d.%m. %H:%M") if work.last else "[dim]never[/]"


def _bar(progress: GoalProgress) -> list[str]:
    """The tasks, and how much of the goal they are, drawn and in numbers."""
    if progress.share is None:
        return [str(progress.tasks), "[dim]no goal[/]"]
    full = min(_WIDTH, round(_WIDTH * progress.share))
    bar = f"[green]{'█' * full}[/][dim]{'░' * (_WIDTH - full)}[/]"
    return [str(progress.tasks), f"{bar} {progress.share:4.0%} of {progress.goal}"]
