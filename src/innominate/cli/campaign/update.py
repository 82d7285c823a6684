"""`innominate campaign update`: take over what changed in the campaign's file."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from innominate.campaign.planning.plan import PlanReader, read_plan
from innominate.campaign.store import open_store
from innominate.cli.campaign._shared import StoreAddress, say_left_out
from innominate.cli.console import stderr


def command(
    store: StoreAddress,
    file: Annotated[Path, typer.Argument(metavar="CAMPAIGN.toml", help="The campaign's file as it is now.")],
) -> None:
    """Take over new guidelines, annotators, notes, goals and other choices. No note and no answer is changed.

    [dim]innominate campaign update contest.db contest.toml[/]
    """
    plan, now = read_plan(file), time.time()
    reading = PlanReader(plan, say_left_out)
    with open_store(store, now) as opened:
        changed = opened.change(plan.campaign, now)
        people = opened.register(plan.annotators, now)
        version = bool(plan.guidelines) and opened.put_guidelines(plan.guidelines, now)
        notes = opened.add_notes(reading.notes(), now)
        guidelines = len(opened.guidelines())
    stderr.print(
        f"choices {'changed' if changed else 'as before'}, {people} annotators new or changed, {notes} new notes, "
        f"guidelines {f'now version {guidelines}' if version else 'as before'}"
    )
    raise typer.Exit(1 if reading.rejected else 0)
