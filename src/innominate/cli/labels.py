"""`innominate labels`: the taxonomies and what their labels become in each other."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from innominate.cli.console import stdout
from innominate.labels import mapping, names, taxonomy

NEEDS_ARGUMENTS = False


def command(
    name: Annotated[str | None, typer.Argument(metavar="[TAXONOMY]", help="chuv, hipaa, i2b2, meddocan or swedish.")] = None,
    to: Annotated[
        str | None, typer.Option("--to", metavar="TAXONOMY", help="Show what each label becomes in another one.")
    ] = None,
) -> None:
    """Show the sets of labels, or one of them, or a mapping.

    [dim]innominate labels chuv --to i2b2[/]
    """
    if name is None:
        stdout.print(_all())
        return
    shown = taxonomy(name)
    table = Table(title=shown.title, caption=shown.source, title_justify="left", caption_justify="left", box=None)
    for heading in ("label", "category", "identifier", to or "description"):
        table.add_column(heading)
    for label in shown.labels.values():
        last = (mapping(name, to)[label.name] or "[dim]none[/]") if to else label.description
        mark = " [dim](extension)[/]" if label.name in shown.extensions else ""
        hipaa = " [dim]HIPAA[/]" if label.hipaa and name != "hipaa" else ""
        table.add_row(
            Text(label.name, style=f"black on {label.colour}"), label.category, label.kind.identifier + hipaa, last + mark
        )
    stdout.print(table)


def _all() -> Table:
    table = Table(box=None)
    for heading in ("taxonomy", "language", "labels", "title"):
        table.add_column(heading)
    for name in names():
        known = taxonomy(name)
        extra = f" + {len(known.extensions)}" if known.extensions else ""
        table.add_row(f"[bold]{name}[/]", known.language, f"{len(known.standard)}{extra}", known.title)
    return table
