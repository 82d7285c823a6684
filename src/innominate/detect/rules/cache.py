"""Files that are made once and kept, by the hash of what they are made from."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path


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
    """The content of the file, made if it is not there. A folder that cannot be written to only costs time."""
    try:
        return path.read_bytes()
    except OSError:
        pass
    content = make()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f"{path.name}.{os.getpid()}")
        temporary.write_bytes(content)
        temporary.replace(path)
    except OSError:
        pass
    return content
