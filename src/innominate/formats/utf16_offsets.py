"""Offsets as browsers count them. JavaScript counts UTF-16 code units, in which an emoji is two."""

from __future__ import annotations

import re
from bisect import bisect_left

from innominate.core.errors import FormatError

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


class Utf16Offsets:
    """Converts between code points and UTF-16 code units of one text.

    >>> offsets = Utf16Offsets("🙂 Eva")
    >>> offsets.units(2), offsets.points(3)
    (3, 2)
    """

    def __init__(self, text: str) -> None:
        self._wide = [match.start() for match in _ASTRAL.finditer(text)]
        # the position, in code units, of the second half of each of them
        self._halves = [position + number + 1 for number, position in enumerate(self._wide)]

    def units(self, position: int) -> int:
        """A position in code points as code units."""
        return position + bisect_left(self._wide, position)

    def points(self, position: int) -> int:
        """A position in code units as code points; inside of a character there is no such position."""
        before = bisect_left(self._halves, position)
        if before < len(self._halves) and self._halves[before] == position:
            raise FormatError(f"offset {position} is inside of a character; offsets must be UTF-16 code units")
        return position - before
