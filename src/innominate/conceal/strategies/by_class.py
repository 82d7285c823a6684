"""The class strategy: an identifier becomes the name of its label (Class in Berg et al. 2020, section 3.1.3)."""

from __future__ import annotations

from dataclasses import dataclass

from innominate.core import Document, Edit


@dataclass(frozen=True, slots=True)
class ByClass:
    """`Eva slept.` becomes `<First_Name> slept.`"""

    pattern: str = "<{label}>"

    name = "class"

    def edits(self, document: Document) -> list[Edit]:
        """Return one edit per span."""
        return [Edit(span.start, span.end, self.pattern.format(label=span.label)) for span in document.spans]
