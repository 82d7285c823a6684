"""`innominate data`: lists of your own, beside those that ship."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from innominate.cli.console import stderr, stdout
from innominate.cli.language_codes import CODES
from innominate.detect.rules.sources import add_words, list_added_words, list_path

app = typer.Typer(no_args_is_help=True, help="Add lists of names, places and other words to those that ship.")
Name = Annotated[
    str, typer.Argument(metavar="LIST", help="names:first, names:last, places:towns, or any list of a rule pack.")
]
Language = Annotated[str, typer.Option("--lang", metavar=CODES, help="Language whose rules use the list.")]


@app.command()
def add(
    name: Name,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="One word a line, or a CSV; gzipped or not.", exists=True)],
    lang: Language,
    column: Annotated[
        str | None, typer.Option("--column", metavar="NAME", help="Column of a CSV that holds the words.")
    ] = None,
    count: Annotated[
        str | None, typer.Option("--count", metavar="NAME", help="Column that says how frequent a word is.")
    ] = None,
    at_least: Annotated[float, typer.Option("--at-least", metavar="N", help="With --count: leave out rarer words.")] = 0,
) -> None:
    """Add words to a list. They stay in your data folder (INNOMINATE_DATA) and are used from the next run on.

    [dim]innominate data add names:last efternamn.csv --lang sv --column namn --count antal --at-least 10[/]
    """
    total = add_words(name, lang, file, column=column, count=count, at_least=at_least)
    stderr.print(f"{name} ({lang}) now has [bold]{total}[/] added words, in [cyan]{list_path(name, lang)}[/]", soft_wrap=True)


@app.command("list")
def list_added() -> None:
    """Show the lists that were added."""
    table = Table("language", "list", "words", box=None)
    for lang, name, words in list_added_words():
        table.add_row(lang, name, str(words))
    stdout.print(table if list_added_words() else "no list was added yet")


@app.command()
def remove(name: Name, lang: Language) -> None:
    """Delete an added list."""
    path = list_path(name, lang)
    path.unlink(missing_ok=True)
    stderr.print(f"removed [cyan]{path}[/]", soft_wrap=True)
