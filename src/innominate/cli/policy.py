"""`innominate policy`: what policies there are, and what one of them does, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from innominate.cli.console import stderr, stdout
from innominate.cli.language_codes import CODES
from innominate.conceal.policy.explain import Explanation, explain_policy, summarise_policy
from innominate.conceal.policy.policy import Policy, hash_policy, load_policy, policy_names
from innominate.report.policy import render_policy, tabulate_policy

app = typer.Typer(no_args_is_help=True, help="Policies: what each kind of identifier becomes.")


@app.command("list")
def list_policies() -> None:
    """List the policies that ship. [dim]A policy of your own is a TOML file.[/]"""
    table = Table("policy", "key", "what it does", box=None)
    for name in policy_names():
        chosen = load_policy(name)
        table.add_row(f"[bold]{name}[/]", "needed" if chosen.needs_key else "", escape(chosen.title))
    stdout.print(table)


@app.command("explain")
def explain_command(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE", help="A policy of the list, or a TOML file.")],
    lang: Annotated[
        str, typer.Option("--lang", metavar=CODES, help="The language whose labels and examples are shown.")
    ] = "en",
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write a page to read, print and sign.")] = None,
) -> None:
    """Say in plain words what a policy does to each kind of identifier, with an example.

    [dim]innominate policy explain hipaa-safe-harbor[/]

    [dim]innominate policy explain ours.toml --lang fr --html policy.html[/]
    """
    chosen = load_policy(name)
    explained = explain_policy(chosen, lang)
    if html:
        html.write_text(
            render_policy(chosen, explained, summarise_policy(chosen), mark=hash_policy(name), lang=lang), encoding="utf-8"
        )
        stderr.print(f"wrote [cyan]{html}[/]")
        return
    _print(chosen, explained)


def _print(chosen: Policy, explained: Sequence[Explanation]) -> None:
    stdout.print(f"[bold]{escape(chosen.title or chosen.name)}[/]\n")
    stdout.print(tabulate_policy(explained))
    for line in summarise_policy(chosen):
        stdout.print(f"\n{line}", markup=False)
