"""What `deidentify` and `detect` have in common: from options to a batch, and the summary at the end."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import typer

from innominate.cli.options import key_values
from innominate.cli.progress import progress_of
from innominate.cli.summary import summarise
from innominate.formats.sources import DatabaseSource, is_database
from innominate.run.batch import Batch, Places
from innominate.run.inputs import Inputs
from innominate.run.journal import Commit
from innominate.run.outcome import Task
from innominate.run.outputs import output_format
from innominate.run.patients import PatientTally
from innominate.run.pipeline import check
from innominate.run.record import RunRecord
from innominate.run.settings import Settings, read_settings

LARGE = 2_000_000  # bytes of input from which on it is worth starting several processes


@dataclass(frozen=True)
class Job:
    """One run of the command line."""

    action: str
    sources: list[str]
    output: str
    format: str | None = None
    option: list[str] | None = None
    to: str | None = None
    to_option: list[str] | None = None
    config: Path | None = None
    settings: Settings = field(default_factory=Settings)

    def configure(self, **choices: Any) -> Job:
        """Take settings from the file, then from the options; check that everything they name can be loaded."""
        settings = (read_settings(self.config) if self.config else self.settings).with_options(**choices)
        check(settings)
        return replace(self, settings=settings)

    def run(self, *, workers: int | None, resume: bool) -> None:
        """Run to the end, write the record, print the summary, and leave with the exit code that fits."""
        inputs = Inputs(tuple(self.sources), self.format, key_values(self.option))
        keep = self.settings.keep_meta if self.action == "deidentify" else None
        writes = output_format(self.output, self.to, inputs, key_values(self.to_option), keep)
        crew = workers or ((os.cpu_count() or 1) if inputs.size() > LARGE else 1)
        fingerprint = f"{self.settings.fingerprint()}-{inputs.fingerprint()}"
        batch = Batch(Task(self.action, self.settings), writes, Places(self.output), fingerprint, crew)
        patients = PatientTally(self.settings)
        started, clock = datetime.now(UTC).isoformat(timespec="seconds"), time.monotonic()
        with progress_of(self.action, inputs.count()) as progress:
            counts = batch.run(patients.over(inputs.items()), resume=resume, progress=progress)
        record = self._record(counts, fingerprint, started, time.monotonic() - clock, crew)
        record = replace(record, known=patients.counts if self.settings.patients else None)
        record.write(batch.places.record)
        summarise(record, batch.places)
        raise typer.Exit(1 if counts.quarantined else 0)

    def _record(self, counts: Commit, fingerprint: str, started: str, seconds: float, crew: int) -> RunRecord:
        names = [_without_password(source) for source in self.sources]
        return RunRecord(
            self.action,
            names,
            _without_password(self.output),
            self.settings,
            fingerprint,
            counts,
            started,
            seconds,
            crew,
            finished=True,
        )


def _without_password(place: str) -> str:
    return DatabaseSource(place).name if is_database(place) else place
