"""What an export says, before it is checked against the campaign."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from innominate.campaign.problems import Problem
from innominate.campaign.records import Decision
from innominate.core import Span


@dataclass(frozen=True, slots=True)
class Given:
    """One answer as an export has it."""

    line: int
    key: str  # what must be unique in one export, and is the same if the same is exported again
    names: tuple[str, ...]  # by which the person may be known
    text: str = field(repr=False)
    spans: tuple[Span, ...]
    decision: Decision = "accept"
    at: float = 0.0  # 0: the export does not say
    sample: str = ""  # empty: to be found by the text
    version: str = ""  # changes if the person changed their answer in the other tool
    comment: str = field(default="", repr=False)
    suggested: tuple[Span, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    place: str = ""  # says where it is if the line does not: some tools write everything on one

    def problem(self, reason: str) -> Problem:
        """Why this answer is kept out."""
        return Problem(f"{self.place}: {reason}" if self.place else reason, self.line)


def digest(value: object) -> str:
    """A short name for a value. It stays in the store: who has it could try out texts.

    >>> digest("Eva")
    '2fd38624103e'
    """
    return blake2b(repr(value).encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
