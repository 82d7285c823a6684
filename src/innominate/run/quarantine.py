"""The owner's list of notes that were withheld, one JSON line each: where each was read, and the id it would have got."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, replace
from pathlib import Path
from typing import BinaryIO, Protocol

from innominate.formats.durable import open_private
from innominate.run.outcome import Quarantined


class Quarantine(Protocol):
    """Takes the notes that are withheld."""

    def add(self, entry: Quarantined) -> None:
        """Add one entry."""

    def commit(self) -> int:
        """Make what was added durable and return its length in bytes."""


def line_of(entry: Quarantined) -> bytes:
    """An entry as a line; what is not known is left out. It cannot fail: a name that is not UTF-8 is written in escapes."""
    told = {key: value for key, value in asdict(entry).items() if value not in ("", None)}
    return json.dumps(told, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


class QuarantineFile:
    """Appends entries; created with the first one, so that a clean run leaves no such file."""

    def __init__(self, path: Path, *, resume_at: int = 0) -> None:
        self.path = path
        self.size = resume_at
        if resume_at and path.exists():
            os.truncate(path, resume_at)
        else:
            path.unlink(missing_ok=True)

    def add(self, entry: Quarantined) -> None:
        """Add one entry."""
        with open_private(self.path, append=True) as file:
            file.write(line_of(entry))
            self.size = file.tell()

    def commit(self) -> int:
        """Force the file to disk and return its length."""
        if self.size:
            with self.path.open("ab") as file:
                os.fsync(file.fileno())
        return self.size


class QuarantineStream:
    """Writes entries to a stream: nothing can lie beside standard output, so they go to standard error.

    What is written there ends in logs, so files are not named: the number of a note says which one it is.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def add(self, entry: Quarantined) -> None:
        """Write one line."""
        self._stream.write(line_of(replace(entry, source="")))

    def commit(self) -> int:
        """Send what was written; there is nothing to come back to."""
        self._stream.flush()
        return 0
