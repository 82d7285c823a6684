"""`innominate train wordlm`: the word-level language model that a tagger can read through."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from innominate.cli import options as o
from innominate.cli.console import stderr
from innominate.cli.counting import counting
from innominate.cli.train_neural import NO_TORCH
from innominate.core import UsageError
from innominate.detect.crf.training import as_seen
from innominate.detect.neural.settings import typed
from innominate.formats import read_documents


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("wordlm", no_args_is_help=True)(wordlm)


def wordlm(
    text: Annotated[str, typer.Option("--text", metavar="SOURCE", help="Notes or any text; annotations are not read.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="Folder of the model.")],
    before: Annotated[
        Path | None,
        typer.Option("--from", metavar="MODEL", help="Go on from a model that has read something else: general text first."),
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Setting: hidden=1024, epochs=5. May be repeated."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Same seed, same weights on a CPU.")] = 1,
    format: o.FormatName = None,
    option: o.FormatOptions = None,
) -> None:
    """Train a language model that guesses words from those before and from those after them, on text without annotations."""
    try:
        from innominate.detect.neural.training.word_language_model import WordLmRecipe
        from innominate.detect.neural.training.wordlm import fit_wordlm
    except ImportError:
        raise UsageError(NO_TORCH) from None

    values, known = o.key_values(setting), asdict(WordLmRecipe())
    if unknown := sorted(values.keys() - known.keys()):
        raise UsageError(f"a language model has no setting {', '.join(unknown)}; there are: {', '.join(sorted(known))}")
    chosen = {name: typed(name, known[name], str(value)) for name, value in values.items()}
    recipe = WordLmRecipe(**{**chosen, "seed": seed})
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
