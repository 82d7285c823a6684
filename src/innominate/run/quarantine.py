"""The list of notes that were withheld, one JSON line each."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path

from innominate.run.outcome import Quarantined


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
        line = json.dumps({key: value for key, value in asdict(entry).items() if value not in ("", None)}, ensure_ascii=False)
        with self.path.open("ab") as file:
            file.write(line.encode() + b"\n")
            self.size = file.tell()

    def commit(self) -> int:
        """Force the file to disk and return its length."""
        if self.size:
            with self.path.open("ab") as file:
                os.fsync(file.fileno())
        return self.size
