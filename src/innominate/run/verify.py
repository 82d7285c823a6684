"""The last look before a note is written: what should have gone is gone, and nothing else was touched."""

from __future__ import annotations

from innominate.conceal import Concealed
from innominate.core import Document, InnominateError, resolve


class NotConcealedError(InnominateError):
    """The concealed text is not what it has to be; the note must not be written."""


def verify(original: Document, concealed: Concealed) -> None:
    """Raise unless exactly what had to be replaced was replaced, and nothing by a text that still holds its identifier.

    Every span has to be accounted for: replaced, kept because the policy says so, or gone with its sentence.
    """
    if [treated.span for treated in concealed.treated] != list(resolve(original.spans)):
        raise NotConcealedError("the concealment does not account for every span")
    changed: list[tuple[int, int]] = []
    before, after = original.text, concealed.document.text
    for segment, is_change in concealed.offsets.segments():
        old = before[segment.source_start : segment.source_end]
        new = after[segment.target_start : segment.target_end]
        if not is_change:
            if old != new:
                raise NotConcealedError(f"text outside the spans was changed at {segment.source_start}")
            continue
        changed.append((segment.source_start, segment.source_end))
        # Labels such as <AGE> may by chance hold a short identifier; three characters are where a leak begins.
        identifier = old.strip().casefold()
        if old == new or (len(identifier) >= 3 and identifier in new.casefold()):
            raise NotConcealedError(f"the span at {segment.source_start} still holds its identifier")
    if changed != list(concealed.replaced):
        raise NotConcealedError("the places that were replaced are not those that had to be")
