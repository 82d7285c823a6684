"""The mask strategy: an identifier becomes XXXX (Mask in Berg et al. 2020, section 3.1.3)."""

from __future__ import annotations

from dataclasses import dataclass

from innominate.core import Document, Edit


@dataclass(frozen=True, slots=True)
class Mask:
    """`Eva slept.` becomes `XXXX slept.` whatever the length of the name, so that the length tells nothing."""

    mask: str = "XXXX"

    name = "mask"

    def edits(self, document: Document) -> list[Edit]:
        """Return one edit per span."""
        return [Edit(span.start, span.end, self.mask) for span in document.spans]
