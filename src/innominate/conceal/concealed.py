"""Apply a concealment strategy to a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape

from innominate.conceal.plain_view import has_tags
from innominate.conceal.plan import KEEP, ConcealmentPlan, Treated, plan_alike
from innominate.conceal.protocols import PlanningConcealer
from innominate.core import Document, Edit, OffsetMap, Span, apply_edits, resolve
from innominate.core.protocols import Concealer

_new = tuple.__new__  # what the constructor of a NamedTuple calls, in half of its time


@dataclass(frozen=True, slots=True)
class Concealed:
    """The concealed document with spans in its own coordinates, the map from the original to it, and what each span got."""

    document: Document
    offsets: OffsetMap
    treated: tuple[Treated, ...] = ()
    removed: tuple[tuple[int, int], ...] = field(default=())  # sentences of the original that are gone

    def project(self, spans: Iterable[Span]) -> list[Span]:
        """Carry other annotations of the original (clinical entities) into the concealed text; what was removed is gone.

        >>> from innominate.core import annotated
        >>> from innominate.conceal.strategies.mask import Mask
        >>> conceal(annotated("[Eva](NAME) has asthma."), Mask()).project([Span(8, 14, "DISEASE")])
        [Span(start=9, end=15, label='DISEASE', score=1.0, source='')]
        """
        return self.offsets.spans_to_target(spans)

    @property
    def replaced(self) -> tuple[tuple[int, int], ...]:
        """The places of the original that must have changed: sentences that went, and spans that were not kept."""
        spans = [(span.start, span.end) for span, strategy, _ in self.treated if strategy != KEEP]
        if self.removed:
            spans = [(a, b) for a, b in spans if not any(start <= a and b <= end for start, end in self.removed)]
        return tuple(sorted([*spans, *self.removed]))

    def counts(self) -> dict[str, int]:
        """How many spans got each strategy."""
        return dict(Counter([strategy for _, strategy, _ in self.treated]))


def conceal(document: Document, concealer: Concealer) -> Concealed:
    """Hide every span of the document; overlaps are settled by trimming first.

    >>> from innominate.core import annotated
    >>> from innominate.conceal.strategies.by_class import ByClass
    >>> conceal(annotated("[Eva](First_Name) slept."), ByClass()).document.text
    '<First_Name> slept.'
    """
    settled = _settled(document)
    if isinstance(concealer, PlanningConcealer):
        return _concealed(document, concealer.plan(settled))
    return _concealed(document, plan_alike(settled, concealer.edits(settled), concealer.name))


def _settled(document: Document) -> Document:
    spans = resolve(document.spans)
    return document if spans is document.spans else document.with_spans(spans)


def _concealed(document: Document, plan: ConcealmentPlan) -> Concealed:
    edits: Iterable[Edit] = plan.edits
    if has_tags(document.text):  # a browser would take <DATE> for a tag and show nothing
        edits = [Edit(start, end, escape(text, quote=False)) for start, end, text in edits]
    text, offsets = apply_edits(document.text, edits)
    treated = _treated(plan, offsets)
    moved = tuple([target for _, _, target in treated if target is not None])
    return Concealed(Document(document.id, text, moved, document.meta), offsets, treated, plan.removed)


def _treated(plan: ConcealmentPlan, offsets: OffsetMap) -> tuple[Treated, ...]:
    """Where each span went: into the change that stands in its place, or on by as much as the changes before it made room.

    `OffsetMap.to_target` looks for every place among all changes; here both stand in the order of the text.
    """
    found: list[Treated] = []
    pending = iter(offsets.changes)
    change, moved = next(pending, None), 0
    for span, strategy in plan.strategies:
        start, end = span.start, span.end
        while change and change[1] <= start:
            moved = change[3] - change[1]
            change = next(pending, None)
        if not change or change[0] >= end:
            start, end = start + moved, end + moved
        elif change[0] == start and change[1] == end:
            _, _, start, end = change
        else:  # a sentence that was removed
            start, end = offsets.to_target(start, end)
        target = Span(start, end, span.label, span.score, span.source) if start < end else None
        found.append(_new(Treated, (span, strategy, target)))
    return tuple(found)
