"""`innominate train KIND` for the neural kinds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from innominate.cli import options as o
from innominate.cli.console import stderr
from innominate.cli.counting import counting
from innominate.core import UsageError
from innominate.formats import read_documents

SAYS = {
    "bilstm": "Train the BiLSTM of the Swiss-French thesis: words alone, softmax; --set layers=2 for two layers.",
    "bilstm-crf": "Train a BiLSTM with characters, shapes and a CRF.",
    "cvt": "Train by cross-view training: also from notes without annotations, given by --unlabelled.",
    "encoder": "Train a small transformer with a CRF.",
}


def add_to(app: typer.Typer) -> None:
    """Add one command per kind."""
    for kind, says in SAYS.items():
        app.command(kind, no_args_is_help=True, help=says)(_command(kind))


def _command(kind: str) -> Callable[..., None]:
    def command(
        train: Annotated[str, typer.Option("--train", metavar="SOURCE", help="Annotated notes to learn from.")],
        dev: Annotated[str, typer.Option("--dev", metavar="SOURCE", help="Annotated notes that say when to stop.")],
        output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="Folder of the model.")],
        unlabelled: Annotated[
            str | None, typer.Option("--unlabelled", metavar="SOURCE", help="Notes without annotations, for cvt.")
        ] = None,
        setting: Annotated[
            list[str] | None,
            typer.Option("--set", metavar="KEY=VALUE", help="Setting: hidden=200, epochs=30. May be repeated."),
        ] = None,
        rare: Annotated[int, typer.Option("--rare", min=0, help="Leave out labels with fewer mentions.")] = 0,
        seed: Annotated[int, typer.Option("--seed", help="Same seed, same weights on a CPU.")] = 1,
        format: o.FormatName = None,
        option: o.FormatOptions = None,
    ) -> None:
        _train(
            kind,
            (train, dev, unlabelled),
            output,
            o.key_values(setting),
            rare,
            seed,
            {"format": format, **o.key_values(option)},
        )

    return command


def _train(
    kind: str,
    sources: tuple[str, str, str | None],
    output: Path,
    settings: dict[str, str],
    rare: int,
    seed: int,
    reading: dict[str, Any],
) -> None:
    try:
        from innominate.detect.neural.training.fit import fit, make_small
    except ImportError:
        raise UsageError("training neural models needs torch: pip install 'innominate[train]'") from None
    from innominate.detect.neural.settings import of_kind

    chosen = of_kind(kind).with_options({**{name: str(value) for name, value in settings.items()}, "seed": str(seed)})
    train, dev, more = (list(read_documents(source, **reading)) if source else [] for source in sources)
    with counting("epochs", chosen.recipe.epochs) as tick:

        def watch(progress: Any, _epochs: int) -> None:
            last = progress.history[-1]
            stderr.print(f"epoch {progress.epoch}: loss {last['loss']:.4f}, dev F1 {last['ner']:.4f}", highlight=False)
            tick(None)

        progress = fit(chosen, train, dev, output, unlabelled=more, rare=rare, watch=watch)
    fall = make_small(output, dev)
    stderr.print(
        f"[bold]{len(train)}[/] notes learned in {progress.seconds:.0f} s; dev F1 {progress.best:.4f}; eight-bit weights cost "
        f"{100 * fall:.2f} points. Use it: innominate detect NOTES --detector {output} -o spans.jsonl"
    )
