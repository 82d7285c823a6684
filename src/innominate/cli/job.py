"""What `deidentify`, `conceal` and `detect` have in common: from options to a batch, and the summary at the end."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import typer

from innominate.cli.option_sets import Reading, Running, Writing
from innominate.cli.options import key_values
from innominate.cli.progress import progress_of
from innominate.cli.summary import summarise
from innominate.core.protocols import Format
from innominate.formats.sources import DatabaseSource, is_database
from innominate.run.batch import Batch, Places
from innominate.run.inputs import Inputs, Source
from innominate.run.outcome import Task
from innominate.run.outputs import output_format
from innominate.run.patients import PatientTally
from innominate.run.pipeline import check
from innominate.run.record import RunRecord
from innominate.run.sealing import VaultFile
from innominate.run.settings import Settings, read_settings
from innominate.run.survey import Survey, digests, owner, surveyed
from innominate.run.table import Table
from innominate.run.units import Item, Unit, of_patients, single

LARGE = 2_000_000  # bytes of input from which on it is worth starting several processes


@dataclass(frozen=True)
class Job:
    """One run of the command line."""

    action: str
    sources: list[str]
    output: str
    reading: Reading = field(default_factory=Reading)
    writing: Writing = field(default_factory=Writing)
    running: Running = field(default_factory=Running)
    settings: Settings = field(default_factory=Settings)
    table: Table | None = None

    def configure(self, **choices: Any) -> Job:
        """Take settings from the file, then from the options; check that everything they name can be loaded."""
        settings = read_settings(self.running.config) if self.running.config else self.settings
        settings = settings.with_options(**choices, time_limit=self.running.time_limit)
        check(settings, detection=self.action != "conceal")
        return replace(self, settings=settings)

    def run(self, vault: VaultFile | None = None) -> None:
        """Run to the end, write the record, print the summary, and leave with the exit code that fits."""
        inputs: Source = self.table or self._inputs()
        choices = self.settings.recorded()  # now: a policy file may be edited while the run goes on
        task = Task(self.action, self.settings, vault=vault is not None, alone=True)
        crew = self.running.workers or ((os.cpu_count() or 1) if inputs.size() > LARGE else 1)
        fingerprint = self._fingerprint(inputs, vault)
        batch = Batch(task, self._writes(), Places(self.output), fingerprint, crew, vault)
        patients = PatientTally(self.settings)
        started, clock = datetime.now(UTC).isoformat(timespec="seconds"), time.monotonic()
        survey = surveyed(inputs, self.settings) if self.action != "detect" else None
        with progress_of(self.action, survey.notes if survey else inputs.count()) as progress:
            units = self._units(patients.over(inputs.items()), inputs, survey, task, crew)
            counts = batch.run(units, resume=self.running.resume, progress=progress)
        record = RunRecord(
            self.action,
            [_without_password(source) for source in self.sources],
            _without_password(self.output),
            self.settings,
            fingerprint,
            counts,
            started,
            time.monotonic() - clock,
            crew,
            finished=True,
            known=patients.counts if self.settings.patients else None,
            apart=len(survey.apart) if survey else 0,
            without_patient=survey.without_patient if survey and self.settings.key else 0,
            vault=str(vault.path) if vault else "",
            choices=choices,
        )
        record.write(batch.places.record)
        batch.forget()
        summarise(record, batch.places)
        raise typer.Exit(1 if counts.quarantined else 0)

    def _inputs(self) -> Inputs:
        return Inputs(tuple(self.sources), self.reading.format, key_values(self.reading.option))

    def _writes(self) -> Format:
        if self.table:
            return self.table.format()
        keep = self.settings.keep_meta if self.action != "detect" else None
        return output_format(self.output, self.writing.to, self._inputs(), key_values(self.writing.to_option), keep)

    def _units(self, items: Iterator[Item], inputs: Source, survey: Survey | None, task: Task, crew: int) -> Iterator[Unit]:
        """Notes of one patient together, unless they are only looked at; digests are made when the first note is wanted."""
        if self.action == "detect":
            yield from single(items)
            return
        apart = digests(inputs, survey, task, crew)
        yield from of_patients(items, owner(self.settings), apart)

    def _fingerprint(self, inputs: Source, vault: VaultFile | None) -> str:
        sealed = hashlib.sha256(str(vault.path).encode()).hexdigest()[:8] if vault else ""
        return "-".join(filter(None, (self.settings.fingerprint(), inputs.fingerprint(), self.action, sealed)))


def _without_password(place: str) -> str:
    return DatabaseSource(place).name if is_database(place) else place
