"""`innominate campaign export`: tasks, answers or the reference, in any format."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from innominate.campaign import exports
from innominate.campaign.records import Annotator
from innominate.campaign.store import Store, open_store
from innominate.cli import options as o
from innominate.cli.campaign._shared import StoreAddress
from innominate.cli.console import stderr
from innominate.core import Document, UsageError
from innominate.core.protocols import FileFormat, Format
from innominate.formats import format_named, read_documents, write
from innominate.formats.file_names import name_in_folder
from innominate.formats.sources import is_database
from innominate.run.outputs import name_for

ANSWERS = "answers"  # our own file with everything in it


def command(
    store: StoreAddress,
    output: o.Output,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="FORMAT|answers", help="Format. [dim]Default: from the suffix of OUT, else jsonl[/]"),
    ] = None,
    annotator: Annotated[
        str | None, typer.Option("--annotator", metavar="ID", help="One person's answers; else one output per person in OUT.")
    ] = None,
    tasks: Annotated[
        bool, typer.Option("--tasks", help="The chunks without answers, to annotate them in another tool.")
    ] = False,
    reference: Annotated[
        Path | None,
        typer.Option(
            "--reference", metavar="FILE", help="The reference, chunk by chunk, as [bold]campaign reference[/] writes it."
        ),
    ] = None,
    documents: Annotated[
        bool, typer.Option("--documents", help="Whole notes with offsets in the original text, instead of chunks.")
    ] = False,
    partial: Annotated[
        bool, typer.Option("--partial", help="With --documents: also notes of which only some chunks have an answer.")
    ] = False,
    to_option: o.ToOptions = None,
) -> None:
    """Write tasks, answers or the reference in any format. What is written holds notes as they are: treat it like them.

    [dim]innominate campaign export contest.db -o answers/[/]    [dim]innominate campaign export contest.db -o eva/
    --annotator eva --documents --to brat[/]
    """
    if sum((tasks, reference is not None, annotator is not None or to == ANSWERS)) > 1:
        raise UsageError("--tasks, --reference and the answers of annotators are three different things; choose one")
    with open_store(store, time.time()) as opened:
        if to == ANSWERS:
            _everything(opened, output, annotator)
            return
        format = format_named(to or name_for(output) or "jsonl", **o.key_values(to_option))
        made = exports.Documents(opened.samples(), opened.answers(), opened.notes() if documents else None, partial=partial)
        if tasks:
            _write(exports.tasks_as_documents(opened.samples()), output, format)
        elif reference is not None:
            found = made.of_reference(list(read_documents(reference)), str(reference))
            _write(_told(found), output, format)
        elif annotator is not None:
            _write(_told(made.of_annotator(opened.annotator(annotator), format.name)), output, format)
        else:
            for person in opened.annotators():
                if some := _told(made.of_annotator(person, format.name)):
                    _write(some, _place(output, person, format), format)


def _told(found: exports.Together) -> tuple[Document, ...]:
    """The documents; how many are left out is said."""
    if found.left_out:
        stderr.print(f"[yellow]{found.left_out}[/] notes left out: not all of their chunks have an answer")
    return found.documents


def _everything(store: Store, output: str, annotator: str | None) -> None:
    found = [one for one in store.answers(latest=False, training=None) if annotator in (None, one.annotator)]
    with Path(output).open("wb") as file:
        file.writelines(exports.answer_lines(found))
    stderr.print(f"[bold]{len(found)}[/] answers written to [cyan]{output}[/]", soft_wrap=True)


def _place(output: str, person: Annotator, format: Format) -> str:
    """Where one person's answers go: a file or folder named after them."""
    if is_database(output):
        raise UsageError("a database holds one opinion per note; choose a person with --annotator")
    name = name_in_folder(person.id) + (format.suffixes[0] if isinstance(format, FileFormat) and format.suffixes else "")
    Path(output).mkdir(parents=True, exist_ok=True)
    return str(Path(output) / name)


def _write(documents: Iterable[Document], output: str, format: Format) -> None:
    count = write(documents, output, format)
    stderr.print(f"[bold]{count}[/] documents written to [cyan]{output}[/]", soft_wrap=True)
