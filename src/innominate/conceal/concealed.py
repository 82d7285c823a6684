"""Apply a concealment strategy to a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape

from innominate.conceal.plain_view import has_tags
from innominate.conceal.plan import KEEP, ConcealmentPlan, PlanningConcealer, Treated, plan_alike
from innominate.core import Document, Edit, OffsetMap, Span, apply_edits, resolve
from innominate.core.protocols import Concealer


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

    def counts_by_label(self) -> dict[str, dict[str, int]]:
        """How many spans of each label got each strategy."""
        counts: dict[str, dict[str, int]] = {}
        for span, strategy, _ in self.treated:
            of_label = counts.setdefault(span.label, {})
            of_label[strategy] = of_label.get(strategy, 0) + 1
        return counts


def conceal(document: Document, concealer: Concealer) -> Concealed:
    """Hide every span of the document; overlaps are settled by trimming first.

    >>> from innominate.core import annotated
    >>> from innominate.conceal.strategies.by_class import ByClass
    >>> conceal(annotated("[Eva](First_Name) slept."), ByClass()).document.text
    '<First_Name> slept.'
    """
    settled = _settle_overlaps(document)
    if isinstance(concealer, PlanningConcealer):
        return _apply_plan(document, concealer.plan(settled))
    return _apply_plan(document, plan_alike(settled, concealer.edits(settled), concealer.name))


def _settle_overlaps(document: Document) -> Document:
    spans = resolve(document.spans)
    return document if spans is document.spans else document.with_spans(spans)


def _apply_plan(document: Document, plan: ConcealmentPlan) -> Concealed:
    edits: Iterable[Edit] = plan.edits
    if has_tags(document.text):  # a browser would take <DATE> for a tag and show nothing
        edits = [Edit(start, end, escape(text, quote=False)) for start, end, text in edits]
    text, offsets = apply_edits(document.text, edits)
    treated = tuple([Treated(span, strategy, _carry_span(span, offsets)) for span, strategy in plan.strategies])
    carried = tuple([target for _, _, target in treated if target is not None])
    return Concealed(Document(document.id, text, carried, document.meta), offsets, treated, plan.removed)


def _carry_span(span: Span, offsets: OffsetMap) -> Span | None:
    start, end = offsets.to_target(span.start, span.end)
    return Span(start, end, span.label, span.score, span.source) if start < end else None
