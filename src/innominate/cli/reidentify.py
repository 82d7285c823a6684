"""`innominate reidentify`: put the originals back, for a reason that is recorded."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from innominate.cli import options as o
from innominate.cli.console import stderr, stdout
from innominate.cli.option_sets import ReadingOptions, WritingOptions, expand_options
from innominate.cli.passphrase import passphrase
from innominate.conceal.vault import Vault
from innominate.core import UsageError
from innominate.formats import write
from innominate.formats.durable import keep_private
from innominate.run.inputs import Inputs
from innominate.run.outputs import output_format
from innominate.run.reidentify import check_private, find_user_name, reidentify

NEEDS_ARGUMENTS = True


@expand_options
def command(
    vault: Annotated[Path, typer.Option("--vault", metavar="FILE", help="The vault that the run wrote.")],
    reading: ReadingOptions,
    writing: WritingOptions,
    sources: Annotated[
        list[str] | None, typer.Argument(metavar="[CONCEALED...]", help="The concealed notes, as the run wrote them.")
    ] = None,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="OUT", help="Where to write the originals. [dim]Default: nothing[/]")
    ] = "",
    ids: Annotated[
        list[str] | None,
        typer.Option(
            "--id",
            metavar="ID",
            help="Only this note, by its id in the source or in the output. May be repeated.",
        ),
    ] = None,
    reason: Annotated[
        str | None, typer.Option("--reason", metavar="TEXT", help="Why; recorded in the vault. Asked for if not given.")
    ] = None,
    log: Annotated[bool, typer.Option("--log", help="Only list who re-identified what, when and why.")] = False,
    passphrase_file: o.PassphraseFile = None,
) -> None:
    """Put the originals back into concealed notes. Who, when, why and which notes is recorded in the vault before.

    [dim]innominate reidentify clean.jsonl --vault project.vault --id n17 -o found.jsonl[/]

    [dim]innominate reidentify --vault project.vault --log[/]
    """
    if not log and not (sources and output):
        raise UsageError("name the concealed notes and, with -o, where to write the originals; or ask for the --log alone")
    if not vault.exists():
        raise UsageError(f"there is no vault {vault}; it is written by deidentify or conceal with --vault FILE")
    words = passphrase(vault, passphrase_file)
    if log:
        with Vault.open(vault, words, writing=False) as opened:
            _print_log(opened)
        return
    check_private(output)
    inputs = Inputs(tuple(sources or ()), reading.format, o.key_values(reading.option))
    with Vault.open(vault, words) as opened:
        why = reason if reason is not None else typer.prompt("Reason", err=True)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        originals = reidentify(opened, inputs, ids or (), reason=why, who=find_user_name(), when=now)
    with keep_private():
        write(originals, output, output_format(output, writing.to, inputs, o.key_values(writing.to_option)))
    stderr.print(
        f"[bold]{len(originals)}[/] notes written to [cyan]{output}[/] with their originals; the reason is in the vault"
    )


def _print_log(vault: Vault) -> None:
    accesses = vault.accesses()
    if not accesses:
        stdout.print("nobody was re-identified")
        return
    table = Table("when", "who", "notes", "reason", box=None)
    for access in accesses:
        notes = ", ".join(access["documents"][:5]) + (" ..." if len(access["documents"]) > 5 else "")
        table.add_row(access["when"], Text(access["who"]), Text(notes), Text(access["reason"]))
    stdout.print(table)
