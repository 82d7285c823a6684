"""`innominate campaign experiment`: what suggestions did to annotators."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from innominate.campaign.experiment.comparison import RULES, compare_conditions
from innominate.campaign.store import open_store
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
from innominate.core import UsageError
from innominate.report.campaign import render_experiment


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
    analysed = analyse_with_progress(store, corrections, votes=votes, workers=workers)
    result = compare_conditions(analysed.analysis, analysed.campaign, given, rule)
    result["campaign"] = analysed.campaign.name
    summary(result)
    if output:
        output.mkdir(parents=True, exist_ok=True)
        write_json(output / "experiment.json", result)
        page = render_experiment(result, datetime.now(), f"{analysed.campaign.name}: experiment")
        (output / "experiment.html").write_text(page, encoding="utf-8")
        say_written(output / "experiment.html")
    raise typer.Exit(exit_code(analysed))


def summary(result: dict[str, Any]) -> None:
    """The two tables of the thesis."""
    measures = ("duration", "segmentation", "categorisation")
    table, tests = make_table(("group", "condition", "teams"), ("tasks", *measures)), make_table(("one-tailed p",), measures)
    for group, found in result["groups"].items():
        for name, one in found["conditions"].items():
            means = (
                show_number(one["duration"], ".1f"),
                show_number(one["segment"], ".3f"),
                show_number(one["category"], ".3f"),
            )
            table.add_row(group, name, ", ".join(one["teams"]) or "all in turn", f"{one['tasks']:,}", *means)
        for name, test in found["tests"].items():
            ps = (show_number(test[measure]["p"], ".3g") for measure in ("duration", "segment", "category"))
            tests.add_row(f"group {group}, {name}", *ps)
    stdout.print(table)
    stdout.print(tests)
    if result["injected"]:
        stdout.print(f"[yellow]{len(result['injected'])}[/] spans of the reference are spoilt suggestions; look at them")
