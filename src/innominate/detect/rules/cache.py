"""Files that are made once and kept, by the hash of what they are made from, and checked when they are read."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path

from innominate.formats.durable import replace_file


def cache_folder() -> Path:
    """Where compiled patterns and lists are kept: INNOMINATE_CACHE, or the user's cache folder."""
    chosen = os.environ.get("INNOMINATE_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "innominate"


def key_of(made_from: Iterable[str]) -> str:
    """A short hash of what a file is made from.

    >>> key_of(["a", "b"]) == key_of(["ab"])
    False
    """
    digest = hashlib.sha256()
    for value in made_from:
        digest.update(hashlib.sha256(value.encode()).digest())
    return digest.hexdigest()[:32]


@cache
def content_of(package: str, *names: str) -> str:
    """A hash of files of a package, code or data (all files of a folder): what is made by other code is made again.

    >>> content_of("innominate.detect.rules", "cache.py") == content_of("innominate.detect.rules", "board.py")
    False
    """
    digest = hashlib.sha256()
    for name in names:
        place = files(package) / name
        entries = sorted(place.iterdir(), key=lambda e: e.name) if place.is_dir() else [place]
        for entry in entries:
            if entry.is_file():
                digest.update(entry.name.encode() + hashlib.sha256(entry.read_bytes()).digest())
    return digest.hexdigest()


def read_or_make(path: Path, make: Callable[[], bytes]) -> bytes:
    """The content of the file, made if it is not there or not as it was written.

    Before the content stands a checksum of it and of the name: a list that lost its end would find less, and nobody would
    know. A folder that cannot be written to only costs time.
    """
    with suppress(OSError):
        stored = path.read_bytes()
        if stored[:_CHECKSUM] == _checksum(path, stored[_CHECKSUM:]):
            return stored[_CHECKSUM:]
    content = make()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, _checksum(path, content) + content)
    return content


_CHECKSUM = hashlib.sha256().digest_size


def _checksum(path: Path, content: bytes) -> bytes:
    return hashlib.sha256(path.name.encode() + b"\0" + content).digest()
