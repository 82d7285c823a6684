"""What was done to each span."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from innominate.core import Document, Edit, Span

KEEP = "keep"


class Treated(NamedTuple):
    """A span of the original with the strategy it got and where it went; `target` is None where it was removed."""

    span: Span
    strategy: str
    target: Span | None = None


@dataclass(frozen=True, slots=True)
class ConcealmentPlan:
    """The edits of a document, and the strategy of each span that was looked at, in the order of the text.

    A kept span has a strategy and no edit. `removed` are whole sentences; spans inside them have no edit of their own.
    """

    edits: tuple[Edit, ...] = field(repr=False)  # the surrogates of a note do not belong in a log
    strategies: tuple[tuple[Span, str], ...]
    removed: tuple[tuple[int, int], ...] = ()


def plan_alike(document: Document, edits: list[Edit], strategy: str) -> ConcealmentPlan:
    """The plan of a concealer that does the same to every span."""
    return ConcealmentPlan(tuple(edits), tuple((span, strategy) for span in document.spans))
