"""`innominate campaign import`: answers that were given in another tool."""

from __future__ import annotations

import time
from typing import Annotated

import typer
from rich.markup import escape

from innominate.campaign.imports import TOOLS, ImportReport, import_file
from innominate.campaign.store import open_store
from innominate.cli.campaign._shared import StoreAddress
from innominate.cli.console import stderr
from innominate.formats import files_of


def command(
    store: StoreAddress,
    sources: Annotated[list[str], typer.Argument(metavar="EXPORT...", help="Files, folders or globs of exports.")],
    tool: Annotated[
        str | None, typer.Option("--tool", metavar="|".join(TOOLS), help="Which tool wrote them; recognised if not given.")
    ] = None,
    annotator: Annotated[
        str | None, typer.Option("--annotator", metavar="ID", help="Whose answers they are, where an export does not say.")
    ] = None,
    empty: Annotated[
        bool, typer.Option("--empty", help="doccano: a text without labels was looked at, and holds nothing.")
    ] = False,
) -> None:
    """Import exports of Prodigy, doccano or Label Studio. What is wrong is listed with its line and kept out.

    [dim]innominate campaign import contest.db export.jsonl[/]    [dim]innominate campaign import contest.db doccano/*.jsonl[/]
    """
    now = time.time()
    problems = 0
    with open_store(store, now) as opened:
        for source in sources:
            for file in files_of(source):
                report = import_file(opened, file, now, tool=tool, annotator=annotator, empty=empty)
                problems += len(report.problems)
                _print(report)
    raise typer.Exit(1 if problems else 0)


def _print(report: ImportReport) -> None:
    for problem in report.problems:
        stderr.print(f"[red]kept out:[/] {escape(report.source)}:{problem.line}: {escape(problem.reason)}", soft_wrap=True)
    stderr.print(
        f"{escape(report.source)} ({report.tool}): [bold]{report.stored}[/] answers new, {report.repeated} there already, "
        f"[{'red' if report.problems else 'green'}]{len(report.problems)} kept out[/]",
        soft_wrap=True,
    )
    if report.empty:
        stderr.print(
            f"[yellow]{report.empty}[/] without labels left out: doccano does not say whether somebody looked at them; "
            "--empty takes them as holding nothing",
            soft_wrap=True,
        )
