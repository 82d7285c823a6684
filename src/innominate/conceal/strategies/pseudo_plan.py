"""The plan of a note: what each of its spans becomes."""

from __future__ import annotations

from innominate.conceal.plan import KEEP, ConcealmentPlan
from innominate.conceal.strategies.pseudo_note import NoteSurrogates
from innominate.core import Edit, Span

_new = tuple.__new__  # what the constructor of a NamedTuple calls, in half of its time


def plan_pseudonyms(note: NoteSurrogates) -> ConcealmentPlan:
    """Replace dates first, because ages and holidays hang on them, then everything else, kind by kind."""
    note.look()
    note.move_dates()
    kinds = note.kinds
    for i in sorted(range(len(kinds)), key=kinds.__getitem__):
        if kinds[i] != "date":
            note.replace(i)
    edits: list[Edit] = []
    strategies: list[tuple[Span, str]] = []
    for span, (text, strategy) in zip(note.spans, note.found, strict=True):
        strategies.append((span, strategy))
        if strategy != KEEP and text is not None:
            edits.append(_new(Edit, (span.start, span.end, text)))
    return ConcealmentPlan(tuple(edits), tuple(strategies))
