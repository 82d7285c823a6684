"""`innominate train charlm` and `wordlm`: the language models that networks read through."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from innominate.cli import options as o
from innominate.cli.console import stderr
from innominate.cli.counting import counting
from innominate.core import UsageError
from innominate.detect.crf.training import as_seen
from innominate.detect.neural.detector import NO_TORCH
from innominate.detect.neural.settings import read_typed
from innominate.formats import read_documents

Text = Annotated[str, typer.Option("--text", metavar="SOURCE", help="Notes or any text; annotations are not read.")]
Output = Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="Folder of the language model.")]
Before = Annotated[
    Path | None,
    typer.Option("--from", metavar="MODEL", help="Go on from one that has read something else: general text first."),
]
Set = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Setting: hidden=512, epochs=5. May be repeated.")
]
Recipe = TypeVar("Recipe")


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("charlm", no_args_is_help=True)(charlm)
    app.command("wordlm", no_args_is_help=True)(wordlm)


def charlm(
    text: Text,
    output: Output,
    before: Before = None,
    setting: Set = None,
    seed: o.WeightsSeed = 1,
    format: o.FormatName = None,
    option: o.FormatOptions = None,
) -> None:
    """Train two character language models, one that reads ahead and one backwards, on text without annotations."""
    try:
        from innominate.detect.neural.training.characters import CharLmRecipe, fit_charlm
    except ImportError:
        raise UsageError(NO_TORCH) from None

    recipe = _recipe(CharLmRecipe(), setting, seed)
    documents = [as_seen(note) for note in read_documents(text, format=format, **o.key_values(option))]
    with counting("epochs", 2 * recipe.epochs) as tick:

        def watch(way: str, epoch: int, loss: float) -> None:
            stderr.print(f"{way}, epoch {epoch}: {loss:.4f} nats per character", highlight=False)
            tick(None)

        last = fit_charlm(recipe, documents, output, before=before, watch=watch)
    stderr.print(
        f"[bold]{len(documents)}[/] notes read; {last['ahead']:.3f} and {last['behind']:.3f} nats per character. "
        f"Use them: innominate train flair --language-model {output}"
    )


def wordlm(
    text: Text,
    output: Output,
    before: Before = None,
    setting: Set = None,
    seed: o.WeightsSeed = 1,
    format: o.FormatName = None,
    option: o.FormatOptions = None,
) -> None:
    """Train a language model that guesses words from those before and from those after them, on text without annotations."""
    try:
        from innominate.detect.neural.training.words import WordLmRecipe, fit_wordlm
    except ImportError:
        raise UsageError(NO_TORCH) from None

    recipe = _recipe(WordLmRecipe(), setting, seed)
    notes = (as_seen(note) for note in read_documents(text, format=format, **o.key_values(option)))
    with counting("epochs", recipe.epochs) as tick:

        def watch(epoch: int, losses: dict[str, float]) -> None:
            ahead, behind = losses["ahead"], losses["behind"]
            stderr.print(f"epoch {epoch}: {ahead:.4f} ahead, {behind:.4f} behind, nats per word", highlight=False)
            tick(None)

        card = fit_wordlm(recipe, notes, output, before=before, watch=watch)
    stderr.print(
        f"[bold]{card['notes']}[/] notes read; {card['loss_ahead']:.3f} and {card['loss_behind']:.3f} nats per word. "
        f"Use it: innominate train bilstm-crf --word-lm {output}"
    )


def _recipe(default: Recipe, setting: list[str] | None, seed: int) -> Recipe:
    """The recipe with what a user has set."""
    known: dict[str, Any] = asdict(default)  # type: ignore[call-overload]
    values = o.key_values(setting)
    if unknown := sorted(values.keys() - known.keys()):
        raise UsageError(f"a language model has no setting {', '.join(unknown)}; there are: {', '.join(sorted(known))}")
    chosen = {name: read_typed(name, known[name], str(value)) for name, value in values.items()}
    return type(default)(**{**known, **chosen, "seed": seed})
