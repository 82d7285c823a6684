"""A note with one opinion about what in it identifies people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from innominate.core.errors import SpanError
from innominate.core.span import Span

_position, _end = attrgetter("start", "end", "label"), attrgetter("end")  # much faster than comparing dataclasses


@dataclass(frozen=True, slots=True)
class Document:
    """An id, a text that never changes, and spans sorted by position.

    Another annotator, a system or the gold standard is another Document with the same id.

    >>> Document("n1", "Eva slept.", [Span(0, 3, "NAME")]).spans
    (Span(start=0, end=3, label='NAME', score=1.0, source=''),)
    """

    id: str
    text: str = field(repr=False)  # the text of a note must not reach a log through repr()
    spans: tuple[Span, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict, hash=False)
    source: str = field(default="", compare=False, repr=False)  # the file it was read from; not what it says
    format: str = field(default="", compare=False, repr=False)  # of that file

    def __post_init__(self) -> None:
        spans = tuple(sorted(self.spans, key=_position))
        if spans and max(map(_end, spans)) > len(self.text):
            raise SpanError(f"a span ends after the {len(self.text)} characters of the text")
        object.__setattr__(self, "spans", spans)

    def with_spans(self, spans: Iterable[Span]) -> Document:
        """Return the same note with another opinion about it."""
        return Document(self.id, self.text, tuple(spans), self.meta)

    def patient(self, key: str = "patient") -> str:
        """Whose note it is, by what its meta data says under a key, or by the id of the note; empty if nothing is said.

        >>> Document("n1", "", meta={"patient": 7}).patient(), Document("n1", "").patient("id"), Document("n1", "").patient()
        ('7', 'n1', '')
        """
        value = self.id if key == "id" else self.meta.get(key)
        return "" if value is None else str(value).strip()


@dataclass(frozen=True, slots=True)
class Rejected:
    """A note that could not be read: which one, where, and why. Readers yield it in the note's place and go on."""

    id: str
    reason: str
    source: str = ""
    line: int | None = None

    def __str__(self) -> str:
        where = f"{self.source}:{self.line}" if self.line else self.source
        return f"{where}: {self.reason}" if where else self.reason
