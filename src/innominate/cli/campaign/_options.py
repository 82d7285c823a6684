"""Arguments that the subcommands share."""

from __future__ import annotations

from typing import Annotated

import typer

StoreAddress = Annotated[
    str, typer.Argument(metavar="STORE", help="The campaign's file, or the URL of its PostgreSQL database.")
]
