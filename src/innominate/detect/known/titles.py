"""Titles and fields before a name: what follows them is a name, whatever it looks like."""

from __future__ import annotations

import re
from functools import cache

from innominate.detect.known.passage import Passage
from innominate.detect.known.vocabulary import titles

_LONGEST = 16  # characters of a title with what separates it from the name


def is_after_title(start: int, passage: Passage) -> bool:
    """Say whether a title ends right before a place.

    >>> is_after_title(4, Passage.of("Mme petit")), is_after_title(7, Passage.of("un peu petit"))
    (True, False)
    """
    return _title().search(passage.low, max(0, start - _LONGEST), start) is not None


@cache
def _title() -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W\d_])(?:{'|'.join(titles())})(?:\.\s{{0,2}}|\s{{0,2}}:\s{{0,2}}|\s{{1,2}})\Z")
