"""Progress of work that is counted in steps: notes, iterations, trials."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from innominate.cli.console import stderr

PLAIN_EVERY = 10.0  # seconds between plain lines


class Tick(Protocol):
    """Counts one step and hands through what it is given."""

    def __call__(self, value: Any) -> Any:
        """Count."""


@contextmanager
def counting(what: str, total: int, done: int = 0) -> Iterator[Tick]:
    """Give a function that counts: a bar on a terminal, a line now and then elsewhere."""
    if not stderr.is_terminal:
        yield _plain(what, total, done)
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=stderr, transient=True) as bar:
        task = bar.add_task(what, total=total, completed=done)

        def tick(value: Any) -> Any:
            bar.advance(task)
            return value

        yield tick


def _plain(what: str, total: int, done: int) -> Tick:
    last = time.monotonic()

    def tick(value: Any) -> Any:
        nonlocal last, done
        done += 1
        if time.monotonic() - last >= PLAIN_EVERY:
            last = time.monotonic()
            stderr.print(f"{what}: {done} of {total}")
        return value

    return tick
