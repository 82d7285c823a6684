"""What a campaign is made of: people, samples of text, and the answers that people gave; what is kept out of it, and why.

Files that people write for a campaign are read as a whole, or refused with a reason that quotes nothing of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from innominate.core import Span, UsageError

Decision = Literal["accept", "reject", "ignore"]


@dataclass(frozen=True, slots=True)
class Annotator:
    """One person of the registration sheet."""

    id: str
    team: str
    name: str = ""
    email: str = ""
    goal: int = 0  # tasks that this person hopes to do; 0: the campaign's
    also: tuple[str, ...] = ()  # names by which other annotation tools know this person


@dataclass(frozen=True, slots=True)
class Sample:
    """A chunk of a document, as it is shown to annotators.

    `text` is `document.text[start:end]` of the cleaned view; the campaign's store knows the way back to the original.
    """

    id: str
    document: str
    start: int
    end: int
    text: str = field(repr=False)  # the text of a note must not reach a log through repr()
    patient: str = ""
    unit: str = ""
    training: bool = False  # done by everybody first, and no part of the reference


@dataclass(frozen=True, slots=True)
class Answer:
    """What one annotator said of one sample. Spans are in code points of the sample's text.

    An answer is never changed: a later revision of the same task is another answer with a higher `revision`.
    """

    id: str  # made by the client, so that a repeated request is recognised
    sample: str
    annotator: str
    spans: tuple[Span, ...] = ()
    decision: Decision = "accept"
    at: float = 0.0  # seconds since 1970, when the answer was given
    revision: int = 0
    comment: str = field(default="", repr=False)  # may quote the text
    suggested: tuple[Span, ...] = ()  # what the annotator was shown to begin with
    meta: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that was kept out: why, on which line of which file, or else what it was. It quotes nothing of the text."""

    reason: str
    line: int | None = None
    what: str = ""
    file: str = ""

    def __str__(self) -> str:
        if self.file:
            return f"{self.file}:{self.line}: {self.reason}"
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.what}: {self.reason}"


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
