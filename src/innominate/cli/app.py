"""The `innominate` program: its commands, and how errors leave it."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from innominate import __version__
from innominate.cli.console import stderr
from innominate.core import InnominateError
from innominate.run.stopping import Stopped, stop_by_exception

WRONG_USE, STOPPED, BY_SIGNAL = 2, 3, 128
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
GROUPS = ["campaign", "corpus", "train", "study", "rules", "data", "keys", "policy"]


def assembled(names: Iterable[str], stubs: Iterable[str] = ()) -> typer.Typer:
    """The program with some of its commands. Only these are imported: a short command should not wait for the others.

    Of stubs there is only the name: enough for a shell that completes it.
    """
    program = typer.Typer(
        name="innominate",
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,  # a traceback with local variables would show note text
        help="De-identify clinical text: find what identifies people, and conceal it. Offline.",
        epilog="Exit codes: 0 done, 1 done with quarantined notes, 2 wrong use, 3 stopped by an error, 130, 143 by a signal.",
    )
    program.callback()(_program)  # so that one command alone is still called by its name
    for name in names:
        module = import_module(f"innominate.cli.{name}")
        if name in GROUPS:
            program.add_typer(module.app, name=name)
        else:
            program.command(name=name, no_args_is_help=module.NEEDS_ARGUMENTS)(module.command)
    for name in stubs:
        program.command(name=name)(_nothing)
    return program


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"innominate {__version__}")
        raise typer.Exit


def _program(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """De-identify clinical text: find what identifies people, and conceal it. Offline."""


def _nothing() -> None:  # without a word about it: zsh shows what a command says of itself
    return


def _asked_for() -> typer.Typer:
    """The program with as many commands as this call needs."""
    everything = (*COMMANDS, *GROUPS)
    completing = "_INNOMINATE_COMPLETE" in os.environ  # a shell asks, at every press of the tabulator
    typed = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")
    words = typed.split()[1:] if completing else sys.argv[1:]
    wanted = [name for name in words[:1] if name in everything]
    if completing:
        return assembled(wanted, [name for name in everything if name not in wanted])
    return assembled([] if words[:1] == ["--version"] else wanted or everything)


def __getattr__(name: str) -> Any:
    """`app`: the program with all its commands, put together when it is asked for."""
    if name == "app":
        return assembled([*COMMANDS, *GROUPS])
    raise AttributeError(name)


def _show_warning(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    """Our own warnings are for the person at the terminal; those of others are for developers, and may quote anything."""
    if category.__module__.partition(".")[0] == "innominate":
        stderr.print(f"[bold black on yellow] warning [/] [bold]{escape(str(message))}[/]", soft_wrap=True)


def main() -> None:
    """Run the program. No traceback ever reaches the user: it could quote the text of a note."""
    warnings.showwarning = _show_warning
    stop_by_exception()
    try:
        _asked_for()(prog_name="innominate", standalone_mode=True)
    except InnominateError as error:
        stderr.print(f"[bold red]error:[/] {escape(str(error))}", soft_wrap=True, highlight=False)
        sys.exit(WRONG_USE)
    except Stopped as stop:
        stderr.print(f"[yellow]{stop}[/]; a run that has begun goes on with the same command and --resume", soft_wrap=True)
        sys.exit(BY_SIGNAL + stop.number)
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
