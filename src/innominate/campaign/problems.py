"""What was kept out of a campaign, and why."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that was kept out: why, on which line of which file, or else what it was. It quotes nothing of the text."""

    reason: str
    line: int | None = None
    what: str = ""
    file: str = ""

    def __str__(self) -> str:
        if self.file:
            return f"{self.file}:{self.line}: {self.reason}"
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.what}: {self.reason}"
