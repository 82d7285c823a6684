"""`innominate campaign new`: make a campaign from its file."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from innominate.campaign.planning.plan import PlanReader, read_plan
from innominate.campaign.store import create_store
from innominate.cli.campaign._shared import say_left_out
from innominate.cli.console import stderr
from innominate.core import UsageError


def command(
    file: Annotated[Path, typer.Argument(metavar="CAMPAIGN.toml", help="Taxonomy, annotators, notes and everything else.")],
    store: Annotated[
        str | None,
        typer.Option(
            "--store", "-o", metavar="STORE", help="A new file, or a PostgreSQL URL. [dim]Default: CAMPAIGN.db beside it[/]"
        ),
    ] = None,
) -> None:
    """Make a campaign: the notes are cleaned, cut into chunks and kept in a new store with everything about the campaign.

    [dim]innominate campaign new contest.toml[/]    [dim]innominate campaign new contest.toml -o postgresql://localhost/contest[/]
    """
    plan = read_plan(file)
    where = store or str(file.with_suffix(".db"))
    if not plan.annotators or not plan.work.notes:
        raise UsageError(f"{file}: a campaign needs notes and annotators")
    reading = PlanReader(plan, say_left_out)
    with create_store(
        where,
        plan.campaign,
        time.time(),
        annotators=plan.annotators,
        notes=reading.notes(),
        guidelines=plan.guidelines,
    ) as made:
        training = f" ({reading.training} for training)" if reading.training else ""
        teams = {person.team for person in plan.annotators}
        stderr.print(
            f"[bold]{plan.campaign.name}[/]: {reading.notes_read} notes in {reading.chunks} chunks{training}, "
            f"{len(plan.annotators)} annotators in {len(teams)} teams, kept in [cyan]{made.name}[/]",
            soft_wrap=True,
        )
    raise typer.Exit(1 if reading.rejected else 0)
