"""A job: what `deidentify`, `conceal` and `detect` do, from sources to an output with its record."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from innominate.core import UsageError
from innominate.core.protocols import Format
from innominate.run.audit import hash_output
from innominate.run.batch import Batch, OutputPlaces
from innominate.run.inputs import Inputs, Source, name_without_password, show_command
from innominate.run.journal import Watch
from innominate.run.materials import hash_materials
from innominate.run.metadata import MetaDecisions, read_kept_meta
from innominate.run.outcome import Task
from innominate.run.outputs import output_format
from innominate.run.patients import PatientTally
from innominate.run.pipeline import check
from innominate.run.record import RunRecord
from innominate.run.sealing import VaultFile
from innominate.run.settings import Settings
from innominate.run.survey import Survey, digest_patients, gather_names, patient_finder, survey_source
from innominate.run.table import Table
from innominate.run.units import Item, Unit, of_patients, single

LARGE = 2_000_000  # bytes of input from which on it is worth starting several processes


@dataclass(frozen=True)
class Job:
    """One run over a source into an output. Making it does nothing; `run` does the work."""

    action: str  # deidentify, conceal, table or detect
    source: Source
    output: str  # a file, a folder, a database URL, or `-` for standard output
    settings: Settings = field(default_factory=Settings)
    to: str | None = None  # the format of the output; None: by its name, else that of the source
    to_options: Mapping[str, Any] = field(default_factory=dict)
    workers: int | None = None  # processes; None: all cores for large input, else one
    resume: bool = False
    vault: VaultFile | None = None
    alone: bool = False  # whether this process does nothing else, as that of a command
    command: tuple[str, ...] = ()  # for the record: what was typed
    spans: str = ""  # a file for the owner: what was concealed where, which is then not in the output

    @property
    def places(self) -> OutputPlaces:
        """Where the output and its companions are."""
        return OutputPlaces(self.output, self.spans)

    def run(self, watch: Watch = lambda state, total: None) -> RunRecord:
        """Run to the end, write the record beside the output, and return it."""
        try:
            with self.places.lock():
                return self._run(self._checked(), watch)
        except BrokenPipeError:
            raise
        except OSError as error:  # the disk is full, a drive is gone
            where = error.filename or name_without_password(self.output)
            how = "" if self.places.is_standard_output else "; once that is mended, go on with the same command and --resume"
            raise OSError(error.errno, f"{error.strerror or type(error).__name__}{how}", where) from None

    def _run(self, batch: Batch, watch: Watch) -> RunRecord:
        # now: a policy file may be edited while the run goes on
        choices, made_with = self.settings.recorded(), hash_materials(self.settings, self.action)
        patients = PatientTally(self.settings)
        started, clock = _now(), time.monotonic()
        survey = survey_source(self.source, self.settings) if self.action != "detect" else None
        if self.action != "detect":
            batch = replace(batch, task=replace(batch.task, real=gather_names(self.source, self.settings)))
        total = survey.notes if survey else self.source.count()
        decisions = self._decisions()
        units = self._units(decisions.over(patients.over(self.source.items())), survey, batch)
        counts = batch.run(units, resume=self.resume, progress=lambda state: watch(state, total), at=started)
        record = RunRecord(
            self.action,
            self.source.names(),
            name_without_password(self.output),
            self.settings,
            batch.fingerprint,
            counts,
            counts.starts[0],
            time.monotonic() - clock,
            batch.workers,
            finished=True,
            known=patients.counts if self.settings.patients else None,
            apart=len(survey.apart) if survey else 0,
            without_patient=patients.without_patient if self.action != "detect" else 0,
            vault=str(self.vault.path) if self.vault else "",
            ended=_now(),
            command=show_command(self.command, self.source.listed() if isinstance(self.source, Inputs) else ()),
            made_with=made_with,
            choices=choices,
            metadata=decisions.as_json() if self.action != "detect" else {},
        )
        if not self.places.is_standard_output:
            record.write(self.places.record, hash_output(self.output))
        batch.forget()
        return record

    def _checked(self) -> Batch:
        """The batch, once everything that can be wrong with the job is known to be right; models are loaded last."""
        if isinstance(self.source, Inputs) and self.source.patient_from and self.settings.patient_key != "patient":
            raise UsageError("--patient-key and --patient-from both say where the patient stands; give one of them")
        fingerprint = self.fingerprint()  # looks for the files of the source
        task = Task(self.action, self.settings, vault=self.vault is not None, alone=self.alone)
        crew = self.workers or ((os.cpu_count() or 1) if self.source.size() > LARGE else 1)
        resumable = self.source.can_be_read_again() and not self.places.is_standard_output
        batch = Batch(task, self._format(), self.places, fingerprint, crew, self.vault, resumable)
        batch.check(resume=self.resume)
        check(self.settings, detection=self.action != "conceal")
        return batch

    def _format(self) -> Format:
        if isinstance(self.source, Table):
            return self.source.format()
        assert isinstance(self.source, Inputs)
        keep = tuple(read_kept_meta(self.settings)) if self.action != "detect" else None
        return output_format(self.output, self.to, self.source, self.to_options, keep=keep)

    def _decisions(self) -> MetaDecisions:
        """What becomes of the metadata, or of the columns of a table."""
        if isinstance(self.source, Table):
            return MetaDecisions(self.source.columns.roles, set(self.source.columns.roles))
        return MetaDecisions(read_kept_meta(self.settings) if self.action != "detect" else {}, set())

    def _units(self, items: Iterator[Item], survey: Survey | None, batch: Batch) -> Iterator[Unit]:
        """Notes of one patient together, unless they are only looked at; digests are made when the first note is wanted."""
        if self.action == "detect":
            yield from single(items)
            return
        apart = digest_patients(self.source, survey, batch.task, batch.workers)
        yield from of_patients(items, patient_finder(self.settings), apart)

    def fingerprint(self) -> str:
        """A hash that changes with anything that another run could not go on from: settings, input, action, vault, spans."""
        kept = (str(self.vault.path) if self.vault else "", self.spans)
        mark = hashlib.sha256("\0".join(kept).encode()).hexdigest()[:8] if any(kept) else ""
        return "-".join(filter(None, (self.settings.fingerprint(), self.source.fingerprint(), self.action, mark)))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
