"""`innominate preview`: look at a note."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.rule import Rule

from innominate.cli import options as o
from innominate.cli.console import stderr, stdout
from innominate.cli.job import inputs_from
from innominate.cli.option_sets import FindingOptions, HidingOptions, ReadingOptions, choices, expand_options
from innominate.core import Rejected
from innominate.report.preview import render_preview
from innominate.report.terminal import colour_spans, count_labels
from innominate.run.preview import Pair, previews
from innominate.run.settings import Settings

NEEDS_ARGUMENTS = True


@expand_options
def command(
    sources: o.Sources,
    finding: FindingOptions,
    hiding: HidingOptions,
    reading: ReadingOptions,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write an HTML page instead of printing.")
    ] = None,
    carried: Annotated[
        bool, typer.Option("--carried", help="Show the spans the source carries instead of detecting.")
    ] = False,
    after: Annotated[bool, typer.Option("--after/--no-after", help="Also show the note as it is concealed.")] = True,
    limit: Annotated[int, typer.Option("--limit", min=1, metavar="N", help="How many notes to show.")] = 5,
) -> None:
    """Show what would be found in a note, in colour, and how it would look concealed.

    [dim]innominate preview note.txt[/]    [dim]innominate preview corpus/ --carried --html page.html[/]
    """
    settings = Settings().with_options(**choices(finding, hiding))
    pairs: list[Pair] = []
    for item in previews(inputs_from(sources, reading), settings, carried=carried, after=after):
        if isinstance(item, Rejected):
            stderr.print(f"[red]not read:[/] {item}")
            continue
        pairs.append(item)
        if len(pairs) == limit:
            break
    if html:
        html.write_text(render_preview(pairs, "Innominate preview"), encoding="utf-8")
        stderr.print(f"wrote [cyan]{html}[/]")
    else:
        _print(pairs)


def _print(pairs: list[Pair]) -> None:
    for seen, concealed in pairs:
        stdout.print(Rule(f"{seen.id}", style="dim"))
        stdout.print(colour_spans(seen))
        if concealed is not None:
            stdout.print(Rule("concealed", style="dim"))
            stdout.print(colour_spans(concealed, labels=False))
        stdout.print(count_labels(seen.spans))
