"""`innominate campaign analyse`: agreement, quality, and the scoreboard."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from innominate.campaign.agreement.gamma import Parameters
from innominate.campaign.analysis.result import compare_with_library, summarise_analysis
from innominate.campaign.analysis.tasks import BREAK
from innominate.cli.campaign._shared import (
    Corrections,
    StoreAddress,
    Votes,
    Workers,
    analyse_with_progress,
    exit_code,
    make_table,
    say_written,
    show_number,
    write_json,
)
from innominate.cli.console import stdout
from innominate.report.campaign import render_analysis, render_scoreboard


def command(
    store: StoreAddress,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Where result files and pages go.")
    ] = None,
    corrections: Corrections = None,
    votes: Votes = "equal",
    alpha: Annotated[float, typer.Option("--alpha", help="Gamma: weight of the place.")] = 1.0,
    beta: Annotated[float, typer.Option("--beta", help="Gamma: weight of the category.")] = 1.0,
    within: Annotated[
        float, typer.Option("--within", help="Gamma: how unlike two labels of one category are; 1: like any two.")
    ] = 1.0,
    seed: Annotated[int, typer.Option("--seed", help="Gamma: of the chance samples.")] = 4577,
    precision: Annotated[float, typer.Option("--precision", help="Gamma: of the expected disorder; 0: 30 samples.")] = 0.05,
    longest: Annotated[float, typer.Option("--longest", metavar="SECONDS", help="A longer task was a break.")] = BREAK,
    library: Annotated[
        int, typer.Option("--library", metavar="N", help="Compare N gammas with pygamma-agreement. [dim]Takes minutes[/]")
    ] = 0,
    workers: Workers = None,
) -> None:
    """Analyse a campaign: check, time, align, vote and judge what the annotators said.

    [dim]innominate campaign analyse contest.db -o analysis/[/]
    """
    parameters = Parameters(alpha, beta, 1.0, within, seed, precision=precision or None)
    how = {"votes": votes, "workers": workers, "parameters": parameters, "longest": longest}
    analysed = analyse_with_progress(store, corrections, **how)
    result = {
        "campaign": analysed.campaign.name,
        **summarise_analysis(analysed.analysis),
        "problems": [str(problem) for problem in analysed.problems],
    }
    if library:
        result["library"] = found = compare_with_library(analysed.analysis, library)
        stdout.print(f"pygamma-agreement on {found['n']} samples: the largest difference is {found['largest'] or 0:.1e}")
    _summary(result)
    if output:
        output.mkdir(parents=True, exist_ok=True)
        now, name = datetime.now(), analysed.campaign.name
        pages = {
            "analysis": (result, render_analysis(result, now, name)),
            "scoreboard": (result["scoreboard"], render_scoreboard(result["scoreboard"], now, f"{name}: scoreboard")),
        }
        for stem, (numbers, page) in pages.items():
            write_json(output / f"{stem}.json", numbers)
            say_written(output / f"{stem}.json")
            (output / f"{stem}.html").write_text(page, encoding="utf-8")
            say_written(output / f"{stem}.html")
    raise typer.Exit(exit_code(analysed))


def _summary(result: Mapping[str, Any]) -> None:
    tasks, kinds, agreement = result["tasks"], result["samples"], result["agreement"]
    reference, pooled = result["reference"], result["pooled"]
    dropped = ", ".join(f"{count} {what}" for what, count in tasks["dropped"].items() if count) or "none"
    pending = ", ".join(f"{count} {cause}" for cause, count in reference["pending"].items()) or "none"
    stdout.print(f"[bold]{escape(result['campaign'])}[/]  {tasks['n']:,} tasks, {reference['samples']:,} samples")
    rows = [
        ("answers that do not count", f"{dropped}; {len(result['problems'])} kept out"),
        (
            "duration",
            f"{show_number(tasks['mean_seconds'], '.1f')} s, {show_number(tasks['tasks_per_minute'], '.1f')} tasks a minute",
        ),
        ("samples", ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items()))),
        ("gamma per sample", f"{show_number(agreement['mean'], '.3f')} of {agreement['n']:,}"),
        ("  with empty samples as 1", f"{show_number(agreement['mean_with_empty'], '.3f')} of {agreement['n_with_empty']:,}"),
        ("gamma by pairs, pooled", f"{show_number(pooled['mean_gamma'], '.3f')} of {pooled['n_pairs']} pairs"),
        ("reference", f"{reference['spans']:,} spans, {reference['corrected']} corrected"),
        ("wait for a decision", f"{pending} in {reference['samples_with_pending']:,} samples"),
    ]
    table = Table.grid(padding=(0, 2))
    for row in rows:
        table.add_row(*row)
    stdout.print(table)
    stdout.print(_board(result["scoreboard"]))


def _board(board: Mapping[str, Any]) -> Table:
    table = make_table(("rank", "annotator", "team"), ("tasks", "annotations", "a minute", "quality"))
    for row in board["individuals"]:
        quality = "–" if row["quality"] is None else f"{100 * row['quality']:.1f}"
        cells = (f"{row['tasks']:,}", f"{row['annotations']:,}", show_number(row["tasks_per_minute"], ".1f"), quality)
        table.add_row(str(row["total_rank"]), escape(row["name"]), escape(row["team"]), *cells)
    return table
