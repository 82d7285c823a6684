"""`innominate train charlm`, `wordlm` and `borrow`: what networks read through."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from innominate.cli import options as o
from innominate.cli.console import stderr
from innominate.cli.counting import counting
from innominate.core import Document, UsageError
from innominate.detect.crf.training import as_seen
from innominate.detect.neural.detector import NO_TORCH
from innominate.detect.neural.settings import change_settings
from innominate.formats import read_documents

SAYS = {
    "charlm": "Train two character language models, one that reads ahead and one backwards, on text without annotations.",
    "wordlm": "Train a language model that guesses words from those before and after them, on text without annotations.",
}


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    for kind, says in SAYS.items():
        app.command(kind, no_args_is_help=True, help=says)(_command(kind))
    app.command("borrow", no_args_is_help=True)(borrow)


def _command(kind: str) -> Callable[..., None]:
    def command(
        text: Annotated[str, typer.Option("--text", metavar="SOURCE", help="Notes or any text; annotations are not read.")],
        output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="Folder of the language model.")],
        before: Annotated[
            Path | None,
            typer.Option("--from", metavar="MODEL", help="Go on from one that has read something else: general text first."),
        ] = None,
        setting: Annotated[
            list[str] | None,
            typer.Option("--set", metavar="KEY=VALUE", help="Setting: hidden=512, epochs=5. May be repeated."),
        ] = None,
        seed: o.WeightsSeed = 1,
        format: o.FormatName = None,
        option: o.FormatOptions = None,
    ) -> None:
        notes = (as_seen(note) for note in read_documents(text, format=format, **o.key_values(option)))
        _train(kind, notes, output, before=before, settings=o.key_values(setting), seed=seed)

    return command


def _train(
    kind: str, notes: Iterator[Document], output: Path, *, before: Path | None, settings: dict[str, Any], seed: int
) -> None:
    try:
        from innominate.detect.neural.training.language_models import CharLmRecipe, WordLmRecipe, fit_charlm, fit_wordlm
    except ImportError:
        raise UsageError(NO_TORCH) from None

    by_words = kind == "wordlm"
    unit, use = ("word", "bilstm-crf --word-lm") if by_words else ("character", "flair --language-model")
    recipe: Any = change_settings(WordLmRecipe() if by_words else CharLmRecipe(), settings, seed)
    fit: Any = fit_wordlm if by_words else fit_charlm
    with counting("epochs", recipe.epochs if by_words else 2 * recipe.epochs) as tick:

        def watch(epoch: int, losses: dict[str, float]) -> None:
            said = ", ".join(f"{loss:.4f} {way}" for way, loss in losses.items())
            stderr.print(f"epoch {epoch}: {said}, nats per {unit}", highlight=False)
            tick(None)

        card = fit(recipe, notes, output, before=before, watch=watch)
    stderr.print(
        f"[bold]{card['notes']}[/] notes read; {card['loss_ahead']:.3f} and {card['loss_behind']:.3f} nats per {unit}. "
        f"Use it: innominate train {use} {output}"
    )


def borrow(
    encoder: Annotated[Path, typer.Argument(metavar="ENCODER", help="Folder with config.json, model.safetensors, vocab.txt.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="What networks read through.")],
    layers: Annotated[int, typer.Option("--layers", min=0, help="Read the last N only; fewer need less memory.")] = 0,
) -> None:
    """Make an encoder of the BERT family, which you have on your disk, ready to be read through; nothing is downloaded."""
    try:
        from innominate.detect.neural.training.borrow import borrow as take
    except ImportError:
        raise UsageError(NO_TORCH) from None

    card = take(encoder, output, layers)
    stderr.print(
        f"[bold]{card['read']}[/] layers of {card['size']} numbers, {card['words']} word pieces. "
        f"Use it: innominate train bilstm-crf --word-lm {output}"
    )
