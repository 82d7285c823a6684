"""A piece of a text with a label."""

from __future__ import annotations

from dataclasses import dataclass, field

from innominate.core.errors import SpanError


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open code points `[start, end)` of the original text, with a label.

    Score and source say how sure a detector was and which one it was; they take no part in equality.

    >>> Span(3, 7, "DATE", score=0.9) == Span(3, 7, "DATE", source="crf")
    True
    >>> Span(3, 7, "DATE").of("le 2021 déjà")
    '2021'
    """

    start: int
    end: int
    label: str
    score: float = field(default=1.0, compare=False)
    source: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise SpanError(f"a span needs 0 <= start < end, not {self.start}..{self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """Return the characters that the span covers."""
        return text[self.start : self.end]

    def overlaps(self, other: Span) -> bool:
        """Say whether the two share a character."""
        return self.start < other.end and other.start < self.end
