"""A time limit around the work on one note."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from innominate.core import InnominateError


class TimeLimitError(InnominateError):
    """The work on one note took too long."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeLimitError in the block when the time is over.

    Works by alarm signal, so only in a main thread. Native code that never returns to Python is not reached by it; for that
    the parent of a worker process keeps its own clock (see `workers`).
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def over(_signal: int, _frame: FrameType | None) -> None:
        raise TimeLimitError(f"took longer than {seconds:g} s")

    previous = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
