"""A batch: every input becomes an output or a quarantine entry, exactly once, however often the run is stopped."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from innominate.conceal.vault import Vault
from innominate.core import ProcessingError, UsageError
from innominate.core.protocols import Format, Writer
from innominate.formats.sidecar import SidecarWriter, sidecar_of
from innominate.formats.sources import is_database
from innominate.formats.writing import AppendWriter, check_target, open_writer, take_back
from innominate.run.concealing import Done
from innominate.run.journal import Commit, Journal
from innominate.run.outcome import Outcome, Quarantined, Task
from innominate.run.quarantine import Quarantine, QuarantineFile, QuarantineStream
from innominate.run.sealing import VaultFile
from innominate.run.units import Unit, after
from innominate.run.workers import outcomes

COMMIT_NOTES = 512
COMMIT_SECONDS = 2.0
HOLD_STRATEGIES = frozenset(
    {"jsonl", "csv", "parquet", "database", "spans", "table"}
)  # formats that keep the source of a span


Outputs = tuple[Writer, Quarantine, Vault | None]


@dataclass(frozen=True, slots=True)
class OutputPlaces:
    """Where a run writes: the output, and its companions beside it.

    >>> OutputPlaces("out/notes.jsonl").record.name, OutputPlaces("sqlite:///clean.db?table=notes").record.name
    ('notes.jsonl.run.json', 'clean.db.run.json')
    """

    output: str  # a path, the URL of a database, or `-`, which nothing lies beside

    @property
    def is_standard_output(self) -> bool:
        """Whether the output goes to standard output."""
        return self.output == "-"

    def check_free(self) -> None:
        """Refuse an output that holds something already; a database is asked when it is opened."""
        if is_database(self.output):
            return
        output = Path(self.output)
        if output.is_dir() and any(output.iterdir()):
            raise UsageError(
                f"the folder {output} holds files already, and old notes would stay among the new; name a new one"
            )
        if output.is_file() and output.stat().st_size:
            raise UsageError(f"{output} is there already and would be overwritten; name another file, or delete it first")

    def _beside(self, suffix: str) -> Path:
        if is_database(self.output):  # nothing lies beside a database; the current folder has to do
            return Path(Path(urlsplit(self.output).path).name + suffix)
        path = Path(self.output)
        return path.with_name(path.name + suffix)

    @property
    def journal(self) -> Path:
        """Commits of an unfinished run."""
        return self._beside(".journal")

    @property
    def quarantine(self) -> Path:
        """Notes that were withheld."""
        return self._beside(".quarantine.jsonl")

    @property
    def record(self) -> Path:
        """The run record."""
        return self._beside(".run.json")


@dataclass(frozen=True, slots=True)
class Batch:
    """One run over a stream of documents into one output."""

    task: Task
    format: Format
    places: OutputPlaces
    fingerprint: str
    workers: int = 1
    vault: VaultFile | None = None
    resumable: bool = True  # not if the source or the output is a pipe: then no journal is kept

    @property
    def journal(self) -> Journal:
        """The journal of the run."""
        return Journal(self.places.journal if self.resumable else None, self.fingerprint)

    def run(
        self,
        units: Iterable[Unit],
        *,
        resume: bool = False,
        progress: Callable[[Commit], None] = lambda _: None,
    ) -> Commit:
        """Work through the units and return the final counts; the journal stays until `forget`."""
        journal, state = self.journal, self.check(resume=resume)
        if not resume:
            journal.start()
        quarantine = self._quarantine(state)
        vault = self.vault.open(resume_at=state.vault) if self.vault else None
        if state.complete:
            take_back(self.places.output, state.output or {})
        writer = _writer(self.format, self.places.output, state.output, self.task)
        tally, outputs = Tally(state), (writer, quarantine, vault)

        def committed(commit: Commit) -> None:
            journal.commit(commit)
            progress(commit)

        try:
            results = outcomes(after(units, state.done), self.task, self.workers)
            _work(results, tally, outputs, committed)
            writer.close()  # only now does the output get its final name
        except BaseException:
            writer.abandon()
            raise
        progress(tally.last)
        return tally.last

    def forget(self) -> None:
        """Delete the journal: the last step, after the record, so that a run stopped anywhere before can be resumed."""
        self.journal.remove()

    def _quarantine(self, state: Commit) -> Quarantine:
        if self.places.is_standard_output:
            return QuarantineStream(sys.stderr.buffer)
        return QuarantineFile(self.places.quarantine, resume_at=state.quarantine)

    def check(self, *, resume: bool = False) -> Commit:
        """Where the run begins; raises if it cannot begin there because of what lies at its places."""
        if resume and not self.resumable:
            raise UsageError("what is read from or written to a pipe cannot be resumed; start again without --resume")
        check_target(self.format, self.places.output)
        if resume:
            return self.journal.last_commit()
        if self.places.is_standard_output:
            return Commit()
        if self.places.journal.exists():
            raise UsageError(
                f"{self.places.journal} shows that an earlier run into this output was stopped. "
                "Go on with it (--resume), or delete that file to start afresh."
            )
        self.places.check_free()
        return Commit()


def _work(results: Iterable[Outcome], tally: Tally, outputs: Outputs, committed: Callable[[Commit], None]) -> None:
    """Write what became of each note, and commit now and then."""
    try:
        for result in results:
            tally.add(_write(result, *outputs))
            if tally.due():
                committed(tally.commit(*outputs))
    except KeyboardInterrupt:  # stopped by the user: what is done stays done
        committed(tally.commit(*outputs))
        raise
    committed(replace(tally.commit(*outputs), complete=True))


def _writer(format: Format, output: str, resume_at: Mapping[str, Any] | None, task: Task) -> Writer:
    """Open the output; a format that holds spans but not what became of each gets a list of them beside it."""
    writer = open_writer(format, output, resume_at=resume_at, needs_spans=task.action == "detect")
    if task.action == "detect" or not format.holds_spans or format.name in HOLD_STRATEGIES or output == "-":
        return writer
    return SidecarWriter(writer, AppendWriter, sidecar_of(output), resume_at=resume_at)


def _write(result: Outcome, writer: Writer, quarantine: Quarantine, vault: Vault | None) -> Outcome:
    """Write a document or a quarantine entry; a document that its format cannot hold is quarantined.

    An error of the disk is not caught: the run has to stop there, and the journal knows how far it came.
    """
    if isinstance(result, Done):
        try:
            writer.write(result.document)
        except OSError:
            raise
        except Exception as error:
            failure = ProcessingError("write", error)
            result = Quarantined(result.id, failure.step, failure.reason)
        else:
            if vault:
                vault.add(result.id, result.entries)
            return result
    quarantine.add(result)
    return result


class Tally:
    """Counts of a run between commits."""

    def __init__(self, state: Commit) -> None:
        self.last = state
        self.done, self.written, self.quarantined = state.done, state.written, state.quarantined
        self.characters = state.characters
        self.labels, self.strategies = Counter(state.labels), Counter(state.strategies)
        self.found_again, self.sentences_removed = Counter(state.found_again), state.sentences_removed
        self.time = time.monotonic()

    def add(self, result: Outcome) -> None:
        """Count one outcome."""
        self.done += 1
        if isinstance(result, Quarantined):
            self.quarantined += 1
            return
        self.written += 1
        self.characters += len(result.document.text)
        self.labels.update(span.label for span in result.document.spans)
        self.strategies.update(result.strategies)
        self.found_again.update(result.found_again)
        self.sentences_removed += result.sentences_removed

    def due(self) -> bool:
        """Say whether it is time to commit."""
        return self.done - self.last.done >= COMMIT_NOTES or time.monotonic() - self.time >= COMMIT_SECONDS

    def commit(self, writer: Writer, quarantine: Quarantine, vault: Vault | None) -> Commit:
        """Make everything so far durable and return the state; the vault first, so that nothing is written that it lacks."""
        sealed = vault.commit() if vault else None
        output, withheld = writer.commit(), quarantine.commit()
        self.time = time.monotonic()
        self.last = Commit(
            self.done,
            self.written,
            self.quarantined,
            self.characters,
            dict(self.labels),
            dict(output),
            withheld,
            sealed,
            dict(self.strategies),
            dict(self.found_again),
            self.sentences_removed,
        )
        return self.last
