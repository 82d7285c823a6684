"""`innominate keys`: the key that pseudonyms are made with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from innominate.cli.console import stderr, stdout
from innominate.conceal.keys import new_key, read_key

app = typer.Typer(no_args_is_help=True, help="Make the key of a project, and tell keys apart.")
KeyFile = Annotated[Path, typer.Argument(metavar="KEYFILE", help="The file of the key.")]


@app.command()
def new(path: KeyFile) -> None:
    """Make a new key. Whoever has it can link pseudonyms to originals; without it they cannot be made again.

    [dim]innominate keys new project.key[/]
    """
    key = new_key(path)
    stderr.print(f"wrote [cyan]{path}[/], which only you can read; its mark in run records is [bold]{key.fingerprint()}[/]")
    stderr.print("Keep it apart from the concealed texts, and keep a copy: the same key gives the same pseudonyms.")


@app.command()
def show(path: KeyFile) -> None:
    """Print the mark of a key, as run records have it. It says nothing about the key."""
    stdout.print(read_key(path).fingerprint())
