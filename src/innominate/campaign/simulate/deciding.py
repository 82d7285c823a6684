"""A manager who knows the truth works through the decision queue, as managers do who look at the text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from innominate.campaign.reference.corrections import Correction, corrected
from innominate.campaign.reference.decisions import Pending
from innominate.campaign.reference.verdicts import Record
from innominate.core import Span


def decided(
    records: Sequence[Record], pending: Iterable[Pending], truth: Mapping[str, Sequence[Span]]
) -> dict[str, tuple[Span, ...]]:
    """The reference spans of every sample when nothing waits any longer."""
    decisions = [_decision(number, one, truth.get(one.sample, ())) for number, one in enumerate(pending, start=1)]
    return {record.sample: record.spans for record in corrected(records, decisions)[0]}


def _decision(number: int, one: Pending, truth: Sequence[Span]) -> Correction:
    """The identifier that most of the proposal lies in, or nothing."""
    start, end = one.segment
    overlaps = {span: min(end, span.end) - max(start, span.start) for span in truth}
    best = max(overlaps, key=lambda span: overlaps[span], default=None)
    there = best is not None and overlaps[best] > 0
    return Correction(
        number,
        one.sample,
        one.at[:2],
        one.at[2],
        says_segment=True,
        segment=(best.start, best.end) if best and there else None,
        says_category=True,
        category=best.label if best and there else None,
    )
