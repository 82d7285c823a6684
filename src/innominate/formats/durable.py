"""Putting bytes on the disk so that they are still there after a power cut."""

from __future__ import annotations

import ctypes
import os
import secrets
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

PARTIAL = ".partial"  # what is still being written is never mistaken for a result
FEW = 16  # fewer files than this are forced to disk one by one


def sync_files(paths: Collection[Path], folder: Path) -> None:
    """Force the contents of files in a folder to disk, of many files in one go if the system can do that."""
    if len(paths) < FEW or not _sync_file_system(folder):
        for path in paths:
            sync_file(path)


def _sync_file_system(folder: Path) -> bool:
    """Linux forces all files of one file system to disk at once: 1,500 of them in 0.02 s instead of 0.45 s one by one."""
    call = getattr(ctypes.CDLL(None), "syncfs", None) if sys.platform == "linux" else None
    if call is None:
        return False
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        return bool(call(descriptor) == 0)
    finally:
        os.close(descriptor)


def sync_file(path: Path) -> None:
    """Force the contents of a file to disk."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(path: Path) -> None:
    """Force the names in a folder to disk; Windows does so by itself and has no call for it."""
    if os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace_file(path: Path, content: bytes) -> None:
    """Put a file in its place whole: written aside, forced to disk and renamed, so that nobody ever reads a part of it."""
    aside = path.with_name(f"{path.name}.{secrets.token_hex(4)}{PARTIAL}")
    try:
        with aside.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def lock_file(file: BinaryIO) -> bool:
    """Lock an open file until it is closed or the process ends; False if another holds it. Windows has no such lock."""
    if os.name == "nt":
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextmanager
def keep_private() -> Iterator[None]:
    """Whatever is made meanwhile, files and folders, nobody but its owner can read."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def open_private(path: Path, *, append: bool = False) -> BinaryIO:
    """Open a file for writing that nobody but its owner can read, also if it was there already."""
    where = os.O_APPEND if append else os.O_TRUNC
    file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | where, 0o600), "ab" if append else "wb")
    os.chmod(path, 0o600)
    return file


def partial_of(path: Path) -> Path:
    """The name under which a file is written until it is complete.

    >>> partial_of(Path("notes.jsonl")).name
    'notes.jsonl.partial'
    """
    return path.with_name(path.name + PARTIAL)
