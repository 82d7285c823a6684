"""The `innominate` program: its commands, and how errors leave it."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

import typer
from rich.markup import escape

from innominate.cli import (
    campaign,
    conceal,
    convert,
    data,
    deidentify,
    detect,
    doctor,
    evaluate,
    keys,
    labels,
    policy,
    preview,
    reidentify,
    rules,
    synth,
    train,
    tune,
)
from innominate.cli.console import stderr
from innominate.core import InnominateError

WRONG_USE, STOPPED = 2, 3

app = typer.Typer(
    name="innominate",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,  # a traceback with local variables would show note text
    add_completion=False,
    help="De-identify clinical text: find what identifies people, and conceal it. Offline.",
    epilog="Exit codes: 0 done, 1 done with quarantined notes, 2 wrong use, 3 stopped.",
)
for module in (deidentify, conceal, reidentify, detect, preview, convert, evaluate, synth, labels, doctor, tune):
    app.command(name=module.__name__.rpartition(".")[2], no_args_is_help=module.NEEDS_ARGUMENTS)(module.command)
app.add_typer(campaign.app, name="campaign")
app.add_typer(train.app, name="train")
app.add_typer(rules.app, name="rules")
app.add_typer(data.app, name="data")
app.add_typer(keys.app, name="keys")
app.add_typer(policy.app, name="policy")


def main() -> None:
    """Run the program. No traceback ever reaches the user: it could quote the text of a note."""
    try:
        app(standalone_mode=True)
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
