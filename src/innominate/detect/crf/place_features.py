"""Features that depend on where a token stands: its line, its field, the rules, the rest of the note.

Each takes the tokens of a note with the spans of the rules and yields `(attributes, first, last)`: attributes that hold
for the tokens `[first, last)`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from innominate.core import Span
from innominate.detect.crf.tokenise import Tokens
from innominate.text.sections import sections


class NoteWithRules(NamedTuple):
    """What these features look at."""

    tokens: Tokens
    rules: Sequence[Span]
    lang: str


Marks = Iterator[tuple[tuple[str, ...], int, int]]
PlaceFeature = Callable[[NoteWithRules], Marks]

_FAR = 9  # tokens from a colon or the edge of a line; further is all the same
_EDGE = 12  # lines from the beginning and the end of a note that are told apart
_RARE = 12  # a word that occurs more often in a note is no name that the note repeats
_LONGEST_FIELD = 4  # tokens before a colon
_COLUMNS = tuple((f"c={column}",) for column in range(_FAR))


def line(note: NoteWithRules) -> Marks:
    """Where in its line a token stands, and where in the note the line."""
    lines = note.tokens.lines
    for number, (start, end) in enumerate(lines):
        from_end = len(lines) - 1 - number
        of_line = f"ln={number}" if number < _EDGE else f"le={from_end}" if from_end < _EDGE else "ln=body"
        yield (of_line, "first2=" + " ".join(note.tokens.words[start : start + 2]).lower()), start, end
        for place, mark in zip(range(start, end), _COLUMNS, strict=False):
            yield mark, place, place + 1
        yield ("c=last",), end - 1, end


def section(note: NoteWithRules) -> Marks:
    """The heading of the section."""
    starts = note.tokens.starts
    for found in sections(note.tokens.text, note.lang):
        first, last = bisect_left(starts, found.start), bisect_left(starts, found.end)
        if first < last:
            yield (f"h={found.heading.lower()[:40]}",), first, last


def field(note: NoteWithRules) -> Marks:
    """The field of a form: the words before the last colon of the line, and how far away that is."""
    words = note.tokens.words
    for start, end in note.tokens.lines:
        colons = [index for index in range(start, end) if words[index] == ":"]
        for colon, stop in pairwise([*colons, end]):
            name = _name(words, start, colon)
            yield (f"f={name}",), colon + 1, stop
            for index, mark in zip(range(colon + 1, stop), _distances(name), strict=False):
                yield mark, index, index + 1


@lru_cache(4_000)  # the fields of a hospital's forms come again in every note
def _distances(name: str) -> Sequence[tuple[str, ...]]:
    return tuple((f"fd={distance}:{name}",) for distance in range(_FAR - 1))


def _name(words: Sequence[str], start: int, colon: int) -> str:
    """The last words before a colon, up to the stop of what stands before them."""
    first = colon
    while first > max(start, colon - _LONGEST_FIELD) and words[first - 1] not in ".:;,":
        first -= 1
    return " ".join(words[first:colon][-2:]).lower()


def rule(note: NoteWithRules) -> Marks:
    """What the rules found: over the token, just before it and just after it."""
    starts, ends = note.tokens.starts, note.tokens.ends
    for span in note.rules:
        first, last = bisect_left(ends, span.start + 1), bisect_left(starts, span.end)
        if first < last:
            yield (f"r=B-{span.label}", f"rr={span.source}"), first, first + 1
            yield (f"r=I-{span.label}", f"rr={span.source}"), first + 1, last
            yield (f"r=last-{span.label}",), last - 1, last
            yield (f"r=before-{span.label}",), max(0, first - 1), first
            yield (f"r=after-{span.label}",), last, min(last + 1, len(starts))


def context(note: NoteWithRules) -> Marks:
    """Where else in the note a capitalised word or a long number stands: in which field, after and before which word."""
    words = note.tokens.words
    places: dict[str, list[int]] = {}
    for index, word in enumerate(words):
        if len(word) > 2 and (word[0].isupper() or (len(word) > 3 and word.isdecimal())):
            places.setdefault(word.lower(), []).append(index)
    repeated = [found for found in places.values() if 1 < len(found) <= _RARE]
    if not repeated:
        return
    fields = _fields(note)
    for found in repeated:
        around = {index: _around(words, fields, index) for index in found}
        for index in found:
            others = sorted({mark for other in found if other != index for mark in around[other]})
            yield tuple(others), index, index + 1


def _fields(note: NoteWithRules) -> dict[int, str]:
    return {index: marks[0][2:] for marks, first, last in field(note) if marks[0][1] == "=" for index in range(first, last)}


def _around(words: Sequence[str], fields: Mapping[int, str], index: int) -> tuple[str, ...]:
    before = words[index - 1].lower() if index else ""
    after = words[index + 1].lower() if index + 1 < len(words) else ""
    return (f"xf={fields.get(index, '')}", f"xb={before}", f"xa={after}")


PLACE_FEATURES: Mapping[str, PlaceFeature] = {
    "line": line,
    "section": section,
    "field": field,
    "rule": rule,
    "context": context,
}
