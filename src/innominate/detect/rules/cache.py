"""Files that are made once and kept, by the hash of what they are made from."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


def cache_folder() -> Path:
    """Where compiled patterns and lists are kept: INNOMINATE_CACHE, or the user's cache folder."""
    chosen = os.environ.get("INNOMINATE_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "innominate"


def cached(path: Path, make: Callable[[], bytes]) -> bytes:
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
