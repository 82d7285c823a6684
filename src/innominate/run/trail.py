"""What a run has read so far, as a running hash: that a resumed run reads something else is noticed, whatever the source."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator

from innominate.core import Document, UsageError
from innominate.run.journal import Commit
from innominate.run.units import Item, Unit


class Trail:
    """The hash of ids and texts up to each note. Files are known by their names and times too; a database by this alone."""

    def __init__(self, state: Commit) -> None:
        self._state, self._hash, self._read = state, hashlib.sha256(), 0
        self._marks: deque[tuple[int, str]] = deque()  # of notes that were read and are not yet committed

    def follow(self, units: Iterable[Unit]) -> Iterator[Unit]:
        """The units; where the notes that are done end, they have to be those of the first time."""
        for unit in units:
            for item in unit.items:
                self._take(item)
            yield unit
        if self._read < self._state.done:
            raise self._error()

    def mark_at(self, done: int) -> str:
        """The mark of so many notes."""
        while self._marks and self._marks[0][0] < done:
            self._marks.popleft()
        return self._marks[0][1] if self._marks and done else ""

    def _take(self, item: Item) -> None:
        told = item.text if isinstance(item, Document) else item.reason
        self._hash.update(f"{len(item.id)}:{item.id}{len(told)}:{told}".encode("utf-8", "surrogatepass"))
        self._read += 1
        if self._read < self._state.done:
            return
        mark = self._hash.hexdigest()[:16]
        self._marks.append((self._read, mark))
        if self._read == self._state.done and self._state.read not in ("", mark):
            raise self._error()

    def _error(self) -> UsageError:
        return UsageError(
            f"the input is not what it was when the run was stopped: the first {self._state.done} notes are others, so it "
            "cannot be resumed. Give the same input again, or name a new output."
        )
