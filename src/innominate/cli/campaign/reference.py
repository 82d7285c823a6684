"""`innominate campaign reference`: the reference corpus, and what waits for a decision."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from innominate.campaign.exports import reference_documents
from innominate.campaign.reference.decisions import check_queue_place, write_queue
from innominate.cli import options as o
from innominate.cli.campaign._shared import (
    Corrections,
    StoreAddress,
    Votes,
    Workers,
    analyse_with_progress,
    exit_code,
    say_written,
)
from innominate.cli.console import stderr
from innominate.formats import format_named, write
from innominate.run.outputs import name_for


def command(
    store: StoreAddress,
    output: o.Output,
    queue: Annotated[
        Path | None,
        typer.Option("--queue", metavar="FILE", help="What waits for a decision. [dim]Default: OUT.decisions.jsonl[/]"),
    ] = None,
    corrections: Corrections = None,
    votes: Votes = "equal",
    provisional: Annotated[
        bool, typer.Option("--provisional", help="Also samples that wait for a decision, as the votes stand now.")
    ] = False,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="FORMAT", help="Format. [dim]Default: from the suffix of OUT, else jsonl[/]"),
    ] = None,
    workers: Workers = None,
) -> None:
    """Write the reference, sample by sample: the majority over the best alignment, unless a manager decided otherwise.

    Samples with an identifier that somebody marked and the votes would drop wait for a decision: they are in the queue and not
    in the reference. Fill in "decision" (keep or drop) in the queue, and give it back with --corrections.

    [dim]innominate campaign reference contest.db -o reference.jsonl --corrections decided.jsonl[/]
    """
    place = queue or Path(f"{output.rstrip('/')}.decisions.jsonl")
    check_queue_place(place, corrections or [])
    analysed = analyse_with_progress(store, corrections, votes=votes, workers=workers)
    analysis = analysed.analysis
    waiting = {one.sample for one in analysis.pending}
    documents = reference_documents(analysis, provisional=provisional)
    format = format_named(to or name_for(output) or "jsonl")
    count = write(documents, output, format)
    lines = [one.as_line(analysis.samples[one.sample].text) for one in analysis.pending]
    write_queue(place, lines)
    stderr.print(f"[bold]{count:,}[/] samples with {sum(len(one.spans) for one in documents):,} spans")
    say_written(Path(output))
    if waiting:
        kept = "are in it all the same" if provisional else "are left out until then"
        stderr.print(f"[yellow]{len(lines):,}[/] spans wait for a decision; their {len(waiting):,} samples {kept}")
    say_written(place)
    raise typer.Exit(exit_code(analysed))
