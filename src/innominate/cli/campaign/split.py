"""`innominate campaign split`: test, validation and training sets of a reference."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from innominate.campaign.reference.splits import BIN, METHODS, SetShares, split_reference
from innominate.cli.campaign._shared import make_table, say_written, show_number, write_json
from innominate.cli.console import stdout
from innominate.core import UsageError
from innominate.formats import format_named, read_documents, write
from innominate.report.campaign import render_split


def command(
    reference: Annotated[str, typer.Argument(metavar="REFERENCE", help="What [bold]campaign reference[/] wrote.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Where the three sets go.")],
    method: Annotated[str, typer.Option("--method", metavar="|".join(METHODS), help="How to choose.")] = "rare-first",
    test: Annotated[float, typer.Option("--test", help="Share of the test set.")] = 0.15,
    validation: Annotated[float, typer.Option("--validation", help="Share of the validation set.")] = 0.15,
    together: Annotated[
        str, typer.Option("--together", metavar="sample|document|patient", help="What must not be torn apart.")
    ] = "sample",
    least: Annotated[int, typer.Option("--least", metavar="N", help="Leave rarer categories out of the targets.")] = 1,
    bin: Annotated[float, typer.Option("--bin", help="Gamma is rounded to this.")] = BIN,
    seed: Annotated[int, typer.Option("--seed", help="Of the random split.")] = 0,
) -> None:
    """Split a reference so that every set has its share of each category, and test and validation have the best samples.

    Writes test, validation and training, split.json, and split.html, which shows all methods beside each other.

    [dim]innominate campaign split reference.jsonl -o sets/ --together patient[/]
    """
    if method not in METHODS:
        raise UsageError(f"--method is one of {', '.join(METHODS)}, not {method!r}")
    documents = list(read_documents([reference]))
    sets, result = split_reference(
        documents, method, SetShares(test, validation), together=together, least=least, seed=seed, bin=bin
    )
    output.mkdir(parents=True, exist_ok=True)
    for name, chosen in sets.items():
        write(chosen, str(output / f"{name}.jsonl"), format_named("jsonl"))
    _summary(result)
    write_json(output / "split.json", result)
    (output / "split.html").write_text(render_split(result, datetime.now(), "Split of the reference"), encoding="utf-8")
    say_written(output / "split.html")


def _summary(result: dict[str, Any]) -> None:
    table = make_table(("method", "set"), ("samples", "mean gamma", "annotators", "off target", "below target"))
    for method, described in result["methods"].items():
        name = f"[bold]{method}[/]" if method == result["method"] else method
        for which, one in described["sets"].items():
            gamma, people = show_number(one["gamma"], ".3f"), show_number(one["annotators"], ".2f")
            below = str(len(one["below"])) if which != "training" else ""
            table.add_row(name, which, f"{one['samples']:,}", gamma, people, f"{one['distance']:.1%}", below)
    stdout.print(table)
