"""`innominate evaluate`: score systems against a gold standard."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table as RichTable

from innominate.cli import options as o
from innominate.cli.console import stderr, stdout
from innominate.evaluate import STANDARDS, Evaluation
from innominate.evaluate.evaluation import count_sentences, names_of, read_opinion, read_reference
from innominate.evaluate.pairing import missing_policy
from innominate.report.evaluation import (
    ScoreTable,
    render_evaluation,
    tabulate_comparison,
    tabulate_release,
    tabulate_standard,
)

NEEDS_ARGUMENTS = True


def command(
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="The reference: a file or folder in any readable format.")],
    systems: Annotated[
        list[str], typer.Argument(metavar="SYSTEM...", help="One or more systems, or outputs of [bold]detect[/].")
    ],
    standard: Annotated[
        str, typer.Option("--standard", metavar="|".join(STANDARDS), help="Whose rules to score by.")
    ] = "spans",
    mapping: Annotated[
        str | None, typer.Option("--map", metavar="TAXONOMY", help="Give both sides the labels of a taxonomy, or FROM:TO.")
    ] = None,
    missing: Annotated[
        str,
        typer.Option(
            "--missing", metavar="error|empty|skip", help="Documents without system output: stop, count, or leave out."
        ),
    ] = "error",
    sentences: Annotated[
        Path | None,
        typer.Option("--sentences", metavar="DIR", help="MEDDOCAN's sentence files, one line a sentence, for the leak."),
    ] = None,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="F", help="Write all numbers, without any text.")] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="F", help="Write a page with plots and errors in context.")
    ] = None,
    text: Annotated[bool, typer.Option("--text/--no-text", help="Whether the page may hold the text around errors.")] = True,
    format: o.FormatName = None,
    option: o.FormatOptions = None,
) -> None:
    """Score one or more systems against a gold standard, exactly as the official scorers do.

    [dim]innominate evaluate gold/ system/ --standard i2b2 --html page.html[/]
    """
    reading = {"format": format, **o.key_values(option)}
    golds, tab = read_reference(gold, standard, **reading)
    evaluation = Evaluation(standard, missing_policy(missing), mapping, count_sentences(sentences), tab)
    result = evaluation.run(golds, {name: read_opinion(path, **reading) for name, path in names_of(systems).items()})
    _print(result)
    if json_file:
        json_file.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        stderr.print(f"wrote [cyan]{escape(str(json_file))}[/]")
    if html:
        texts = {document.id: document.text for document in golds} if text else None
        html.write_text(render_evaluation(result, texts, f"Evaluation of {', '.join(result['systems'])}"), encoding="utf-8")
        stderr.print(f"wrote [cyan]{escape(str(html))}[/]{' (it holds text of the notes)' if text else ''}")


def _print(result: Mapping[str, Any]) -> None:
    for name, found in result["systems"].items():
        stdout.print(f"[bold]{escape(name)}[/]  {found['n_documents']:,} documents")
        for table in (*tabulate_standard(found, result["standard"]), tabulate_release(found["release"])):
            stdout.print(_rich(table))
        stdout.print(f"[bold]{escape(found['release']['sentence'])}[/]\n")
    for table in tabulate_comparison(result["comparison"]) if "comparison" in result else ():
        stdout.print(_rich(table))
    for note in result["notes"]:
        stderr.print(f"[yellow]note:[/] {escape(note)}", soft_wrap=True)


def _rich(table: ScoreTable) -> RichTable:
    shown = RichTable(title=table.title, caption=escape(table.note), title_justify="left", caption_justify="left", box=None)
    for index, heading in enumerate(table.heading):
        shown.add_column(heading, justify="right" if index else "left", overflow="fold")  # a digit is never cut off
    for row in table.rows:
        shown.add_row(*map(escape, row))
    return shown
