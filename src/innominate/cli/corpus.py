"""`innominate corpus`: what an annotated corpus holds, and what a second reader should look at."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer
from rich.table import Table

from innominate.cli import options as o
from innominate.cli.console import stderr, stdout
from innominate.core import Document, Rejected
from innominate.evaluate.corpus import check_note, count_corpus
from innominate.formats import read
from innominate.labels import taxonomy

app = typer.Typer(no_args_is_help=True, help="Look at an annotated corpus as a whole.", rich_markup_mode="rich")

Source = Annotated[list[str], typer.Argument(metavar="SOURCE...", help="Annotated notes.")]


@app.command("stats", no_args_is_help=True)
def stats(source: Source, format: o.FormatName = None, option: o.FormatOptions = None) -> None:
    """Count notes, characters and marks, by language and label.

    [dim]innominate corpus stats corpus/train[/]
    """
    found = count_corpus(note for note in read(source, format, **o.key_values(option)) if isinstance(note, Document))
    languages = sorted(name for name in found if name)
    table = Table("", *languages, "all")
    all_of = [found[name] for name in (*languages, "")]
    table.add_row("notes", *(f"{one.notes:,}" for one in all_of))
    table.add_row("without marks", *(f"{one.empty:,}" for one in all_of))
    table.add_row("characters", *(f"{one.characters:,}" for one in all_of))
    table.add_row("marks", *(f"{one.marks.total():,}" for one in all_of))
    table.add_section()
    for label, _ in found[""].marks.most_common():
        table.add_row(label, *(f"{one.marks[label]:,}" for one in all_of))
    stdout.print(table)


@app.command("check", no_args_is_help=True)
def check(
    source: Source,
    taxonomy_name: Annotated[
        str, typer.Option("--taxonomy", metavar="NAME", help="Of the labels. [dim]Default: innominate[/]")
    ] = "innominate",
    format: o.FormatName = None,
    option: o.FormatOptions = None,
) -> None:
    """List what a second reader should look at: broken marks, unknown labels, words that are marked elsewhere.

    Ids, places and questions are printed, never text of a note. Exit code 1 if a mark is broken or a label unknown.

    [dim]innominate corpus check corpus/train/sv[/]
    """
    labels = taxonomy(taxonomy_name).labels
    asked: Counter[str] = Counter()
    notes = broken = 0
    for note in read(source, format, **o.key_values(option)):
        if isinstance(note, Rejected):
            broken += 1
            stdout.print(f"{note.id}: {note.reason}", highlight=False, markup=False)
            continue
        notes += 1
        for question in check_note(note, labels):
            asked[question.asks.split(" the ")[0]] += 1
            broken += "not known" in question.asks
            stdout.print(f"{question.id} {question.start}-{question.end}: {question.asks}", highlight=False, markup=False)
    stderr.print(f"[bold]{notes}[/] notes, {asked.total()} questions, {broken} broken")
    if broken:
        raise typer.Exit(1)
