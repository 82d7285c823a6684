"""The vault: originals and surrogates of each document, sealed, for the day on which somebody has to be found again.

A file of lines: a header with the salt, then one sealed record a line. Records are AES-256-GCM under a key that scrypt makes
of a passphrase; each is bound to its place, so that none can be taken out, exchanged or moved without notice. Reading for
re-identification adds a sealed record of who asked for what and why before anything is shown.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from innominate.conceal.concealed import Concealed
from innominate.core import Document, Edit, UsageError, apply_edits

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_MAGIC = "innominate-vault-1"
_SCRYPT = {"n": 2**15, "r": 8, "p": 1, "maxmem": 64 * 1024 * 1024}
_NONCE = 12


class VaultError(UsageError):
    """A vault that cannot be opened or that was tampered with."""


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
    """A vault that is open for writing and reading; `create` makes one, `open` opens it with the passphrase."""

    def __init__(self, path: Path, cipher: AESGCM, count: int) -> None:
        self.path, self._cipher, self._count = path, cipher, count
        self._waiting: list[str] = []  # sealed records that are not in the file yet

    @classmethod
    def create(cls, path: Path, passphrase: str) -> Vault:
        """Make an empty vault that only its owner can read; an existing file is never replaced."""
        if len(passphrase) < 8:
            raise VaultError("the passphrase of a vault has at least 8 characters")
        salt = secrets.token_bytes(16)
        header = json.dumps({"format": _MAGIC, "kdf": "scrypt", "n": _SCRYPT["n"], "r": 8, "p": 1, "salt": salt.hex()})
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise VaultError(f"cannot make the vault {path}: {error.strerror}") from None
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(header + "\n")
        vault = cls(path, _cipher(passphrase, salt), 0)
        vault._add({"kind": "made"})  # lets `open` tell a wrong passphrase from an empty vault
        vault.commit()
        return vault

    @classmethod
    def open(cls, path: Path, passphrase: str, *, resume_at: int | None = None) -> Vault:
        """Open a vault and check all of it. With the size of an earlier `commit`, forget what came after it."""
        try:
            _cut(path, resume_at)
            header, *lines = path.read_text(encoding="ascii").splitlines()
            values = json.loads(header)
            salt = bytes.fromhex(values["salt"])
        except (OSError, UnicodeDecodeError):
            raise VaultError(f"cannot read the vault {path}") from None
        except (ValueError, KeyError, TypeError):
            raise VaultError(f"{path} is not a vault") from None
        if values.get("format") != _MAGIC:
            raise VaultError(f"{path} is not a vault")
        vault = cls(path, _cipher(passphrase, salt), len(lines))
        for _ in vault._records():
            pass
        return vault

    def add(self, document: str, entries: Sequence[VaultEntry], *, original: str = "") -> None:
        """Remember the replaced places of a document, and its original id if that is another; `commit` makes it durable."""
        rows = [[e.start, e.end, e.label, e.original, e.surrogate] for e in entries]
        self._add({"kind": "document", "id": document, "original": original or document, "entries": rows})

    def commit(self) -> int:
        """Force everything that was added to disk and say how many bytes the vault has."""
        with self.path.open("a", encoding="ascii") as file:
            file.write("".join(self._waiting))
            file.flush()
            os.fsync(file.fileno())
            self._waiting.clear()
            return file.tell()

    def reidentify(self, documents: Iterable[str], *, reason: str, who: str, when: str) -> dict[str, SealedNote]:
        """Some documents by either of their ids, under the id that they were written with.

        The reason is recorded in the vault first; without one nothing is shown.
        """
        if len(reason.strip()) < 8:
            raise VaultError("re-identification needs a reason, in a few words at least; it is recorded in the vault")
        wanted = list(documents)
        asked = set(wanted)
        self._add({"kind": "access", "reason": reason.strip(), "who": who, "when": when, "documents": wanted})
        self.commit()
        found: dict[str, SealedNote] = {}
        for record in self._records():
            if record["kind"] != "document":
                continue
            original = record.get("original", record["id"])  # older vaults know one id
            if record["id"] in asked or original in asked:
                found[record["id"]] = SealedNote(original, tuple(VaultEntry(*row) for row in record["entries"]))
        known = {*found, *(note.id for note in found.values())}
        missing = [document for document in wanted if document not in known]
        if missing:
            raise VaultError(f"the vault knows no document {', '.join(map(repr, missing[:5]))}")
        return found

    def accesses(self) -> list[dict[str, Any]]:
        """Every time somebody was re-identified: who, when, why, which documents."""
        return [record for record in self._records() if record["kind"] == "access"]

    def _add(self, record: dict[str, Any]) -> None:
        nonce = secrets.token_bytes(_NONCE)
        content = json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass")
        sealed = self._cipher.encrypt(nonce, content, f"{_MAGIC} {self._count}".encode())
        self._waiting.append(base64.b64encode(nonce + sealed).decode() + "\n")
        self._count += 1

    def _records(self) -> Iterator[dict[str, Any]]:
        with self.path.open(encoding="ascii") as file:
            next(file)
            for place, line in enumerate(file):
                try:
                    sealed = base64.b64decode(line, validate=False)
                    content = self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], f"{_MAGIC} {place}".encode())
                except Exception:  # the library's message says nothing, and must not say more
                    what = "the passphrase is wrong" if place == 0 else f"record {place} was changed, moved or cut"
                    raise VaultError(f"cannot open the vault {self.path}: {what}") from None
                yield json.loads(content.decode("utf-8", "surrogatepass"))


def _cut(path: Path, size: int | None) -> None:
    """Cut a vault back to a size, or take off a last line that a crash left unfinished."""
    data = path.read_bytes()
    keep = size if size is not None else data.rfind(b"\n") + 1
    if len(data) < keep:
        raise VaultError(f"cannot resume: the vault {path} is shorter than what was committed")
    if 0 < keep < len(data):
        os.truncate(path, keep)


def _cipher(passphrase: str, salt: bytes) -> AESGCM:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(hashlib.scrypt(passphrase.encode(), salt=salt, dklen=32, **_SCRYPT))
