"""`innominate synth`: synthetic annotated notes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Annotated

import typer

from innominate.cli import options as o
from innominate.cli.console import stderr
from innominate.cli.progress import progress_of
from innominate.core import Document
from innominate.formats import format_named, write
from innominate.run.journal import Commit
from innominate.run.outputs import name_for

NEEDS_ARGUMENTS = True


def command(
    output: o.Output,
    lang: o.OneLang,
    notes: Annotated[int, typer.Option("--notes", "-n", min=1, help="How many notes.")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="Same seed, same bytes.")] = 0,
    split: Annotated[
        str, typer.Option("--split", metavar="train|dev|test", help="Which templates; the three never share one.")
    ] = "train",
    to: o.To = None,
    to_option: o.ToOptions = None,
) -> None:
    """Make annotated synthetic notes: patients with several consistent documents, in the taxonomy of the language.

    [dim]innominate synth --lang fr -n 1000 -o train.jsonl[/]
    """
    from innominate.synth.generate import generate  # loads the name lists of several libraries

    chosen = format_named(to or name_for(output) or "jsonl", **o.key_values(to_option))
    started = time.monotonic()
    spans = 0
    with progress_of("synth") as progress:

        def counted() -> Iterator[Document]:
            nonlocal spans
            characters = 0
            for done, document in enumerate(generate(lang, notes, seed=seed, split=split), start=1):
                characters, spans = characters + len(document.text), spans + len(document.spans)
                if done % 200 == 0:
                    progress(Commit(done=done, characters=characters), notes)
                yield document

        write(counted(), output, chosen)
    seconds = time.monotonic() - started
    stderr.print(f"[bold]{notes}[/] notes with {spans} spans written to [cyan]{output}[/], {notes / seconds:.0f} notes/s")
