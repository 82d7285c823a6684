"""The journal of a batch: what is safely done, so that a run that was stopped goes on where it was.

One JSON line per commit, each forced to disk after the output it speaks of. What a crash left of a line is cut off.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any, BinaryIO

from innominate.core import UsageError
from innominate.formats.durable import open_private, partial_of, sync_folder


@dataclass(frozen=True, slots=True)
class Commit:
    """The state of a run at one moment: how many inputs are dealt with, and where each output file stands."""

    done: int = 0
    written: int = 0
    quarantined: int = 0
    characters: int = 0
    labels: Mapping[str, int] = field(default_factory=dict)
    output: Mapping[str, Any] | None = None
    quarantine: int = 0  # length in bytes of the quarantine file
    vault: int | None = None  # records in the vault
    spans: Mapping[str, Any] | None = None  # where the owner's list of spans stands
    strategies: Mapping[str, int] = field(default_factory=dict)
    found_again: Mapping[str, int] = field(default_factory=dict)  # by label: marked elsewhere, found again here
    sentences_removed: int = 0
    read: str = ""  # a mark of the notes that are dealt with, by which they are known again
    treated: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # by label and strategy, what was kept too
    languages: Mapping[str, int] = field(default_factory=dict)  # notes that were written
    formats: Mapping[str, int] = field(default_factory=dict)  # notes that were read
    starts: Sequence[str] = ()  # when the run began, and when it was resumed: ISO 8601, UTC
    complete: bool = False  # nothing is left to do but to give the output its final name


Watch = Callable[[Commit, int | None], None]  # called with how far a run is, and with how many notes there are if known


class Journal:
    """An append-only file beside the output that only its owner can read. The first line says which run it belongs to, and
    holds the secret that ids are made with where there is no key: it goes with the journal when the run is finished.

    Without a path nothing is kept: of a run that cannot be resumed, because it reads or writes a pipe.
    """

    def __init__(self, path: Path | None, fingerprint: str) -> None:
        self.path, self.fingerprint = path, fingerprint

    def start(self, secret: str) -> None:
        """Begin a new journal."""
        if self.path is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open_private(partial_of(self.path)) as file:  # aside: a journal that is there says whose it is
            _write_line(file, {"fingerprint": self.fingerprint, "secret": secret})
        partial_of(self.path).rename(self.path)
        sync_folder(self.path.parent)

    def secret(self) -> str:
        """The secret of the run that is to go on; empty if the journal does not say."""
        lines = self._lines()
        return str(json.loads(lines[0]).get("secret", "")) if lines else ""

    def commit(self, commit: Commit) -> None:
        """Add a line and force it to disk."""
        if self.path is None:
            return
        with open_private(self.path, append=True) as file:
            _write_line(file, asdict(commit))

    def cut_torn_lines(self) -> bool:
        """Forget what a crash left of a line, and say whether there is a run to go on with."""
        lines = self._lines()
        if self.path and self.path.exists():
            os.truncate(self.path, sum(map(len, lines)))
        return bool(lines)

    def last_commit(self) -> Commit:
        """The last complete commit of a run with the same settings and input; raises if it was another run."""
        lines = [json.loads(line) for line in self._lines()]
        if not lines:
            return Commit()
        if lines[0].get("fingerprint") != self.fingerprint:
            raise UsageError(
                f"{self.path} belongs to a run with other settings or other input, so it cannot be resumed. "
                "Give the same options and source again, or delete that file to start afresh."
            )
        return Commit(**lines[-1]) if len(lines) > 1 else Commit()

    def remove(self) -> None:
        """Delete the journal of a finished run."""
        if self.path:
            self.path.unlink(missing_ok=True)

    def _lines(self) -> list[bytes]:
        """The lines up to the first that is torn; what that one spoke of was not acknowledged."""
        if self.path is None or not self.path.exists():
            return []
        lines = self.path.read_bytes().splitlines(keepends=True)
        whole = takewhile(lambda numbered: _is_whole(numbered[1], first=numbered[0] == 0), enumerate(lines))
        return [line for _, line in whole]


def _is_whole(line: bytes, *, first: bool) -> bool:
    try:
        entry = json.loads(line)
    except ValueError:
        return False
    names = {"fingerprint"} if first else {"done", "output"}
    return line.endswith(b"\n") and isinstance(entry, dict) and names <= entry.keys()


def _write_line(file: BinaryIO, entry: Mapping[str, Any]) -> None:
    file.write(json.dumps(entry).encode() + b"\n")
    file.flush()
    os.fsync(file.fileno())
