"""Progress of long work: a moving line on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from innominate.cli.console import stderr
from innominate.run.journal import Commit, Watch

PLAIN_EVERY = 10.0  # seconds between plain lines


@contextmanager
def progress_of(what: str) -> Iterator[Watch]:
    """Give a function that shows the state of a run, with how many notes there are where that is known."""
    started = time.monotonic()
    if not stderr.is_terminal:
        yield _plain(what, started)
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[speed]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=stderr, transient=True) as bar:
        task = bar.add_task(what, total=None, speed="")

        def show(state: Commit, total: int | None) -> None:
            bar.update(task, completed=state.done, total=total, speed=_speed(state, started))

        yield show


def _plain(what: str, started: float) -> Watch:
    last = started

    def show(state: Commit, _total: int | None) -> None:
        nonlocal last
        if time.monotonic() - last >= PLAIN_EVERY:
            last = time.monotonic()
            stderr.print(f"{what}: {state.done} notes, {_speed(state, started)}")

    return show


def _speed(state: Commit, started: float) -> str:
    rate = state.characters / 1e6 / max(time.monotonic() - started, 1e-9)
    withheld = f", {state.quarantined} quarantined" if state.quarantined else ""
    return f"{rate:.1f} MB/s{withheld}"
