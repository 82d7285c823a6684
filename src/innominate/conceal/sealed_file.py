"""A file of sealed records that only grows: without the passphrase nothing in it can be read, changed, moved or cut off.

It begins with three blocks of 512 bytes: a header with the salt, and two slots that are written in turn, each of which seals
how many records there are and where they end. Then follows one sealed record a line. Records are AES-256-GCM under a key that
scrypt makes of the passphrase, and each is bound to its place.

A commit forces the records to disk before it writes the slot whose turn it is, so a crash leaves one of three things: records
that no slot counts, which the next writer cuts off; a torn slot, whose records are all there; or the new state. Records that a
slot counts and that are missing were cut off by somebody.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from innominate.core import UsageError
from innominate.formats.durable import lock_file, sync_folder

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_FORMAT = "innominate-vault-2"
_OLD_FORMAT = "innominate-vault-1"
_SCRYPT = {"n": 2**15, "r": 8, "p": 1, "maxmem": 64 * 1024 * 1024}
_NONCE = 12
_BLOCK = 512  # bytes that a disk writes whole or not at all
_RECORDS = 3 * _BLOCK  # where the records begin
_SLOT = struct.Struct(">QQQ")


class VaultError(UsageError):
    """A vault that cannot be opened or that was tampered with."""


@dataclass(frozen=True, slots=True)
class SealedState:
    """What a slot says: the number of the commit, how many records there are, and where they end."""

    turn: int
    count: int
    end: int


def make_sealed_file(path: Path, passphrase: str) -> None:
    """Make an empty file that only its owner can read; an existing one is never replaced."""
    if len(passphrase) < 8:
        raise VaultError("the passphrase of a vault has at least 8 characters")
    salt = secrets.token_bytes(16)
    header = json.dumps({"format": _FORMAT, "kdf": "scrypt", "n": _SCRYPT["n"], "r": 8, "p": 1, "salt": salt.hex()})
    cipher = _make_cipher(passphrase, salt)
    slots = [_seal_state(cipher, SealedState(turn, 0, _RECORDS)) for turn in (0, 1)]
    aside = path.with_name(f"{path.name}.{secrets.token_hex(4)}.partial")
    try:
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(b"".join([_fill_block(header.encode()), *slots]))
            file.flush()
            os.fsync(file.fileno())
        os.link(aside, path)  # unlike a rename, this replaces nothing
        sync_folder(path.parent)
    except OSError as error:
        raise VaultError(f"cannot make the vault {path}: {error.strerror}") from None
    finally:
        aside.unlink(missing_ok=True)


class SealedFile:
    """An open file of sealed records. One that is open for writing is locked: nobody else can write until it is closed."""

    def __init__(self, path: Path, passphrase: str, *, writing: bool) -> None:
        self.path = path
        self._file = _open(path, writing=writing)
        self._waiting: list[bytes] = []  # sealed records that are not in the file yet
        try:
            self._cipher = _make_cipher(passphrase, _read_salt(path, self._file))
            self._state = self._read_state()
            for _ in self.records():  # all of them are checked
                pass
            if writing:
                self._file.truncate(self._state.end)
        except BaseException:
            self.close()
            raise

    @property
    def count(self) -> int:
        """How many records are committed."""
        return self._state.count

    def add(self, record: dict[str, Any]) -> None:
        """Seal a record; `commit` makes it durable."""
        content = json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass")
        self._waiting.append(_seal(self._cipher, content, str(self.count + len(self._waiting))) + b"\n")

    def commit(self) -> int:
        """Force everything that was added to disk, then the new count, and return it."""
        if self._waiting:
            content = b"".join(self._waiting)
            self._write(self._state.end, content)
            turn, count, end = self._state.turn + 1, self.count + len(self._waiting), self._state.end + len(content)
            self._waiting.clear()
            self._state = SealedState(turn, count, end)
            self._write(_place_of_slot(turn), _seal_state(self._cipher, self._state))
        return self.count

    def records(self) -> Iterator[dict[str, Any]]:
        """All records that are committed."""
        with self.path.open("rb") as file:
            file.seek(_RECORDS)
            for place in range(self.count):
                content = _unseal(self._cipher, file.readline(), str(place))
                if content is None:
                    raise VaultError(f"the vault {self.path} was tampered with: record {place} was changed, moved or cut off")
                yield json.loads(content.decode("utf-8", "surrogatepass"))
            if file.tell() != self._state.end:
                raise VaultError(f"the vault {self.path} was tampered with: its records do not end where they should")

    def close(self) -> None:
        """Let go of the file and of its lock; what was not committed is forgotten."""
        self._file.close()

    def _write(self, place: int, content: bytes) -> None:
        self._file.seek(place)
        self._file.write(content)
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read_state(self) -> SealedState:
        states = [state for slot in (0, 1) if (state := self._read_slot(slot))]
        if not states:
            raise VaultError(f"cannot open the vault {self.path}: the passphrase is wrong")
        newest = max(states, key=lambda state: state.turn)
        if len(states) == 1:
            return self._count_on(newest)
        if sum(state.turn for state in states) != 2 * newest.turn - 1:
            raise VaultError(f"the vault {self.path} was tampered with: its head is not the one that was written")
        return newest

    def _read_slot(self, slot: int) -> SealedState | None:
        self._file.seek(_place_of_slot(slot))
        content = _unseal(self._cipher, self._file.read(_BLOCK), f"slot {slot}")
        return SealedState(*_SLOT.unpack(content)) if content else None

    def _count_on(self, state: SealedState) -> SealedState:
        """The state that a torn slot told of: its records were forced to disk before it was written, so they are there."""
        self._file.seek(state.end)
        count, end = state.count, state.end
        while _unseal(self._cipher, self._file.readline(), str(count)) is not None:
            count, end = count + 1, self._file.tell()
        if count == state.count:
            raise VaultError(f"the vault {self.path} was tampered with: its head was damaged, and records may be missing")
        return SealedState(state.turn, count, end)


def _open(path: Path, *, writing: bool) -> BinaryIO:
    try:
        file = path.open("r+b" if writing else "rb")
    except OSError as error:
        raise VaultError(f"cannot open the vault {path}: {error.strerror}") from None
    if writing and not lock_file(file):
        file.close()
        raise VaultError(f"the vault {path} is being written by another run; wait until that is done, or name another vault")
    return file


def _read_salt(path: Path, file: BinaryIO) -> bytes:
    try:
        values = json.loads(file.read(_BLOCK).decode("ascii"))
        format, salt = values["format"], bytes.fromhex(values["salt"])
    except (ValueError, KeyError, TypeError):
        format, salt = _OLD_FORMAT if _is_old(path) else "", b""
    if format == _OLD_FORMAT:
        raise VaultError(f"{path} is a vault of version 1, from before the first release, and cannot be read; make a new one")
    if format != _FORMAT:
        raise VaultError(f"{path} is not a vault")
    return salt


def _is_old(path: Path) -> bool:
    """Version 1 has a header of another length, with records behind it."""
    with path.open("rb") as file:
        return f'"{_OLD_FORMAT}"'.encode() in file.readline(_BLOCK)


def _place_of_slot(turn: int) -> int:
    return _BLOCK * (1 + turn % 2)


def _seal_state(cipher: AESGCM, state: SealedState) -> bytes:
    content = _SLOT.pack(state.turn, state.count, state.end)
    return _fill_block(_seal(cipher, content, f"slot {state.turn % 2}"))


def _fill_block(content: bytes) -> bytes:
    return content.ljust(_BLOCK - 1) + b"\n"


def _seal(cipher: AESGCM, content: bytes, place: str) -> bytes:
    nonce = secrets.token_bytes(_NONCE)
    return base64.b64encode(nonce + cipher.encrypt(nonce, content, f"{_FORMAT} {place}".encode()))


def _unseal(cipher: AESGCM, line: bytes, place: str) -> bytes | None:
    """What was sealed for a place; None if this was not, or not with this passphrase."""
    try:
        sealed = base64.b64decode(line.strip(), validate=True)
        return cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], f"{_FORMAT} {place}".encode())
    except Exception:  # the library's message says nothing, and must not say more
        return None


def _make_cipher(passphrase: str, salt: bytes) -> AESGCM:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(hashlib.scrypt(passphrase.encode(), salt=salt, dklen=32, **_SCRYPT))
