"""Being asked to stop (Ctrl-C, `kill`, a terminal that closes): at once, but never between writing a note and counting it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(BaseException):
    """The process was asked to stop. No `except Exception` takes it for the failure of a note."""

    def __init__(self, number: int) -> None:
        super().__init__(f"stopped by {signal.Signals(number).name}")
        self.number = number


def stop_by_exception() -> None:
    """Let every signal that asks this process to stop raise `Stopped`; what is ignored, as under nohup, stays so."""

    def stop(number: int, _frame: FrameType | None) -> None:
        raise Stopped(number)

    for number in STOPS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, stop)


class _Shield:
    """Stands before whoever hears the signals, and holds them back while it is up. A process needs but one."""

    def __init__(self) -> None:
        self.height = 0
        self._before: dict[int, Any] = {}
        self._held: list[int] = []

    def take_place(self) -> bool:
        """Stand before the others, and say whether that is new. Python hears signals in its main thread alone."""
        if self._before or threading.current_thread() is not threading.main_thread():
            return False
        heard = {number: signal.getsignal(number) for number in STOPS}
        self._before = {number: who for number, who in heard.items() if who not in (None, signal.SIG_IGN)}
        for number in self._before:
            signal.signal(number, self._hear)
        return True

    def leave_place(self) -> None:
        """Let the others hear again."""
        before, self._before, self._held = self._before, {}, []
        for number, who in before.items():
            signal.signal(number, who)

    def pass_on(self) -> None:
        """Tell what was held back."""
        while self._held and not self.height:
            self._tell(self._held.pop(0), None)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self.height:
            self._held.append(number)
        else:
            self._tell(number, frame)

    def _tell(self, number: int, frame: FrameType | None) -> None:
        who = self._before.get(number, signal.SIG_DFL)
        if callable(who):
            who(number, frame)
            return
        signal.signal(number, who)
        signal.raise_signal(number)


_shield = _Shield()


@contextmanager
def listen_for_stops() -> Iterator[None]:
    """In the block, `hold_stops` holds."""
    mine = _shield.take_place()
    try:
        yield
    finally:
        if mine:
            _shield.leave_place()


@contextmanager
def hold_stops() -> Iterator[None]:
    """In the block nothing that asks the process to stop is heard; it is when the block ends."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _shield.height += 1
    try:
        yield
    finally:
        _shield.height -= 1
        _shield.pass_on()
