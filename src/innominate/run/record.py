"""The run record: what was done, with what, to how many notes. Written beside the output of every run."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from innominate import __version__
from innominate.formats.durable import replace_file
from innominate.run.audit import chain_record
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
    ended: str = ""  # ISO 8601, UTC
    command: Sequence[str] = ()  # as it was typed, without passwords
    made_with: Mapping[str, Any] = field(default_factory=dict)  # hashes; see `innominate.run.materials`
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
            "command": list(self.command),
            "started": self.started,
            "starts": list(self.counts.starts),
            "ended": self.ended,
            "seconds": round(self.seconds, 3),
            "workers": self.workers,
            "notes": {"in": self.counts.done, "out": self.counts.written, "quarantined": self.counts.quarantined},
            "languages": dict(sorted(self.counts.languages.items())),
            "formats": dict(sorted(self.counts.formats.items())),
            "million_characters": round(megabytes, 3),
            "million_characters_per_second": round(megabytes / self.seconds, 3) if self.seconds else None,
            **({"known_identifiers": dict(self.known)} if self.known else {}),
            **self.metadata,
            "made_with": dict(self.made_with),
            "spans": dict(sorted(self.counts.labels.items())),
            **({"concealment": self._concealment()} if self.action != "detect" else {}),
        }

    def _concealment(self) -> dict[str, Any]:
        counts = self.counts
        return {
            "strategies": dict(sorted(counts.strategies.items())),
            "labels": {label: dict(sorted(counts.treated[label].items())) for label in sorted(counts.treated)},
            "found_again": dict(sorted(counts.found_again.items())),
            "sentences_removed": counts.sentences_removed,
            **({"patients_apart": self.apart} if self.apart else {}),
            "notes_without_patient": self.without_patient,
            **({"vault": self.vault} if self.vault else {}),
        }

    def write(self, path: Path, written: Mapping[str, str]) -> str:
        """Write the record as readable JSON, chained to the one that is there, with hashes of what was written.

        Returns the hash of the record.
        """
        record = chain_record({**self.as_json(), "written": dict(written)}, path)
        replace_file(path, (json.dumps(record, ensure_ascii=False, indent=2) + "\n").encode())
        return str(record["sha256"])
