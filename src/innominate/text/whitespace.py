"""Unnecessary characters and excess white space (seed, section 2.2, step 3b)."""

from __future__ import annotations

import re
from functools import cache

from innominate.core import Edit
from innominate.text.lists import invisible_class

# What ends a line: LF, CR, CRLF, vertical tab, form feed, NEL, and the line and paragraph separators of Unicode.
_BREAK = re.compile(r"[\n\r\x0b\x0c\x85\u2028\u2029]")

# The four separators U+001C..1F count as white space for Python but are control characters here, and vanish.
_BLANK = re.compile(r"[^\S\x1c-\x1f]")


class Whitespace:
    r"""Removes control and invisible characters and leaves one space, or one new line, where there was white space.

    White space with a line break in it becomes one `\n`, so blank lines, trailing blanks and indentation go. A line is
    blank if it holds only white space and removed characters. At both ends of the text white space goes altogether.

    >>> Whitespace().edits("Eva\t Meier \r\n\r\n dort\x00.")
    [Edit(start=3, end=5, text=' '), Edit(start=10, end=16, text='\n'), Edit(start=20, end=21, text='')]
    """

    name = "whitespace"

    def edits(self, text: str) -> list[Edit]:
        """Return one edit for every stretch of white space or removed characters that is not as it should be."""
        edits = []
        for stretch in _pattern().finditer(text):
            start, end = stretch.span()
            new = "" if start == 0 or end == len(text) else _replacement(stretch[0])
            if new != stretch[0]:
                edits.append(Edit(start, end, new))
        return edits


def _replacement(stretch: str) -> str:
    if _BREAK.search(stretch):
        return "\n"
    return " " if _BLANK.search(stretch) else ""


@cache
def _pattern() -> re.Pattern[str]:
    """Compile stretches worth a look: any but a lone space or line feed inside the text."""
    stretch = rf"[\s\x00-\x1f\x7f-\x9f{invisible_class()}]"
    odd = rf"[\x00-\x09\x0b-\x1f\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000{invisible_class()}]"
    return re.compile(rf"(?:{odd}|[ \n](?={stretch}|\Z)|\A[ \n]){stretch}*")
