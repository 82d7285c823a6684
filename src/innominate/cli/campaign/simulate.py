"""`innominate campaign simulate`: simulated annotators work through a campaign."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from innominate.campaign.simulate.scene import Result, stage_campaign, stage_thesis, summarise_simulation, work_through
from innominate.campaign.suggestions.audiences import suggest
from innominate.cli.campaign._shared import make_table, say_left_out, say_written, write_json
from innominate.cli.campaign.suggest import detecting
from innominate.cli.console import stderr, stdout
from innominate.cli.language_codes import CODES
from innominate.core import UsageError


def command(
    plan: Annotated[
        Path | None, typer.Argument(metavar="[CAMPAIGN.toml]", help="The campaign file; its notes must carry their spans.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Where the store, the truth and the result go.")
    ] = None,
    habits: Annotated[
        Path | None, typer.Option("--habits", metavar="FILE.toml", help="Errors, speeds and habits of the annotators.")
    ] = None,
    thesis: Annotated[
        bool,
        typer.Option("--thesis", help="The contest of the CHUV thesis: 15 people, 4 teams, 14,000 tasks, synthetic notes."),
    ] = False,
    scale: Annotated[float, typer.Option("--scale", min=0.001, max=1.0, help="With --thesis: so much of it.")] = 1.0,
    tasks: Annotated[
        int, typer.Option("--tasks", metavar="N", help="Stop after so many tasks. [dim]Default: when all is done[/]")
    ] = 0,
    detector: Annotated[
        str | None,
        typer.Option(
            "--detector", metavar="NAME|MODEL", help="Suggest what it finds. [dim]Default: rules, if there are conditions[/]"
        ),
    ] = None,
    lang: Annotated[str, typer.Option("--lang", metavar=f"auto|{CODES}", help="Language of the notes.")] = "auto",
    seed: Annotated[int, typer.Option("--seed", help="Same seed, same campaign.")] = 0,
) -> None:
    """Let simulated annotators with known errors, speeds and habits work through a campaign, to plan it or to test it.

    The store in DIR is a campaign like any other: analyse it, make its reference, split it. Since the truth is known, the
    error of every estimate is printed and written to simulation.json.

    [dim]innominate campaign simulate contest.toml -o simulated/ --habits habits.toml[/]
    """
    if output is None or thesis == (plan is not None):
        raise UsageError("name a campaign file or say --thesis, and where to write with -o DIR")
    output.mkdir(parents=True, exist_ok=True)
    scene = stage_thesis(output, scale, seed) if thesis else stage_campaign(plan or Path(), output, habits, say_left_out)
    if detector or scene.campaign.conditions:
        suggest(scene.store, detecting(scene.campaign.taxonomy, detector or "rules", lang))
    result = summarise_simulation(scene, work_through(scene, tasks, seed))
    _summary(result)
    path = output / "simulation.json"
    write_json(path, result)
    say_written(output / "campaign.db")
    say_written(path)


def _summary(result: Result) -> None:
    people = make_table(("annotator",), ("tasks", "hours", "tasks a minute"))
    for who, row in result["people"].items():
        people.add_row(who, f"{row['tasks']:,}", f"{row['hours']:.1f}", f"{row['tasks_per_minute']:.1f}")
    stdout.print(people)
    stdout.print(
        f"[bold]{result['tasks']:,}[/] tasks on {result['samples']:,} chunks "
        f"({result['annotators_per_chunk']:.2f} annotators each), "
        f"{result['hours']:.1f} hours of work over {result['days']:.1f} days; {result['not_kept']} answers came too late"
    )
    table = make_table(("recovered",), ("truth", "estimate", "error"))
    for row in result["estimates"]:
        table.add_row(row["name"], *(f"{row[name]:,.4g}" for name in ("truth", "estimate", "error")))
    stdout.print(table)
    stderr.print("errors by annotator are mean absolute errors of single people")
