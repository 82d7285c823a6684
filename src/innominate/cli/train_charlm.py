"""`innominate train charlm`: the two character language models that flair reads through."""

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
from innominate.formats import read_documents


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("charlm", no_args_is_help=True)(charlm)


def charlm(
    text: Annotated[str, typer.Option("--text", metavar="SOURCE", help="Notes or any text; annotations are not read.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="Folder of the two models.")],
    before: Annotated[
        Path | None,
        typer.Option("--from", metavar="MODEL", help="Go on from models that have read something else: general text first."),
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Setting: hidden=512, epochs=5. May be repeated."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Same seed, same weights on a CPU.")] = 1,
    format: o.FormatName = None,
    option: o.FormatOptions = None,
) -> None:
    """Train two character language models, one that reads ahead and one backwards, on text without annotations."""
    try:
        from innominate.detect.neural.training.charlm import fit_charlm
        from innominate.detect.neural.training.language_model import LmRecipe
    except ImportError:
        raise UsageError(NO_TORCH) from None

    values = o.key_values(setting)
    known = asdict(LmRecipe())
    if unknown := sorted(values.keys() - known.keys()):
        raise UsageError(f"language models have no setting {', '.join(unknown)}; there are: {', '.join(sorted(known))}")
    try:
        recipe = LmRecipe(**{**{name: type(known[name])(value) for name, value in values.items()}, "seed": seed})
    except ValueError as error:
        raise UsageError(f"a setting is no number: {error}") from None
    documents = list(read_documents(text, format=format, **o.key_values(option)))
    with counting("epochs", 2 * recipe.epochs) as tick:

        def watch(way: str, epoch: int, loss: float) -> None:
            stderr.print(f"{way}, epoch {epoch}: {loss:.4f} nats per character", highlight=False)
            tick(None)

        last = fit_charlm(recipe, documents, output, before=before, watch=watch)
    stderr.print(
        f"[bold]{len(documents)}[/] notes read; {last['ahead']:.3f} and {last['behind']:.3f} nats per character. "
        f"Use them: innominate train flair --language-model {output}"
    )
