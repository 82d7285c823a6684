"""A batch: every input becomes an output or a quarantine entry, exactly once, however often the run is stopped."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

from innominate.core import Document, ProcessingError, Rejected, UsageError
from innominate.core.protocols import Format, Writer
from innominate.formats.sources import is_database
from innominate.formats.writing import open_writer
from innominate.run.journal import Commit, Journal
from innominate.run.outcome import Outcome, Quarantined, Task
from innominate.run.quarantine import QuarantineFile
from innominate.run.workers import outcomes

COMMIT_NOTES = 512
COMMIT_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Places:
    """Where a run writes: the output, and its companions beside it.

    >>> Places("out/notes.jsonl").record.name, Places("sqlite:///clean.db?table=notes").record.name
    ('notes.jsonl.run.json', 'clean.db.run.json')
    """

    output: str  # a path, or the URL of a database

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
    places: Places
    fingerprint: str
    workers: int = 1

    def run(
        self,
        items: Iterable[Document | Rejected],
        *,
        resume: bool = False,
        progress: Callable[[Commit], None] = lambda _: None,
    ) -> Commit:
        """Work through the items and return the final counts."""
        journal = Journal(self.places.journal, self.fingerprint)
        state = journal.last_commit() if resume else Commit()
        if not resume:
            self._refuse_to_mix_with_what_is_there()
            journal.start()
        quarantine = QuarantineFile(self.places.quarantine, resume_at=state.quarantine)
        writer = open_writer(self.format, self.places.output, resume_at=state.output)
        tally = Tally(state)
        try:
            for result in outcomes(islice(items, state.done, None), self.task, self.workers):
                tally.add(_write(result, writer, quarantine))
                if tally.due():
                    journal.commit(tally.commit(writer, quarantine))
                    progress(tally.last)
        except KeyboardInterrupt:  # stopped by the user: what is done stays done
            journal.commit(tally.commit(writer, quarantine))
            raise
        tally.commit(writer, quarantine)
        writer.close()  # only now does the output get its final name
        journal.remove()
        progress(tally.last)
        return tally.last

    def _refuse_to_mix_with_what_is_there(self) -> None:
        if self.places.journal.exists():
            raise UsageError(
                f"{self.places.journal} shows that an earlier run into this output was stopped. "
                "Go on with it (--resume), or delete that file to start afresh."
            )
        output = Path(self.places.output)
        if output.is_dir() and any(output.iterdir()):
            raise UsageError(
                f"the folder {output} holds files already, and old notes would stay among the new; name a new one"
            )


def _write(result: Outcome, writer: Writer, quarantine: QuarantineFile) -> Outcome:
    """Write a document or a quarantine entry; a document that its format cannot hold is quarantined.

    An error of the disk is not caught: the run has to stop there, and the journal knows how far it came.
    """
    if isinstance(result, Document):
        try:
            writer.write(result)
            return result
        except OSError:
            raise
        except Exception as error:
            failure = ProcessingError("write", error)
            result = Quarantined(result.id, failure.step, failure.reason)
    quarantine.add(result)
    return result


class Tally:
    """Counts of a run between commits."""

    def __init__(self, state: Commit) -> None:
        self.last = state
        self.done, self.written, self.quarantined = state.done, state.written, state.quarantined
        self.characters = state.characters
        self.labels = Counter(state.labels)
        self.time = time.monotonic()

    def add(self, result: Outcome) -> None:
        """Count one outcome."""
        self.done += 1
        if isinstance(result, Quarantined):
            self.quarantined += 1
            return
        self.written += 1
        self.characters += len(result.text)
        self.labels.update(span.label for span in result.spans)

    def due(self) -> bool:
        """Say whether it is time to commit."""
        return self.done - self.last.done >= COMMIT_NOTES or time.monotonic() - self.time >= COMMIT_SECONDS

    def commit(self, writer: Writer, quarantine: QuarantineFile) -> Commit:
        """Make everything so far durable and return the state."""
        output, withheld = writer.commit(), quarantine.commit()
        self.time = time.monotonic()
        self.last = Commit(
            self.done, self.written, self.quarantined, self.characters, dict(self.labels), dict(output), withheld
        )
        return self.last
