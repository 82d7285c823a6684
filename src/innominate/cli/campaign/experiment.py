"""`innominate campaign experiment`: what suggestions did to annotators."""

from __future__ import annotations

import json
import time
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from innominate.campaign.analysis.analysis import Asked
from innominate.campaign.experiment.comparison import compare_conditions
from innominate.campaign.store import open_store
from innominate.cli.campaign._analysis import Corrections, Votes, Workers, exit_code, run, wrote
from innominate.cli.campaign._options import StoreAddress
from innominate.cli.console import stdout
from innominate.core import UsageError
from innominate.report.campaign import render_experiment

RULES = {"even": "even", "equal": "equal", "any": "any"}


def command(
    store: StoreAddress,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="DIR", help="Where result and page go.")] = None,
    corrections: Corrections = None,
    votes: Votes = "equal",
    rule: Annotated[
        str,
        typer.Option("--rule", metavar="|".join(RULES), help="Alignments by how many annotators each side has, 2 at least."),
    ] = "even",
    workers: Workers = None,
) -> None:
    """Compare the conditions of an experiment: durations and penalties, t-tests, and a mixed model.

    [dim]innominate campaign experiment contest.db -o experiment/[/]
    """
    if rule not in RULES:
        raise UsageError(f"--rule is one of {', '.join(RULES)}, not {rule!r}")
    with open_store(store, time.time()) as opened:
        given = opened.suggestions()
    analysed = run(store, Asked(corrections or (), votes, workers))
    result = compare_conditions(analysed.analysis, analysed.campaign, given, rule)  # type: ignore[arg-type]  # checked above
    result["campaign"] = analysed.campaign.name
    summary(result)
    if output:
        output.mkdir(parents=True, exist_ok=True)
        (output / "experiment.json").write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        page = render_experiment(result, datetime.now(), f"{analysed.campaign.name}: experiment")
        (output / "experiment.html").write_text(page, encoding="utf-8")
        wrote(output / "experiment.html")
    raise typer.Exit(exit_code(analysed))


def summary(result: dict[str, Any]) -> None:
    """The two tables of the thesis."""
    table = Table("group", "condition", "teams", box=None, pad_edge=False)
    for heading in ("tasks", "duration", "segmentation", "categorisation"):
        table.add_column(heading, justify="right")
    tests = Table("one-tailed p", box=None, pad_edge=False)
    for heading in ("duration", "segmentation", "categorisation"):
        tests.add_column(heading, justify="right")
    for group, found in result["groups"].items():
        for name, one in found["conditions"].items():
            means = (_shown(one["duration"], ".1f"), _shown(one["segment"], ".3f"), _shown(one["category"], ".3f"))
            table.add_row(group, name, ", ".join(one["teams"]) or "all in turn", f"{one['tasks']:,}", *means)
        for name, test in found["tests"].items():
            ps = (_shown(test[measure]["p"], ".3g") for measure in ("duration", "segment", "category"))
            tests.add_row(f"group {group}, {name}", *ps)
    stdout.print(table)
    stdout.print(tests)
    if result["injected"]:
        stdout.print(f"[yellow]{len(result['injected'])}[/] spans of the reference are spoilt suggestions; look at them")


def _shown(value: Any, form: str) -> str:
    return "–" if not isinstance(value, int | float) else format(value, form)
