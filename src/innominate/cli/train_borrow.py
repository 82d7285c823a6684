"""`innominate train borrow`: an encoder that somebody else has trained, for networks to read through."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from innominate.cli.console import stderr
from innominate.core import UsageError
from innominate.detect.neural.detector import NO_TORCH


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("borrow", no_args_is_help=True)(borrow)


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
