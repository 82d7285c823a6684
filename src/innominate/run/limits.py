"""The clock of a note: CPU seconds over all parts of the work on it, and a watchdog where no signal is heard."""

from __future__ import annotations

import faulthandler
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

from innominate.core import InnominateError

T = TypeVar("T")
SLACK = 3  # seconds on the wall for each of the CPU: the machine may have more to do than it has cores
GRACE = 5.0  # seconds on the wall in which a note that is over its time may still end by itself
REPEAT = 0.1  # seconds after which what was not heard is said again


class TimeLimitError(InnominateError):
    """The work on one note took too long."""


class NoteClock:
    """CPU seconds that the work on a note may take, in one or in several parts.

    It works by signals, so only in a main thread. Python, `re` and our own native code hear them at once; for what does not,
    there is `watching`.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = self.left = seconds
        self._is_running = False

    def run(self, work: Callable[[], T]) -> T:
        """The result of the work; TimeLimitError when the time is over.

        The error is raised again and again until the work ends, because Python drops what is raised in a destructor. A `with`
        block could not be left safely then: the error may also come at the first line of its `__exit__`.
        """
        if threading.current_thread() is not threading.main_thread():
            return work()
        if self.left <= 0:
            raise self._error()
        started = time.thread_time()  # of this thread: networks have others

        def hear(number: int, _frame: FrameType | None) -> None:
            if not self._is_running:
                return
            left = self.left - (time.thread_time() - started)
            if number == signal.SIGALRM or left <= 0:
                raise self._error()
            signal.setitimer(signal.ITIMER_PROF, max(left, 0.01), REPEAT)

        _watchdog.expect(self.left)
        previous = [(number, signal.signal(number, hear)) for number in (signal.SIGPROF, signal.SIGALRM)]
        try:
            self._is_running = True
            signal.setitimer(signal.ITIMER_PROF, self.left, REPEAT)
            signal.setitimer(signal.ITIMER_REAL, SLACK * self.left, REPEAT)  # it may wait for something that never comes
            return work()
        finally:
            self._is_running = False  # first, and not by a call: from here on no signal raises
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
            for number, handler in previous:
                signal.signal(number, handler)
            self.left -= time.thread_time() - started

    def _error(self) -> TimeLimitError:
        return TimeLimitError(f"took longer than {self.seconds:g} s")


class _Watchdog:
    """A thread without Python that ends the process if nobody calls it off in time. There can be but one."""

    def __init__(self) -> None:
        self.is_on, self._until = False, 0.0

    def expect(self, seconds: float) -> None:
        """A part of the work begins that may take so many CPU seconds."""
        if not self.is_on:
            return
        wall = SLACK * seconds + GRACE
        until = time.monotonic() + wall
        if abs(until - self._until) > 1:  # starting a thread for each part of each note would take too long
            self._until = until
            faulthandler.dump_traceback_later(wall + 1, exit=True, file=sys.__stderr__ or 2)

    def turn(self, on: bool) -> None:
        """Be there, or not."""
        self.is_on, self._until = on, 0.0
        faulthandler.cancel_dump_traceback_later()


_watchdog = _Watchdog()


@contextmanager
def watching(seconds: float) -> Iterator[None]:
    """End the process, with the lines of code it was at on stderr, if a clock in the block is over and no signal is heard.

    What is done without a clock may take so many seconds too.
    """
    _watchdog.turn(True)
    _watchdog.expect(seconds)
    try:
        yield
    finally:
        _watchdog.turn(False)
