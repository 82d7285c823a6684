"""A piece of a text with a label."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import index

from innominate.core.errors import SpanError
from innominate.core.finder import Finder


@dataclass(frozen=True, slots=True, order=True, init=False)
class Span:
    """Half-open code points `[start, end)` of the original text, with a label.

    Score and source say how sure a detector was and which one it was (`finder`, in short); they take no part in equality.

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

    def __init__(self, start: int, end: int, label: str, score: float = 1.0, source: str = "") -> None:
        if type(start) is not int or type(end) is not int or type(score) is not float:  # numbers of numpy, from a detector
            start, end, score = index(start), index(end), float(score)
        if not 0 <= start < end:
            raise SpanError(f"a span needs 0 <= start < end, not {start}..{end}")
        # as a frozen dataclass does it by itself, in half the time: spans are what most of the work is done with
        _set_start(self, start)
        _set_end(self, end)
        _set_label(self, label)
        _set_score(self, score)
        _set_source(self, source)

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """Return the characters that the span covers."""
        return text[self.start : self.end]

    @property
    def finder(self) -> Finder:
        """Who found it.

        >>> Span(3, 7, "DATE", source="rules:fr.year").finder
        <Finder.RULES: 'rules'>
        """
        return Finder.of(self.source)

    def overlaps(self, other: Span) -> bool:
        """Say whether the two share a character."""
        return self.start < other.end and other.start < self.end


_set_start, _set_end, _set_label, _set_score, _set_source = (
    getattr(Span, name).__set__ for name in ("start", "end", "label", "score", "source")
)
