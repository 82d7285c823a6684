"""The vault: originals and surrogates of each document, sealed, for the day on which somebody has to be found again.

Reading for re-identification adds a sealed record of who asked for what and why before anything is shown, and no run ever
takes a record out: a document that is added again stands for the earlier one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from innominate.conceal.concealed import Concealed
from innominate.conceal.sealed_file import SealedFile, VaultError, make_sealed_file
from innominate.core import Document, Edit, apply_edits


@dataclass(frozen=True, slots=True, repr=False)  # originals must not reach a log
class VaultEntry:
    """One replaced place: where the surrogate stands in the concealed text, and what stood there before."""

    start: int
    end: int
    label: str
    original: str
    surrogate: str


@dataclass(frozen=True, slots=True)
class SealedNote:
    """What a vault knows of a note: its original id, and the places that were replaced."""

    id: str
    entries: tuple[VaultEntry, ...]


def entries_of(original: Document, concealed: Concealed) -> list[VaultEntry]:
    """What the vault has to remember of a document: every place that changed, deletions included."""
    labels = {(t.target.start, t.target.end): t.span.label for t in concealed.treated if t.target is not None}
    text = concealed.document.text
    return [
        VaultEntry(
            c.target_start,
            c.target_end,
            labels.get((c.target_start, c.target_end), ""),
            original.text[c.source_start : c.source_end],
            text[c.target_start : c.target_end],
        )
        for c in concealed.offsets.changes
    ]


def restore(document: Document, entries: Iterable[VaultEntry]) -> Document:
    """Put the originals back; refuses a text that is not the one the entries were made of."""
    edits: list[Edit] = []
    for entry in entries:
        if document.text[entry.start : entry.end] != entry.surrogate:
            raise VaultError(f"document {document.id!r} is not the text that the vault knows; place {entry.start} differs")
        edits.append(Edit(entry.start, entry.end, entry.original))
    text, offsets = apply_edits(document.text, edits)
    return Document(document.id, text, tuple(offsets.spans_to_target(document.spans)), document.meta)


class Vault:
    """An open vault; `create` makes one, `open` opens it with the passphrase. It is locked until it is closed."""

    def __init__(self, file: SealedFile) -> None:
        self._file = file

    @classmethod
    def create(cls, path: Path, passphrase: str) -> Vault:
        """Make an empty vault that only its owner can read; an existing file is never replaced."""
        make_sealed_file(path, passphrase)
        return cls.open(path, passphrase)

    @classmethod
    def open(cls, path: Path, passphrase: str, *, at_least: int = 0, writing: bool = True) -> Vault:
        """Open a vault and check all of it. One with fewer records than an earlier `commit` returned is refused."""
        file = SealedFile(path, passphrase, writing=writing)
        if file.count < at_least:
            file.close()
            raise VaultError(f"cannot resume: the vault {path} is an older copy; it lacks records that this run committed")
        return cls(file)

    @property
    def path(self) -> Path:
        """Where the vault lies."""
        return self._file.path

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, document: str, entries: Sequence[VaultEntry], *, original: str = "") -> None:
        """Remember the replaced places of a document, and its original id if that is another; `commit` makes it durable."""
        rows = [[e.start, e.end, e.label, e.original, e.surrogate] for e in entries]
        self._file.add({"kind": "document", "id": document, "original": original or document, "entries": rows})

    def commit(self) -> int:
        """Force everything that was added to disk and say how many records the vault has."""
        return self._file.commit()

    def close(self) -> None:
        """Let others write; what was not committed is forgotten."""
        self._file.close()

    def reidentify(self, documents: Iterable[str], *, reason: str, who: str, when: str) -> dict[str, SealedNote]:
        """Some documents by either of their ids, under the id that they were written with.

        The reason is recorded in the vault first; without one nothing is shown.
        """
        if len(reason.strip()) < 8:
            raise VaultError("re-identification needs a reason, in a few words at least; it is recorded in the vault")
        wanted = list(documents)
        asked = set(wanted)
        self._file.add({"kind": "access", "reason": reason.strip(), "who": who, "when": when, "documents": wanted})
        self.commit()
        found: dict[str, SealedNote] = {}
        for record in self._file.records():
            if record["kind"] != "document":
                continue
            original = record["original"]
            if record["id"] in asked or original in asked:
                found[record["id"]] = SealedNote(original, tuple(VaultEntry(*row) for row in record["entries"]))
        known = {*found, *(note.id for note in found.values())}
        missing = [document for document in wanted if document not in known]
        if missing:
            raise VaultError(f"the vault knows no document {', '.join(map(repr, missing[:5]))}")
        return found

    def accesses(self) -> list[dict[str, Any]]:
        """Every time somebody was re-identified: who, when, why, which documents."""
        return [record for record in self._file.records() if record["kind"] == "access"]
