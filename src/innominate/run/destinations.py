"""Where a run puts what became of each note: what leaves, and what stays with the owner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from innominate.conceal.keys import Key
from innominate.conceal.scope import note_pseudonym
from innominate.conceal.vault import Vault
from innominate.core import Document, ProcessingError
from innominate.core.protocols import Format, Writer
from innominate.formats.sidecar import SidecarWriter, Spans, sidecar_of
from innominate.formats.writing import AppendWriter, open_writer
from innominate.run.concealing import Done
from innominate.run.outcome import Outcome, Quarantined
from innominate.run.quarantine import Quarantine

HOLD_STRATEGIES = frozenset(
    {"jsonl", "csv", "parquet", "database", "spans", "table"}
)  # formats that keep the source of a span


@dataclass(frozen=True, slots=True)
class NoteOrigin:
    """Where a note comes from: which one of the run it is, whose, and the file it was read from, with its format."""

    number: int
    patient: str
    source: str
    format: str = ""


@dataclass(frozen=True, slots=True)
class Destinations:
    """The open files of a run. Notes leave under pseudonyms of their ids; what links the two stays with the owner.

    Spans that tell which words are surrogates are for the owner too, or for nobody.
    """

    output: Writer
    quarantine: Quarantine
    vault: Vault | None = None
    spans: Writer | None = None  # of the owner
    without_spans: bool = False
    id_key: Key | None = None  # None: ids are kept

    def write(self, result: Outcome, origin: NoteOrigin) -> Outcome:
        """Write a document or a quarantine entry; a document that its format cannot hold is quarantined.

        An error of the disk is not caught: the run has to stop there, and the journal knows how far it came.
        """
        id = note_pseudonym(self.id_key, origin.patient, result.id) if self.id_key else result.id
        if isinstance(result, Done):
            document = replace(result.document, id=id)
            try:
                self.output.write(document.with_spans(result.entities) if self.without_spans else document)
            except OSError:
                raise
            except Exception as error:
                failure = ProcessingError("write", error)
                result = Quarantined(result.id, failure.step, failure.reason)
            else:
                self._keep_for_owner(result, document)
                return result
        self.quarantine.add(replace(result, id=id, number=origin.number, source=result.source or origin.source))
        return result

    def _keep_for_owner(self, result: Done, written: Document) -> None:
        if self.spans:
            entities = set(result.entities)
            self.spans.write(written.with_spans(span for span in written.spans if span not in entities))
        if self.vault:
            self.vault.add(written.id, result.entries, original=result.id)

    def commit(self) -> dict[str, Any]:
        """Make everything so far durable and say where each file stands, as a journal keeps it.

        The vault comes first, so that nothing is written that it lacks.
        """
        sealed = self.vault.commit() if self.vault else None
        spans = dict(self.spans.commit()) if self.spans else None
        return {
            "vault": sealed,
            "spans": spans,
            "output": dict(self.output.commit()),
            "quarantine": self.quarantine.commit(),
        }

    def close(self) -> None:
        """Give the files their final names, the output last."""
        if self.spans:
            self.spans.close()
        self.output.close()
        self._close_vault()

    def abandon(self) -> None:
        """Let go of the files as they are; they can be resumed."""
        for writer in filter(None, (self.spans, self.output)):
            writer.abandon()
        self._close_vault()

    def _close_vault(self) -> None:
        if self.vault:
            self.vault.close()


def open_output(
    format: Format, output: str, resume_at: Mapping[str, Any] | None, *, detection: bool, without_spans: bool
) -> Writer:
    """Open the output; a format that holds spans but not what became of each gets a list of them beside it."""
    writer = open_writer(format, output, resume_at=resume_at, needs_spans=detection)
    has_list = not format.holds_spans or format.name in HOLD_STRATEGIES
    if detection or has_list or without_spans or output == "-":
        return writer
    return SidecarWriter(writer, AppendWriter, sidecar_of(output), resume_at=resume_at)


def open_spans(path: Path, resume_at: Mapping[str, Any] | None) -> Writer:
    """Open the owner's list of spans, which nobody else can read."""
    return AppendWriter(Spans(), path, resume_at=resume_at, private=True)
