"""Work on a stream in several processes, with the results in the order of the input.

A worker that dies or hangs in native code takes only its own note with it: the notes it held are tried again one by one, and
the one that does it again is quarantined.
"""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import islice

from innominate.core import Document, Rejected
from innominate.run.outcome import Outcome, Quarantined, Task

Item = Document | Rejected
CHUNK_NOTES = 32
CHUNK_CHARACTERS = 200_000
GRACE = 5.0  # seconds a worker may be late before it is taken for dead


def outcomes(items: Iterable[Item], task: Task, workers: int) -> Iterator[Outcome]:
    """Yield the outcome of each item, in order."""
    if workers <= 1:
        yield from map(task, items)
        return
    with _Crew(task, workers) as crew:
        waiting: deque[tuple[list[Item], Future[list[Outcome]]]] = deque()
        chunks = _chunks(items)
        while True:
            for chunk in islice(chunks, 2 * workers - len(waiting)):
                waiting.append((chunk, crew.submit(chunk)))
            if not waiting:
                return
            chunk, future = waiting.popleft()
            done = crew.wait(chunk, future)
            if done is None:  # the pool broke: everything under way is lost, so hand it out again
                yield from crew.one_by_one(chunk)
                waiting = deque((held, crew.submit(held)) for held, _ in waiting)
            else:
                yield from done


def _chunks(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Cut the stream into pieces of similar work: many short notes or few long ones."""
    chunk: list[Item] = []
    size = 0
    for item in items:
        chunk.append(item)
        size += len(item.text) if isinstance(item, Document) else 0
        if len(chunk) >= CHUNK_NOTES or size >= CHUNK_CHARACTERS:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _work(task: Task, chunk: Sequence[Item]) -> list[Outcome]:
    return [task(item) for item in chunk]


class _Crew:
    """A process pool that is replaced when it breaks."""

    def __init__(self, task: Task, workers: int) -> None:
        self.task, self.workers = task, workers
        self.pool = self._new_pool()

    def __enter__(self) -> _Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self.pool.shutdown(wait=False, cancel_futures=True)

    def _new_pool(self) -> ProcessPoolExecutor:
        # spawn: forking a process that has threads (Arrow, a progress bar) can deadlock.
        return ProcessPoolExecutor(self.workers, mp_context=multiprocessing.get_context("spawn"))

    def submit(self, chunk: Sequence[Item]) -> Future[list[Outcome]]:
        return self.pool.submit(_work, self.task, chunk)

    def wait(self, chunk: Sequence[Item], future: Future[list[Outcome]]) -> list[Outcome] | None:
        """The results of a chunk, or None if its worker died or hung; the pool is then a new one."""
        # Chunks queue behind each other, so the clock allows for those before it.
        limit = (self.task.settings.time_limit + GRACE) * max(1, len(chunk)) * 2
        try:
            return future.result(timeout=limit)
        except (BrokenProcessPool, FutureTimeoutError):
            self._replace_pool()
            return None

    def _replace_pool(self) -> None:
        for process in list((self.pool._processes or {}).values()):
            with suppress(ProcessLookupError):
                process.kill()
        self.pool.shutdown(wait=False, cancel_futures=True)
        self.pool = self._new_pool()

    def one_by_one(self, chunk: Sequence[Item]) -> Iterator[Outcome]:
        """Try each item alone; the one that breaks its worker is quarantined."""
        for item in chunk:
            done = self.wait([item], self.submit([item]))
            yield done[0] if done else Quarantined(item.id, self.task.action, "the worker process died or hung on this note")
