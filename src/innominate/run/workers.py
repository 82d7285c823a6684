"""Work on a stream in several processes, with the results in the order of the input.

A worker that dies, or ends itself because a note hangs, takes only that note with it: the notes that were worked on are tried
again one by one, and the one that does it again is quarantined. A worker never outlives the process it works for.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from dataclasses import replace
from itertools import chain, islice
from multiprocessing.connection import wait
from typing import Any, TypeVar

from innominate.core import UsageError
from innominate.detect.models.named import UselessModelWarning
from innominate.run.limits import watching
from innominate.run.outcome import Outcome, Quarantined, Task
from innominate.run.stopping import hold_stops
from innominate.run.units import Item, Unit

T = TypeVar("T")
Share = tuple[Unit, int]  # a unit, and how many of its items are done already
CHUNK_NOTES = 32
CHUNK_CHARACTERS = 200_000
_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of linux/prctl.h
Handed = tuple[list[Share], Future[list[Outcome]] | None]  # a chunk that is under way; None if it has to be taken apart


def outcomes(shares: Iterable[Share], task: Task, workers: int) -> Generator[Outcome, None, None]:
    """Yield the outcome of each item that is not done, in order.

    One worker is this process, but for long work of a process that does nothing else: there a note that hangs must not end it.
    """
    chunks = _chunks(shares)
    first = list(islice(chunks, 2))
    if workers <= 1 and (len(first) < 2 or not task.alone):
        for chunk in chain(first, chunks):
            yield from _work(task, chunk)
        return
    with _Crew(task, max(1, workers)) as crew:
        yield from crew.outcomes(chain(first, chunks))


def _chunks(shares: Iterable[Share]) -> Iterator[list[Share]]:
    """Cut the stream into pieces of similar work: many short notes or few long ones."""
    chunk: list[Share] = []
    notes = size = 0
    for share in shares:
        chunk.append(share)
        notes, size = notes + len(share[0]), size + share[0].characters
        if notes >= CHUNK_NOTES or size >= CHUNK_CHARACTERS:
            yield chunk
            chunk, notes, size = [], 0, 0
    if chunk:
        yield chunk


_task: Task | None = None  # of a worker process


def _begin(task: Task) -> None:
    """Give a worker process its task: once, because a task may hold a detector with its model."""
    global _task  # noqa: PLW0603 - the state of a worker process
    _die_with_parent()
    _task = replace(task, alone=True)
    warnings.simplefilter("ignore", UselessModelWarning)  # said once, by the process that started the run


def _die_with_parent() -> None:
    """End this process when the one that started it is gone: it holds notes, and the pipes of a command nobody waits for.

    Linux does so whatever this process is at. Elsewhere, and if the parent is gone already, a thread sees the end of its pipe.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def end_after() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=end_after, daemon=True).start()


def _work_on(chunk: Sequence[Share]) -> list[Outcome]:
    assert _task is not None
    return _work(_task, chunk)


def _nothing() -> None:
    """What a worker can do as soon as it has its task."""


def _work(task: Task, chunk: Sequence[Share]) -> list[Outcome]:
    with watching(task.settings.time_limit) if task.alone else nullcontext():
        units = task.look_ahead([unit for unit, _ in chunk])
        return [outcome for unit, (_, done) in zip(units, chunk, strict=True) for outcome in task.work(unit)[done:]]


def _has_results(future: Future[list[Outcome]]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


class _Crew:
    """A process pool that is replaced when it breaks."""

    def __init__(self, task: Task, workers: int) -> None:
        self.task, self.workers = replace(task, alone=True), workers
        self.apart: _Crew | None = None  # for notes that are tried one by one: the others go on
        self.pool = self._new_pool()
        if task.settings.objects:
            self._check_objects()

    def __enter__(self) -> _Crew:
        return self

    def _check_objects(self) -> None:
        """See that what was given as an object arrives in another process; a worker that dies of it looks like a bad note."""
        try:
            self._hand_over(_nothing).result()
        except Exception as error:
            self.pool.shutdown(wait=False, cancel_futures=True)
            given = ", ".join(type(one).__name__ for one in self.task.settings.objects)
            raise UsageError(
                f"{given}: what is given as an object cannot be sent to another process ({type(error).__name__}); define its "
                "class in a module that can be imported, or use one worker"
            ) from None

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        for crew in filter(None, (self, self.apart)):
            crew._leave(at_once=failure is not None)

    def _leave(self, *, at_once: bool) -> None:
        workers = list((self.pool._processes or {}).values()) if at_once else []  # Python 3.14 has kill_workers for this
        for worker in workers:  # nobody wants what they are at, and the process would wait for it at its end
            worker.kill()
        self.pool.shutdown(wait=False, cancel_futures=True)

    def _new_pool(self) -> ProcessPoolExecutor:
        # spawn: forking a process that has threads (Arrow, a progress bar) can deadlock.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.workers, mp_context=context, initializer=_begin, initargs=(self.task,))

    def submit(self, chunk: Sequence[Share]) -> Future[list[Outcome]]:
        return self._hand_over(_work_on, chunk)

    def _hand_over(self, function: Callable[..., T], *given: Any) -> Future[T]:
        with hold_stops():  # a process that is half started would never end
            # Ctrl-C goes to all processes of a terminal: workers, which are started here, leave it to this one
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            try:
                return self.pool.submit(function, *given)
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def outcomes(self, chunks: Iterator[list[Share]]) -> Iterator[Outcome]:
        """The results of all chunks, in order."""
        waiting: deque[Handed] = deque()
        while True:
            for chunk in islice(chunks, 2 * self.workers - len(waiting)):
                waiting.append((chunk, self.submit(chunk)))
            if not waiting:
                return
            chunk, future = waiting.popleft()
            if future is None:
                yield from self.one_by_one(chunk)
                continue
            try:
                yield from future.result()
            except BrokenProcessPool:
                waiting = deque(self._handed_again([(chunk, future), *waiting]))

    def _handed_again(self, handed: Sequence[Handed]) -> Iterator[Handed]:
        """What was under way when the pool broke: the chunks that workers were at, the first of those lost, are suspects."""
        sound = [future is None or _has_results(future) for _, future in handed]
        self._replace_pool()
        suspects = 0
        for (chunk, future), keep in zip(handed, sound, strict=True):
            suspects += not keep
            yield chunk, future if keep else None if suspects <= self.workers else self.submit(chunk)

    def _replace_pool(self) -> None:
        self.pool.shutdown(wait=False, cancel_futures=True)
        self.pool = self._new_pool()

    def one_by_one(self, chunk: Sequence[Share]) -> Iterator[Outcome]:
        """Try each unit alone; in one that breaks its worker each item alone, and those that do not, together again."""
        for unit, done in chunk:
            found = self._alone(unit)
            if found is None:
                broken = {item.id for item in unit.items if len(unit) == 1 or self._alone(Unit((item,), unit.known)) is None}
                sound = tuple(item for item in unit.items if item.id not in broken)
                rest = iter((self._alone(Unit(sound, unit.known)) or []) if sound else [])
                found = [
                    self._withheld(item) if item.id in broken else next(rest, self._withheld(item)) for item in unit.items
                ]
            yield from found[done:]

    def _alone(self, unit: Unit) -> list[Outcome] | None:
        """The results of a unit, or None if its worker died."""
        if self.apart is None:
            self.apart = _Crew(self.task, 1)
        try:
            return self.apart.submit([(unit, 0)]).result()
        except BrokenProcessPool:
            self.apart._replace_pool()
            return None

    def _withheld(self, item: Item) -> Outcome:
        return Quarantined(item.id, self.task.action, "the worker process died or hung on this note")
