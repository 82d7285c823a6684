"""Sections of hospital notes, by their headings: known ones, and lines that look like one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from innominate.languages import read_lines

# Up to this many characters and words a line or the part before a colon can be a heading.
_LONGEST, _MOST_WORDS = 60, 7

# Numbering and decoration around a heading: `1.`, `II)`, `**Status**`, `=== Plan ===`, `# Plan`.
# Possessive repetition (`*+`) keeps a line of blanks linear.
_HEADING = re.compile(
    rf"""
    ^[ \t]*+ (?: [\#*=_-]++[ \t]* )? (?: (?:\d{{1,2}}|[IVX]{{1,4}})[.)][ \t]+ )?
    (?P<heading> [^\W\d_] [^:\n\r]{{1,{_LONGEST - 1}}}? )
    [ \t*=_-]*+ (?: (?P<colon>:)[*]*+ (?P<inline>[^\n\r]*\S)? | (?P<stop>\.) )? [ \t\r]*+$
    """,
    re.MULTILINE | re.VERBOSE,
)


class Section(NamedTuple):
    """The characters `[start, end)` of a note from a heading to the next one; the text after the heading starts at `body`.

    What stands before the first heading is a section with an empty heading.
    """

    start: int
    end: int
    heading: str
    body: int


def sections(text: str, lang: str) -> list[Section]:
    r"""Return sections that tile the text.

    >>> text = "CHUV\nAnamnèse: tombé hier.\nSTATUS NEUROLOGIQUE\nNormal."
    >>> [(section.heading, text[section.body : section.end].strip()) for section in sections(text, "fr")]
    [('', 'CHUV'), ('Anamnèse', 'tombé hier.'), ('STATUS NEUROLOGIQUE', 'Normal.')]
    """
    found = list(_headings(text, _known(lang)))
    if not found or found[0][0] > 0:
        found.insert(0, (0, "", 0))
    ends = [*(start for start, _, _ in found[1:]), len(text)]
    return [Section(start, end, heading, body) for (start, heading, body), end in zip(found, ends, strict=True) if end > start]


def _headings(text: str, known: frozenset[str]) -> Iterator[tuple[int, str, int]]:
    """Yield where a heading's line starts, the heading, and where the text after it starts."""
    for line in _HEADING.finditer(text):
        heading = line["heading"].rstrip()
        if " ".join(heading.lower().split()) in known or _looks_like_one(heading, line):
            yield line.start(), heading, line.end("colon") if line["colon"] else line.end()


def _looks_like_one(heading: str, line: re.Match[str]) -> bool:
    """Say whether a heading that is on no list has the shape of one: capitals, or a few words and a colon alone on a line."""
    words = heading.split()
    if len(words) > _MOST_WORDS or line["stop"] or heading[-1] in ",;.!?" or any(letter.isdigit() for letter in heading):
        return False
    if heading.isupper():
        # Short ones are fields (`NHC: 368503`) or findings (`HTA`).
        return len(heading) > 4 and any(len(word) > 3 for word in words)
    return line["colon"] is not None and not line["inline"] and heading[0].isupper() and len(heading) > 3


@cache
def _known(lang: str) -> frozenset[str]:
    return frozenset(read_lines(lang, "headings.txt"))
