"""Cutting a cleaned note into the pieces that annotators see one at a time (seed, section 2.2, step 4)."""

from __future__ import annotations

import re
import unicodedata

from innominate.text.chunks import chunks

_ENDS = ".!?;:"  # where a long line is cut rather than between any two words
_MARKS = 16  # a letter with more marks on it than this may be cut
_INK = re.compile(r"\S")


def cut_text(view_text: str, target: int = 0, most: int = 1000) -> list[tuple[int, int]]:
    r"""Return where the pieces stand: lines, joined while they fit into `target` characters and cut above `most`.

    With a target of 0 every line is a piece, as in the seed. Blank lines are in no piece.

    >>> cut_text("Anamnèse\nEva dort.\nElle mange bien.", target=20)
    [(0, 18), (19, 35)]
    """
    pieces: list[tuple[int, int]] = []
    for start, end in (part for line in chunks(view_text) for part in _parts(view_text, *line, most)):
        if pieces and end - pieces[-1][0] <= target and "\n" in view_text[pieces[-1][1] : start]:
            pieces[-1] = (pieces[-1][0], end)
        else:
            pieces.append((start, end))
    return pieces


def _parts(text: str, start: int, end: int, most: int) -> list[tuple[int, int]]:
    """Cut one line into parts of at most `most` characters, without the blanks between them."""
    parts = []
    start = _after_blanks(text, start)
    while end - start > most:
        middle = _place(text, start, start + most)
        parts.append((start, start + len(text[start:middle].rstrip())))
        start = _after_blanks(text, middle)
    return [*parts, (start, end)] if start < end else parts


def _place(text: str, start: int, limit: int) -> int:
    """The last good place to cut at or before the limit: after a sentence, between words, or between any two characters."""
    blanks = [place for place in range(start + 1, limit + 1) if text[place].isspace() and not text[place - 1].isspace()]
    ends = [place for place in blanks if place > (start + limit) // 2 and text[place - 1] in _ENDS]
    if ends or blanks:
        return (ends or blanks)[-1]
    letters = (place for place in range(limit, limit - _MARKS, -1) if not unicodedata.combining(text[place]))
    return next(letters, limit)


def _after_blanks(text: str, place: int) -> int:
    found = _INK.search(text, place)
    return found.start() if found else len(text)
