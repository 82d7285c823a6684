"""Fine tokens: runs of letters, runs of digits, every other character by itself, line ends; and spans as IOB2 tags.

Spans of people who annotate begin and end almost anywhere; cut this fine, tokens fit nearly all of them. The window of
features sees across line ends, therefore they are tokens too.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from innominate.core import Span
from innominate.detect.dial.threshold import OUTSIDE

# Symbols that are seen: a line end in the name of an attribute would break the files that hold these.
LINE_END, PARAGRAPH_END = "␊", "␊␊"

_UPPER, _LOWER, _LETTER = "A-ZÀ-ÖØ-Þ", "a-zß-öø-ÿ", r"[^\W\d_ºª]"
# `NºCol` and `MadridEspaña` are several words; a letter outside Latin-1 never cuts.
_TOKEN = re.compile(rf"[{_UPPER}]?[{_LOWER}]+(?![^\W\d_ºª{_UPPER}])|{_LETTER}+|\d+|\n\s*|[^\w\s]|[_ºª]")

# A unit is what the chain runs over. Longer ones are cut after a sentence, still longer ones after any of these marks.
_LONG, _VERY_LONG = 24, 64
_MARKS = ".,;:)"


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one text: where they stand, what they are, where lines stand and units end (in numbers of tokens)."""

    text: str = field(repr=False)
    starts: Sequence[int]
    ends: Sequence[int]
    words: Sequence[str] = field(repr=False)
    units: Sequence[int]  # the last is the number of tokens
    lines: Sequence[tuple[int, int]]  # without their ends; no line is empty

    def __len__(self) -> int:
        return len(self.words)


def tokenise(text: str) -> Tokens:
    r"""Cut a text into tokens and units.

    >>> tokens = tokenise("Edad: 70 años\nNºCol: 28-1")
    >>> tokens.words
    ['Edad', ':', '70', 'años', '␊', 'N', 'º', 'Col', ':', '28', '-', '1']
    >>> tokens.units, tokens.lines
    ([5, 12], [(0, 4), (5, 12)])
    """
    spans = [match.span() for match in _TOKEN.finditer(text)]
    words = [text[start:end] for start, end in spans]
    units: list[int] = []
    lines: list[tuple[int, int]] = []
    first = line = 0
    for index, word in enumerate(words):
        if word[0] == "\n":
            words[index] = LINE_END if word.count("\n") == 1 else PARAGRAPH_END
            if line < index:
                lines.append((line, index))
            line = index + 1
        elif index - first < _LONG or word not in _MARKS or not _may_end(words, index, index - first):
            continue
        first = index + 1
        units.append(first)
    if first < len(words):
        units.append(len(words))
    if line < len(words):
        lines.append((line, len(words)))
    return Tokens(text, [start for start, _ in spans], [end for _, end in spans], words, units, lines)


def _may_end(words: Sequence[str], mark: int, length: int) -> bool:
    """Say whether a unit may end after a mark: the stop of a sentence, or anything once it is very long."""
    if length >= _VERY_LONG:
        return True
    before, after = words[mark - 1], words[mark + 1 : mark + 2]
    return words[mark] == "." and len(before) > 3 and before.islower() and bool(after) and after[0][0].isupper()


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
