"""`innominate campaign analyse`: agreement, quality, and the scoreboard."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from innominate.campaign.agreement.gamma import Parameters
from innominate.campaign.analysis.analysis import Asked
from innominate.campaign.analysis.result import compare_with_library, summarise_analysis
from innominate.campaign.analysis.tasks import BREAK
from innominate.cli.campaign._analysis import Corrections, Votes, Workers, exit_code, run, wrote
from innominate.cli.campaign._options import StoreAddress
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
    analysed = run(store, Asked(corrections or (), votes, workers, parameters, longest))
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
        _write(output / "analysis.json", _json(result))
        _write(output / "analysis.html", render_analysis(result, now, name))
        _write(output / "scoreboard.json", _json(result["scoreboard"]))
        _write(output / "scoreboard.html", render_scoreboard(result["scoreboard"], now, f"{name}: scoreboard"))
    raise typer.Exit(exit_code(analysed))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _write(path: Path, content: str) -> None:
    path.write_text(content, encoding="utf-8")
    wrote(path)


def _summary(result: Mapping[str, Any]) -> None:
    tasks, kinds, agreement = result["tasks"], result["samples"], result["agreement"]
    reference, pooled = result["reference"], result["pooled"]
    dropped = ", ".join(f"{count} {what}" for what, count in tasks["dropped"].items() if count) or "none"
    pending = ", ".join(f"{count} {cause}" for cause, count in reference["pending"].items()) or "none"
    stdout.print(f"[bold]{escape(result['campaign'])}[/]  {tasks['n']:,} tasks, {reference['samples']:,} samples")
    rows = [
        ("answers that do not count", f"{dropped}; {len(result['problems'])} kept out"),
        ("duration", f"{_shown(tasks['mean_seconds'], 1)} s, {_shown(tasks['tasks_per_minute'], 1)} tasks a minute"),
        ("samples", ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items()))),
        ("gamma per sample", f"{_shown(agreement['mean'])} of {agreement['n']:,}"),
        ("  with empty samples as 1", f"{_shown(agreement['mean_with_empty'])} of {agreement['n_with_empty']:,}"),
        ("gamma by pairs, pooled", f"{_shown(pooled['mean_gamma'])} of {pooled['n_pairs']} pairs"),
        ("reference", f"{reference['spans']:,} spans, {reference['corrected']} corrected"),
        ("wait for a decision", f"{pending} in {reference['samples_with_pending']:,} samples"),
    ]
    table = Table.grid(padding=(0, 2))
    for row in rows:
        table.add_row(*row)
    stdout.print(table)
    stdout.print(_board(result["scoreboard"]))


def _board(board: Mapping[str, Any]) -> Table:
    table = Table("rank", "annotator", "team", box=None, pad_edge=False)
    for heading in ("tasks", "annotations", "a minute", "quality"):
        table.add_column(heading, justify="right")
    for row in board["individuals"]:
        quality = "–" if row["quality"] is None else f"{100 * row['quality']:.1f}"
        cells = (f"{row['tasks']:,}", f"{row['annotations']:,}", _shown(row["tasks_per_minute"], 1), quality)
        table.add_row(str(row["total_rank"]), escape(row["name"]), escape(row["team"]), *cells)
    return table


def _shown(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:.{digits}f}"
