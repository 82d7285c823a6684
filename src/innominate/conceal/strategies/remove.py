"""The remove strategy: the whole sentence goes with its identifier (Remove in Berg et al. 2020, section 3.1.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from innominate.conceal.plan import ConcealmentPlan
from innominate.conceal.scope import language_of
from innominate.core import Document, Edit, Span
from innominate.text.sentences import sentences


@dataclass(frozen=True, slots=True)
class Remove:
    """`Eva slept. No fever.` becomes `No fever.` The white space after a sentence goes with it, but never a line's end."""

    lang: str = ""

    name = "remove"

    def plan(self, document: Document) -> ConcealmentPlan:
        """Return one edit per sentence that holds a span."""
        gone = find_sentences_over(document, document.spans, self.lang)
        edits = tuple(Edit(start, end, "") for start, end in gone)
        return ConcealmentPlan(edits, tuple((span, self.name) for span in document.spans), gone)

    def edits(self, document: Document) -> list[Edit]:
        """Return the edits alone."""
        return list(self.plan(document).edits)


def find_sentences_over(document: Document, spans: Iterable[Span], lang: str = "") -> tuple[tuple[int, int], ...]:
    """Where the sentences stand that share a character with a span, each with the blanks after it; overlaps are joined.

    >>> find_sentences_over(Document("n", "Eva slept. No fever."), [Span(0, 3, "NAME")], "en")
    ((0, 11),)
    """
    wanted = list(spans)
    if not wanted:
        return ()
    text = document.text
    found: list[tuple[int, int]] = []
    for start, end in sentences(text, language_of(document, lang)):
        touched = [span for span in wanted if span.start < end and start < span.end]
        if touched:
            # a span may be longer than what looks like one sentence
            found.append((min(start, *(s.start for s in touched)), max(end, *(s.end for s in touched))))
    found += [(span.start, span.end) for span in wanted if not any(a <= span.start and span.end <= b for a, b in found)]
    return tuple(_joined(sorted((start, _with_blanks(text, end)) for start, end in found)))


def _with_blanks(text: str, end: int) -> int:
    while end < len(text) and text[end] in " \t\u00a0":
        end += 1
    return end


def _joined(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in ranges:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
