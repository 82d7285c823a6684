"""`innominate campaign next`: the chunks that are most worth annotating."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from innominate.campaign.analysis.tasks import select_tasks
from innominate.campaign.exports import sample_as_document
from innominate.campaign.store import open_store
from innominate.campaign.suggestions.active import Ranked, chunks_wanting_annotators, learn_seconds, rank_chunks
from innominate.cli import options as o
from innominate.cli.campaign._shared import StoreAddress, make_table, say_written
from innominate.cli.console import stderr, stdout
from innominate.formats import format_named, write
from innominate.run.outputs import name_for

_SHOWN = 10


def command(
    store: StoreAddress,
    detector: Annotated[
        str, typer.Option("--detector", metavar="NAME|MODEL", help="A detector that says how sure it is.")
    ] = "crf",
    lang: o.OneLang = "fr",
    number: Annotated[int, typer.Option("-n", "--number", min=1, help="How many chunks.")] = 50,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="OUT", help="Write them as tasks, in any format by its suffix.")
    ] = None,
    to: Annotated[str | None, typer.Option("--to", metavar="FORMAT", help="Format of OUT.")] = None,
) -> None:
    """Rank the chunks that still want annotators by what a model would learn from them per second of somebody's time.

    Seconds come from the durations of the campaign's tasks so far, the length of a chunk, and what the detector finds in it.

    [dim]innominate campaign next contest.db --detector my-model -n 100 -o next.jsonl --to prodigy[/]
    """
    from innominate.detect.models.named import detector as detector_named

    with open_store(store, time.time()) as opened:
        people = {person.id: person for person in opened.annotators()}
        samples = {sample.id: sample for sample in opened.samples()}
        tasks = select_tasks(opened.answers(latest=False), samples, people).tasks
        todo = chunks_wanting_annotators(opened)
    seconds = learn_seconds(tasks, samples)
    best = rank_chunks(detector_named(detector, lang), todo, seconds)[:number]
    stderr.print(
        f"{len(todo):,} chunks want annotators; {seconds.task:.1f} s a task, {100 * seconds.character:.1f} s for 100 letters, "
        f"{seconds.span:.1f} s a span" + (f", from {seconds.tasks:,} tasks" if seconds.tasks else ", as nothing is known yet")
    )
    _summary(best)
    if output:
        documents = [
            sample_as_document(one.sample, (), bits=round(one.bits, 4), seconds=round(one.seconds, 2)) for one in best
        ]
        write(documents, str(output), format_named(to or name_for(str(output)) or "jsonl"))
        say_written(output)


def _summary(best: list[Ranked]) -> None:
    table = make_table(("chunk",), ("bits", "seconds", "bits a second", "spans"))
    for one in best[:_SHOWN]:
        table.add_row(one.sample.id, f"{one.bits:.2f}", f"{one.seconds:.1f}", f"{one.worth:.3f}", str(one.spans))
    stdout.print(table)
