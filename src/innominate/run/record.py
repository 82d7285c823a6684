"""The run record: what was done, with what, to how many notes. Written beside the output of every run."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from innominate import __version__
from innominate.formats.durable import sync_file
from innominate.run.journal import Commit
from innominate.run.settings import Settings


@dataclass(frozen=True, slots=True)
class RunRecord:
    """Enough to repeat the run and to defend its numbers. in = out + quarantined, always."""

    action: str
    sources: Sequence[str]
    output: str
    settings: Settings
    fingerprint: str
    counts: Commit
    started: str  # ISO 8601, UTC
    seconds: float
    workers: int
    finished: bool
    known: Mapping[str, int] | None = None  # notes by whether the patient file knows their patient
    apart: int = 0  # patients whose notes do not stand side by side in the source
    without_patient: int = 0  # notes that name none, each of which is concealed by itself
    vault: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)  # what became of every key, or column of a table
    choices: Mapping[str, Any] | None = None  # the settings as they were recorded when the run began

    def as_json(self) -> dict[str, Any]:
        """The record as plain values."""
        megabytes = self.counts.characters / 1e6
        return {
            "innominate": __version__,
            "python": platform.python_version(),
            "action": self.action,
            "finished": self.finished,
            "sources": list(self.sources),
            "output": self.output,
            "settings": dict(self.choices or self.settings.recorded()),
            "fingerprint": self.fingerprint,
            "started": self.started,
            "seconds": round(self.seconds, 3),
            "workers": self.workers,
            "notes": {"in": self.counts.done, "out": self.counts.written, "quarantined": self.counts.quarantined},
            "million_characters": round(megabytes, 3),
            "million_characters_per_second": round(megabytes / self.seconds, 3) if self.seconds else None,
            **({"known_identifiers": dict(self.known)} if self.known else {}),
            **self.metadata,
            "spans": dict(sorted(self.counts.labels.items())),
            **({"concealment": self._concealment()} if self.action != "detect" else {}),
        }

    def _concealment(self) -> dict[str, Any]:
        counts = self.counts
        return {
            "strategies": dict(sorted(counts.strategies.items())),
            "found_again": dict(sorted(counts.found_again.items())),
            "sentences_removed": counts.sentences_removed,
            **({"patients_apart": self.apart} if self.apart else {}),
            "notes_without_patient": self.without_patient,
            **({"vault": self.vault} if self.vault else {}),
        }

    def write(self, path: Path) -> None:
        """Write the record as readable JSON."""
        path.write_text(json.dumps(self.as_json(), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        sync_file(path)


def read_record(path: Path) -> Mapping[str, Any]:
    """Read a record back."""
    content: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content
