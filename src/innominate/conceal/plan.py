"""What was done to each span, and what a concealer may do besides giving edits.

Anything with the methods of a protocol fits it; nothing inherits from them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, runtime_checkable

from innominate.core import Document, Edit, Span
from innominate.core.protocols import Concealer

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


@runtime_checkable
class PlanningConcealer(Concealer, Protocol):
    """Says what each span becomes: some are kept, some go with their sentence."""

    def plan(self, document: Document) -> ConcealmentPlan:
        """Return the edits and the strategies; the spans do not overlap."""


@runtime_checkable
class PreparingConcealer(Concealer, Protocol):
    """Wants to see all notes of a patient before it conceals the first of them."""

    def prepare(self, documents: Iterable[Document]) -> Concealer:
        """The same concealer, knowing the notes of one patient; their spans do not overlap."""


@runtime_checkable
class SelectingConcealer(Concealer, Protocol):
    """Leaves some spans as they stand because the detector was not sure enough of them."""

    def select(self, document: Document) -> Document:
        """The document with the spans that are to be concealed."""
