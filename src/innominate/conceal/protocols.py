"""What a concealer may do besides giving edits. Anything with these methods fits; nothing inherits from them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from innominate.conceal.plan import ConcealmentPlan
from innominate.core import Document
from innominate.core.protocols import Concealer


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
