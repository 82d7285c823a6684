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
from innominate.campaign.store.answers import answer_record
from innominate.cli import options as o
from innominate.cli.campaign._options import StoreAddress
from innominate.cli.console import stderr
from innominate.core import Document, UsageError
from innominate.core.protocols import FileFormat, Format
from innominate.formats import format_named, read_documents, write
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
        made = _Documents(opened, documents, partial)
        if tasks:
            _write(exports.tasks(opened.samples()), output, format)
        elif reference is not None:
            _write(made.of_reference(reference), output, format)
        elif annotator is not None:
            _write(made.of_annotator(_person(opened, annotator), format), output, format)
        else:
            for person in opened.annotators():
                if found := list(made.of_annotator(person, format)):
                    _write(found, _place(output, person, format), format)


class _Documents:
    """Chunks, or whole notes, with the spans of a person or of a reference."""

    def __init__(self, store: Store, whole: bool, partial: bool) -> None:
        self._samples, self._answers = store.samples(), store.answers()
        self._notes = store.notes() if whole else []
        self._whole, self._partial = whole, partial

    def of_annotator(self, person: Annotator, format: Format) -> Iterable[Document]:
        """What one person accepted; for Prodigy, all that they decided."""
        if self._whole:
            return self._together(exports.accepted(self._answers, person.id))
        kind = exports.prodigy_tasks if format.name == "prodigy" else exports.chunks_of
        return kind(self._answers, self._samples, person)

    def of_reference(self, path: Path) -> Iterable[Document]:
        """A reference that was written chunk by chunk; its chunks must be those of the campaign."""
        texts = {sample.id: sample.text for sample in self._samples}
        found = list(read_documents(path))
        for document in found:
            if texts.get(document.id) != document.text:
                raise UsageError(f"{path}: {document.id!r} is not a sample of this campaign, or has another text")
        return self._together({document.id: document.spans for document in found}) if self._whole else found

    def _together(self, spans: exports.Spans) -> Iterable[Document]:
        found = exports.together(self._notes, spans, partial=self._partial)
        if found.left_out:
            stderr.print(f"[yellow]{found.left_out}[/] notes left out: not all of their chunks have an answer")
        return found.documents


def _everything(store: Store, output: str, annotator: str | None) -> None:
    found = [one for one in store.answers(latest=False, training=None) if annotator in (None, one.annotator)]
    with Path(output).open("wb") as file:
        file.writelines(exports.answer_lines(answer_record(one) for one in found))
    stderr.print(f"[bold]{len(found)}[/] answers written to [cyan]{output}[/]", soft_wrap=True)


def _person(store: Store, id: str) -> Annotator:
    for person in store.annotators():
        if person.id == id:
            return person
    raise UsageError(f"no annotator {id!r} is registered")


def _place(output: str, person: Annotator, format: Format) -> str:
    """Where one person's answers go: a file or folder named after them."""
    if is_database(output):
        raise UsageError("a database holds one opinion per note; choose a person with --annotator")
    name = person.id + (format.suffixes[0] if isinstance(format, FileFormat) and format.suffixes else "")
    Path(output).mkdir(parents=True, exist_ok=True)
    return str(Path(output) / name)


def _write(documents: Iterable[Document], output: str, format: Format) -> None:
    count = write(documents, output, format)
    stderr.print(f"[bold]{count}[/] documents written to [cyan]{output}[/]", soft_wrap=True)
