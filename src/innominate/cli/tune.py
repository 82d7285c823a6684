"""`innominate tune`: operating points for a model, and what `--recall` will mean with it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from innominate.cli import options as o
from innominate.cli.console import stderr, stdout
from innominate.cli.counting import counting
from innominate.core import UsageError
from innominate.evaluate.stats import lower_bound
from innominate.formats import read_documents

NEEDS_ARGUMENTS = True


def command(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Folder of a trained model.")],
    dev: Annotated[str, typer.Option("--dev", metavar="SOURCE", help="Annotated notes that the model has not learned from.")],
    betas: Annotated[str, typer.Option("--betas", metavar="1,4,10", help="Weights of recall.")] = "1,4,10,20,40",
    recall: Annotated[
        list[float] | None, typer.Option("--recall", metavar="R", help="Also show the point for this recall. May be repeated.")
    ] = None,
    confidence: Annotated[float, typer.Option("--confidence", min=0.5, max=0.9999, help="Of the bound of a recall.")] = 0.95,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write all numbers.")] = None,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write a page with plots.")] = None,
    format: o.FormatName = None,
    option: o.FormatOptions = None,
) -> None:
    """Find the operating points F1, F4, F10, F20 and F40 of a model, and the recalls it can be trusted with.

    [dim]innominate tune model --dev notes/dev --html points.html[/]
    """
    from innominate.detect.dial.dial import write_dial
    from innominate.detect.dial.tuning import TARGETS, beliefs_of, result_of, tune

    weights = _betas(betas)
    notes = list(read_documents(dev, format=format, **o.key_values(option)))
    with counting("notes", len(notes)) as tick:
        pairs = [tick(pair) for pair in beliefs_of(model, notes)]
    dial = tune(pairs, weights, partial(lower_bound, confidence=confidence), confidence=confidence, source=Path(dev).name)
    result = result_of(dial, pairs, weights, tuple(sorted({*TARGETS, *(recall or [])})))
    _print(result)
    stderr.print(f"wrote [cyan]{write_dial(dial, model)}[/]; use it with --detector {model} --recall F10")
    if json_file:
        json_file.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if html:
        from innominate.report.models import render_operating_points

        html.write_text(render_operating_points(result, f"Operating points of {model.name}"), encoding="utf-8")
        stderr.print(f"wrote [cyan]{html}[/]")


def _betas(text: str) -> list[float]:
    try:
        found = sorted({float(part) for part in text.split(",")})
    except ValueError:
        found = []
    if not found or found[0] <= 0:
        raise UsageError(f"--betas is a list of positive numbers such as 1,4,10, not {text!r}")
    return found


def _print(result: dict[str, Any]) -> None:
    heading = ("point", "non-PHI", "PHI", "P", "R", "F1", "held-out P", "R", "F1")
    table = Table(*heading, box=None, title="Binary, by token", title_justify="left")
    for point in result["points"]:
        rates = [f"{100 * found[key]:.2f}" for found in (point, point["held_out"]) for key in ("precision", "recall", "f1")]
        table.add_row(point["name"], f"{point['main']:g}", f"{point['alt']:g}", *rates)
    stdout.print(table)
    columns = ("recall", "threshold", "found", "shown", "token P")
    targets = Table(*columns, box=None, title="Recall of whole identifiers", title_justify="left")
    for row in result["targets"]:
        if row["threshold"] is None:
            targets.add_row(
                f"{row['recall']:g}", f"cannot be shown here: needs {row['needed']:,} identifiers or more, all found"
            )
        else:
            numbers = (f"{row[key]:.4f}" for key in ("found", "shown", "precision"))
            targets.add_row(f"{row['recall']:g}", f"{row['threshold']:.2g}", *numbers)
    stdout.print(targets)
