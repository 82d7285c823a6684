"""`innominate detect`: find identifiers and list them."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer
from rich.markup import escape

from innominate.cli import options as o
from innominate.cli.console import stderr, stdout
from innominate.cli.explaining import print_explained, print_reasons
from innominate.cli.job import inputs_from, run_job, settings_from, ways_of
from innominate.cli.option_sets import FindingOptions, ReadingOptions, RunningOptions, WritingOptions, choices, expand_options
from innominate.core import UsageError
from innominate.report.terminal import describe_span
from innominate.run.explaining import engine_of, explain
from innominate.run.inputs import Inputs
from innominate.run.job import Job
from innominate.run.outcome import Quarantined
from innominate.run.pipeline import Pipeline
from innominate.run.preview import detections
from innominate.run.settings import Settings

NEEDS_ARGUMENTS = True

Output = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="OUT", help="Where to write: a file or a folder. [dim]Default: print the spans[/]"),
]
Explain = Annotated[
    bool, typer.Option("--explain", help="Print for each span who found it and what the rules saw there, instead of writing.")
]
At = Annotated[str | None, typer.Option("--at", metavar="START:END", help="With --explain: why was nothing found here?")]


@expand_options
def command(
    sources: o.Sources,
    finding: FindingOptions,
    reading: ReadingOptions,
    writing: WritingOptions,
    running: RunningOptions,
    output: Output = None,
    explain_spans: Explain = False,
    at: At = None,
) -> None:
    """Find identifiers and print them in colour; or write where they are, one line a document, without the text.

    With --to FORMAT the documents themselves are written, with the spans found: --to brat, --to jsonl ...

    [dim]innominate detect note.txt[/]    [dim]innominate detect note.txt --lang fr --explain[/]

    [dim]innominate detect notes/ -o spans.jsonl --lang fr[/]
    """
    settings = settings_from(running, **choices(finding))
    if explain_spans or at:
        _explain(inputs_from(sources, reading), settings, at)
        return
    if not output:
        if writing.to:
            raise UsageError("--to is the format of an output; name it with -o, where - is standard output")
        _print_spans(inputs_from(sources, reading), settings)
        return
    ways = ways_of(replace(writing, to=writing.to or "spans"), running)
    run_job(Job("detect", inputs_from(sources, reading), output, settings, **ways))


def _print_spans(inputs: Inputs, settings: Settings) -> None:
    """Every span on a line of its own, on ground of its colour, with its label, place, score and who found it."""
    withheld = 0
    for found in detections(inputs, settings):
        if isinstance(found, Quarantined):
            withheld += 1
            stderr.print(f"[red]withheld:[/] {escape(found.id)}: {escape(found.step)}: {escape(found.reason)}", soft_wrap=True)
            continue
        stdout.print(f"[bold]{escape(found.id)}[/]")
        for span in found.spans:
            stdout.print(describe_span(found.text, span), soft_wrap=True)
        if not found.spans:
            stdout.print("nothing found", style="dim")
    raise typer.Exit(1 if withheld else 0)


def _explain(inputs: Inputs, settings: Settings, at: str | None) -> None:
    """Print reasons note by note."""
    for document in inputs.documents():
        stdout.print(f"[bold]{escape(document.id)}[/]")
        if at is None:
            print_explained(explain(document, settings), document.text)
            continue
        engine = engine_of(settings, Pipeline(settings).language(document))
        if engine is None:
            raise UsageError(f"--at asks the rules, and {finding_name(settings)} has none")
        print_reasons(engine, document.text, at)


def finding_name(settings: Settings) -> str:
    """What the detector is called in a message."""
    return repr(settings.detector if isinstance(settings.detector, str) else settings.detector.name)
