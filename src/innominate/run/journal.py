"""The journal of a batch: what is safely done, so that a run that was stopped goes on where it was.

One JSON line per commit, each forced to disk after the output it speaks of. A torn last line is ignored.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from innominate.core import UsageError
from innominate.formats.durable import open_private


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
        self._append({"fingerprint": self.fingerprint, "secret": secret}, anew=True)

    def secret(self) -> str:
        """The secret of the run that is to go on; empty if the journal does not say."""
        lines = self._lines()
        return str(lines[0].get("secret", "")) if lines else ""

    def commit(self, commit: Commit) -> None:
        """Add a line and force it to disk."""
        self._append(asdict(commit))

    def last_commit(self) -> Commit:
        """The last complete commit of a run with the same settings and input; raises if it was another run."""
        lines = self._lines()
        if not lines:
            return Commit()
        if lines[0].get("fingerprint") != self.fingerprint:
            raise UsageError(
                f"{self.path} belongs to a run with other settings or other input, so it cannot be resumed. "
                "Give the same options and source again, or start afresh without --resume."
            )
        return Commit(**lines[-1]) if len(lines) > 1 else Commit()

    def remove(self) -> None:
        """Delete the journal of a finished run."""
        if self.path:
            self.path.unlink(missing_ok=True)

    def _append(self, entry: Mapping[str, Any], *, anew: bool = False) -> None:
        if self.path is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open_private(self.path, append=not anew) as file:
            file.write(json.dumps(entry, ensure_ascii=False).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def _lines(self) -> list[dict[str, Any]]:
        if self.path is None or not self.path.exists():
            return []
        lines = []
        for line in self.path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                lines.append(json.loads(line))
            except json.JSONDecodeError:  # torn by a crash; what it spoke of was not acknowledged
                break
        return lines
