"""A batch: every input becomes an output or a quarantine entry, exactly once, however often the run is stopped."""

from __future__ import annotations

import os
import secrets
import sys
import time
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO
from urllib.parse import parse_qs, urlsplit

from innominate.conceal.keys import Key, read_key
from innominate.core import Document, Rejected, UsageError
from innominate.core.protocols import Format
from innominate.formats.durable import lock_file, open_private
from innominate.formats.file_names import name_in_folder
from innominate.formats.sources import is_database
from innominate.formats.writing import check_file, check_target, take_back
from innominate.run.destinations import Destinations, NoteOrigin, open_output, open_spans
from innominate.run.inputs import name_without_password
from innominate.run.journal import Commit, Journal
from innominate.run.outcome import Outcome, Quarantined, Task
from innominate.run.quarantine import Quarantine, QuarantineFile, QuarantineStream
from innominate.run.sealing import VaultFile
from innominate.run.stopping import Stopped, hold_stops, listen_for_stops
from innominate.run.trail import Trail
from innominate.run.units import Unit, after
from innominate.run.workers import Share, outcomes

COMMIT_NOTES = 512
COMMIT_SECONDS = 2.0


class ResumeWarning(UserWarning):
    """A run that was to go on begins anew."""


@dataclass(frozen=True, slots=True)
class OutputPlaces:
    """Where a run writes: the output, and its companions beside it.

    >>> OutputPlaces("out/notes.jsonl").record.name, OutputPlaces("sqlite:///clean.db?table=notes").record.name
    ('notes.jsonl.run.json', 'clean.db.notes.run.json')
    """

    output: str  # a path, the URL of a database, or `-`, which nothing lies beside
    spans: str = ""  # a file for the owner, in the place of spans in the output

    @property
    def is_standard_output(self) -> bool:
        """Whether the output goes to standard output."""
        return self.output == "-"

    def check_free(self) -> None:
        """Refuse an output that holds something already; a database is asked when it is opened."""
        if self.spans:
            check_file(self.spans)
            _refuse_full_file(Path(self.spans))
        if is_database(self.output) or self.is_standard_output:
            return
        output = Path(self.output)
        if output.is_dir() and any(output.iterdir()):
            raise UsageError(
                f"the folder {output} holds files already, and old notes would stay among the new; name a new one"
            )
        _refuse_full_file(output)

    def _beside(self, suffix: str) -> Path:
        if is_database(self.output):  # nothing lies beside a database; the current folder has to do
            address = urlsplit(self.output)
            table = parse_qs(address.query).get("table", [""])[0]
            name = ".".join(filter(None, (Path(address.path).name, table and name_in_folder(table))))
            return Path(name + suffix)
        path = Path(self.output)
        return path.with_name(path.name + suffix)

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other runs out of this output; what is locked is a file of its own, which is gone at the end."""
        if self.is_standard_output:
            yield
            return
        path = self._beside(".lock")
        with self._open_lock(path):
            try:
                yield
            finally:
                path.unlink(missing_ok=True)

    def _open_lock(self, path: Path) -> BinaryIO:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = open_private(path, append=True)
        except OSError as error:
            raise UsageError(f"cannot write to {path.parent}: {error.strerror}; name another output") from None
        if not lock_file(file):
            file.close()
            output = name_without_password(self.output)
            raise UsageError(f"another run is writing to {output}; wait for its end, or name another output")
        if path.exists() and os.path.samestat(path.stat(), os.fstat(file.fileno())):
            return file
        file.close()  # the run that had it has just deleted it
        return self._open_lock(path)

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


def _refuse_full_file(path: Path) -> None:
    if path.is_file() and path.stat().st_size:
        raise UsageError(f"{path} is there already and would be overwritten; name another file, or delete it first")


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
        at: str = "",
    ) -> Commit:
        """Work through the units and return the final counts; the journal stays until `forget`."""
        journal, state = self.journal, self.check(resume=resume)
        trail = Trail(state)
        secret = journal.secret() if resume else ""
        if not secret:
            secret = secrets.token_hex(32)
            journal.start(secret)
        state = replace(state, starts=[*state.starts, at])
        journal.commit(state)  # at once: nobody resumes a run without leaving a trace
        destinations, tally = self._open(state, secret), Tally(state)
        origins: deque[NoteOrigin] = deque()  # of the notes that are worked on

        def committed(commit: Commit) -> None:
            journal.commit(replace(commit, read=trail.mark_at(commit.done)))
            progress(commit)

        try:
            shares = self._noting(after(trail.follow(units), state.done), origins, state.done)
            with listen_for_stops(), closing(outcomes(shares, self.task, self.workers)) as results:
                _work(((result, origins.popleft()) for result in results), tally, destinations, committed)
                with hold_stops():
                    destinations.close()  # only now does the output get its final name
        except BaseException:
            with suppress(OSError):  # of a full disk: the first error says so
                destinations.abandon()
            raise
        progress(tally.last)
        return tally.last

    @property
    def leaves_out_spans(self) -> bool:
        """Whether the output must not say which of its words were put there."""
        return self.task.action != "detect" and (bool(self.places.spans) or self.task.settings.makes_pseudonyms)

    def _noting(self, shares: Iterable[Share], origins: deque[NoteOrigin], done: int) -> Iterator[Share]:
        """Remember of each item that goes by where it comes from: what becomes of it comes out in the same order."""
        key = self.task.settings.patient_key
        for unit, before in shares:
            for item in unit.items[before:]:
                done += 1
                origins.append(_find_origin(item, done, key))
            yield unit, before

    def _id_key(self, secret: str) -> Key | None:
        """What the ids of the output are made with; None if they are kept."""
        settings = self.task.settings
        if self.task.action == "detect" or settings.keep_ids:
            return None
        return read_key(Path(settings.key)) if settings.key else Key(bytes.fromhex(secret))

    def _open(self, state: Commit, secret: str) -> Destinations:
        """Open all files where they stood."""
        if state.complete:
            take_back(self.places.output, state.output or {})
            if self.places.spans:
                take_back(self.places.spans, {})
        apart, detection = self.leaves_out_spans, self.task.action == "detect"
        return Destinations(
            open_output(self.format, self.places.output, state.output, detection=detection, without_spans=apart),
            self._quarantine(state),
            self.vault.open(at_least=state.vault or 0) if self.vault else None,
            open_spans(Path(self.places.spans), state.spans) if self.places.spans else None,
            without_spans=apart,
            id_key=self._id_key(secret),
        )

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
        if resume and self.journal.cut_torn_lines():
            return self.journal.last_commit()
        if resume:  # it was cut off before its first note, or is finished
            if self.places.journal.exists():
                warnings.warn(f"{self.places.journal} is empty or torn: the run starts afresh", ResumeWarning, stacklevel=2)
            self.places.check_free()
            return Commit()
        if not self.places.is_standard_output and self.places.journal.exists():
            raise UsageError(
                f"{self.places.journal} shows that an earlier run into this output was stopped. "
                "Go on with it (--resume), or delete that file to start afresh."
            )
        self.places.check_free()
        return Commit()


def _find_origin(item: Document | Rejected, number: int, patient_key: str) -> NoteOrigin:
    if isinstance(item, Rejected):
        return NoteOrigin(number, "", item.source)
    return NoteOrigin(number, item.patient(patient_key), item.source, item.format)


def _work(
    results: Iterable[tuple[Outcome, NoteOrigin]],
    tally: Tally,
    destinations: Destinations,
    committed: Callable[[Commit], None],
) -> None:
    """Write what became of each note, and commit now and then."""
    try:
        for result, origin in results:
            with hold_stops():  # stopped here, a note would be written and not counted, or sent and not kept
                tally.add(destinations.write(result, origin), origin)
                if tally.due():
                    committed(tally.commit(destinations))
    except (KeyboardInterrupt, Stopped):  # stopped by the user: what is done stays done
        with hold_stops():
            committed(tally.commit(destinations))
        raise
    with hold_stops():
        committed(replace(tally.commit(destinations), complete=True))


class Tally:
    """Counts of a run between commits."""

    def __init__(self, state: Commit) -> None:
        self.last = state
        self.done, self.written, self.quarantined = state.done, state.written, state.quarantined
        self.characters = state.characters
        self.labels, self.strategies = Counter(state.labels), Counter(state.strategies)
        self.found_again, self.sentences_removed = Counter(state.found_again), state.sentences_removed
        self.treated = {label: Counter(strategies) for label, strategies in state.treated.items()}
        self.languages, self.formats = Counter(state.languages), Counter(state.formats)
        self.time = time.monotonic()

    def add(self, result: Outcome, origin: NoteOrigin) -> None:
        """Count one outcome."""
        self.done += 1
        self.formats[origin.format or "not read"] += 1
        if isinstance(result, Quarantined):
            self.quarantined += 1
            return
        self.written += 1
        self.characters += len(result.document.text)
        self.labels.update(span.label for span in result.document.spans)
        self.strategies.update(result.strategies)
        for label, strategies in result.treated.items():
            self.treated.setdefault(label, Counter()).update(strategies)
        self.languages[result.lang] += 1
        self.found_again.update(result.found_again)
        self.sentences_removed += result.sentences_removed

    def due(self) -> bool:
        """Say whether it is time to commit."""
        return self.done - self.last.done >= COMMIT_NOTES or time.monotonic() - self.time >= COMMIT_SECONDS

    def commit(self, destinations: Destinations) -> Commit:
        """Make everything so far durable and return the state."""
        self.time = time.monotonic()
        self.last = Commit(
            self.done,
            self.written,
            self.quarantined,
            self.characters,
            dict(self.labels),
            strategies=dict(self.strategies),
            found_again=dict(self.found_again),
            sentences_removed=self.sentences_removed,
            treated={label: dict(strategies) for label, strategies in self.treated.items()},
            languages=dict(self.languages),
            formats=dict(self.formats),
            starts=self.last.starts,
            **destinations.commit(),
        )
        return self.last
