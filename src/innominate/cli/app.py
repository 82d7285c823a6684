"""The `innominate` program: its commands, and how errors leave it."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from rich.markup import escape

from innominate.cli.console import stderr
from innominate.core import InnominateError

WRONG_USE, STOPPED = 2, 3
# In the order of the help. A group is a module with an `app` of its own.
COMMANDS = [
    "deidentify",
    "conceal",
    "reidentify",
    "detect",
    "preview",
    "convert",
    "evaluate",
    "synth",
    "labels",
    "doctor",
    "tune",
]
GROUPS = ["campaign", "train", "study", "rules", "data", "keys", "policy"]


def assembled(names: Iterable[str]) -> typer.Typer:
    """The program with some of its commands. Only these are imported: a short command should not wait for the others."""
    program = typer.Typer(
        name="innominate",
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,  # a traceback with local variables would show note text
        add_completion=False,
        help="De-identify clinical text: find what identifies people, and conceal it. Offline.",
        epilog="Exit codes: 0 done, 1 done with quarantined notes, 2 wrong use, 3 stopped.",
    )
    program.callback()(_program)  # so that one command alone is still called by its name
    for name in names:
        module = import_module(f"innominate.cli.{name}")
        if name in GROUPS:
            program.add_typer(module.app, name=name)
        else:
            program.command(name=name, no_args_is_help=module.NEEDS_ARGUMENTS)(module.command)
    return program


def _program() -> None:
    """De-identify clinical text: find what identifies people, and conceal it. Offline."""


def __getattr__(name: str) -> Any:
    """`app`: the program with all its commands, put together when it is asked for."""
    if name == "app":
        return assembled([*COMMANDS, *GROUPS])
    raise AttributeError(name)


def main() -> None:
    """Run the program. No traceback ever reaches the user: it could quote the text of a note."""
    try:
        wanted = [name for name in sys.argv[1:2] if name in (*COMMANDS, *GROUPS)]
        assembled(wanted or [*COMMANDS, *GROUPS])(standalone_mode=True)
    except InnominateError as error:
        stderr.print(f"[bold red]error:[/] {escape(str(error))}", soft_wrap=True, highlight=False)
        sys.exit(WRONG_USE)
    except KeyboardInterrupt:
        stderr.print("[yellow]stopped[/]")
        sys.exit(STOPPED)
    except BrokenPipeError:
        sys.exit(0)
    except OSError as error:
        what = f"{error.filename}: {error.strerror}" if error.filename else error.strerror or type(error).__name__
        stderr.print(f"[bold red]error:[/] {escape(what)}", soft_wrap=True, highlight=False)
        sys.exit(STOPPED)
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{type(error).__name__} in {Path(frame.filename).name}:{frame.lineno}"
        stderr.print(f"[bold red]internal error:[/] {where}. Please report this line; it holds nothing of your notes.")
        sys.exit(STOPPED)
