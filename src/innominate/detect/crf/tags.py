"""Spans as IOB2 tags on tokens."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from innominate.core import Span
from innominate.detect.crf.tokenise import Tokens
from innominate.detect.dial.threshold import OUTSIDE


def tokens_touched(starts: Sequence[int], ends: Sequence[int], span: Span) -> range:
    """The tokens that a span touches, even in part.

    >>> tokens_touched([0, 4], [3, 9], Span(2, 5, "NAME"))
    range(0, 2)
    """
    return range(bisect_left(ends, span.start + 1), bisect_left(starts, span.end))


def to_tags(tokens: Tokens, spans: Iterable[Span]) -> list[str]:
    """Tag the tokens that spans touch, even in part; of two spans over one token the first keeps it.

    >>> from innominate.core import annotated
    >>> from innominate.detect.crf.tokenise import tokenise
    >>> note = annotated("[Rivera Bueno](NAME), 70")
    >>> to_tags(tokenise(note.text), note.spans)
    ['B-NAME', 'I-NAME', 'O', 'O']
    """
    tags = [OUTSIDE] * len(tokens)
    for span in spans:
        free = [index for index in tokens_touched(tokens.starts, tokens.ends, span) if tags[index] == OUTSIDE]
        for index in free:
            tags[index] = f"I-{span.label}"
        if free:
            tags[free[0]] = f"B-{span.label}"
    return tags
