"""Files that people write for a campaign: read as a whole, or refused with a reason that quotes nothing of them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from innominate.core import UsageError


def read_text_file(path: Path, what: str) -> str:
    """Read a text in UTF-8; `what` says in an error what it should have been."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or "it is not UTF-8 text"
        raise UsageError(f"cannot read {what} {path}: {reason}") from None


def read_toml_file(path: Path, what: str) -> dict[str, Any]:
    """Read a file of settings."""
    try:
        return tomllib.loads(read_text_file(path, what))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"cannot read {what} {path}: {error}") from None


def read_numbered_lines(path: Path, what: str) -> Iterator[tuple[int, str]]:
    """Read the lines that are not blank, with their numbers."""
    lines = read_text_file(path, what).splitlines()
    return ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
