"""What is said about notes that cannot be read."""

from __future__ import annotations

from innominate.cli.console import stderr
from innominate.core import Rejected


def say_left_out(item: Rejected) -> None:
    """Name what is left out, and why."""
    stderr.print(f"[red]left out:[/] {item}", soft_wrap=True, highlight=False)
