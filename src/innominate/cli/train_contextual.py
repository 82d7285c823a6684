"""`innominate train base` and `adapt`: an encoder from plain text, and the shipped model on a hospital's own notes."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from innominate.cli import options as o
from innominate.cli.console import stderr
from innominate.cli.counting import counting
from innominate.core import UsageError
from innominate.detect.neural.detector import NO_TORCH
from innominate.detect.neural.settings import change_settings
from innominate.formats import read_annotated, read_documents

Set = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Setting: layers=6, epochs=20. May be repeated.")
]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("base", no_args_is_help=True)(base)
    app.command("adapt", no_args_is_help=True)(adapt)


def base(
    text: Annotated[
        list[str], typer.Option("--text", metavar="SOURCE", help="Notes or any text; repeat it, once for each language.")
    ],
    output: o.ModelFolder,
    before: Annotated[
        Path | None, typer.Option("--from", metavar="MODEL", help="Go on from another base, or from a teacher's encoder.")
    ] = None,
    setting: Set = None,
    seed: o.WeightsSeed = 1,
    format: o.FormatName = None,
    option: o.FormatOptions = None,
) -> None:
    """Train an encoder on plain text by hiding words. Started again with the same folder, it goes on where it was.

    [dim]innominate train base --text notes/ -o base --from MODEL[/]
    """
    try:
        from innominate.detect.contextual.training.pretraining import BaseSettings, train_base
    except ImportError:
        raise UsageError(NO_TORCH) from None

    settings = change_settings(BaseSettings(), o.key_values(setting), seed)
    texts = {source: [note.text for note in read_documents(source, format=format, **o.key_values(option))] for source in text}
    with counting("percent", 100) as tick:
        shown = 0

        def watch(step: int, loss: float, share: float) -> None:
            nonlocal shown
            while shown < min(100, int(100 * share)):
                shown += 1
                tick(None)
            stderr.print(f"step {step}: {loss:.4f} nats for each hidden part", highlight=False)

        train_base(texts, output, settings, before=before, watch=watch)
    stderr.print(f"[bold]{sum(map(len, texts.values()))}[/] texts read; the encoder is in [cyan]{output}[/]")


def adapt(
    train: o.TrainingNotes,
    output: o.ModelFolder,
    start: Annotated[
        str, typer.Option("--from", metavar="MODEL", help="student (quick), teacher (better, wants a GPU), or a folder.")
    ] = "student",
    setting: Set = None,
    seed: o.WeightsSeed = 1,
    format: o.FormatName = None,
    option: o.FormatOptions = None,
) -> None:
    """Adapt the shipped contextual model to your own annotated notes: minutes on a laptop with a hundred of them.

    [dim]innominate train adapt --train mine/ -o model[/]
    """
    try:
        from innominate.detect.contextual.training.adapting import Adapting
        from innominate.detect.contextual.training.adapting import adapt as learn
    except ImportError:
        raise UsageError(NO_TORCH) from None
    from innominate.detect.contextual.detector import ContextualDetector

    how = change_settings(Adapting(), o.key_values(setting), seed)
    notes = read_annotated(train, format=format, **o.key_values(option))
    began = time.monotonic()
    with counting("epochs", how.epochs) as tick:

        def watch(epoch: int, loss: float) -> None:
            tick(None)
            stderr.print(f"epoch {epoch}: loss {loss:.4f}", highlight=False)

        learn(ContextualDetector(start).folder, notes, output, how, about={"notes": len(notes)}, watch=watch)
    stderr.print(
        f"[bold]{len(notes)}[/] notes learned in {time.monotonic() - began:.0f} s. "
        f"Use it: innominate detect NOTES --detector {output}; then: innominate tune {output} --dev NOTES"
    )
