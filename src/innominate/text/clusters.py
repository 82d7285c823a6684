"""Clusters of a text that Unicode normalisation may change, each found and normalised on its own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from typing import Literal

from innominate.core import Edit
from innominate.text.lists import invisible_characters

Form = Literal["NFC", "NFKC"]

# Nothing above U+1FFFF continues a cluster but variation selectors and tags, which are on the list of invisible ones.
_HIGHEST = 0x1FFFF

# Beyond this length marks are put in order here: `unicodedata.normalize` takes quadratic time on unordered marks.
_LONG = 64


def clusters(text: str) -> Iterator[tuple[int, str]]:
    r"""Yield the position and the characters of every cluster that is not plain Latin text.

    A cluster is a character with all that may attach to it. Cut between clusters, and the parts normalise as the whole does.

    >>> [(start, len(cluster)) for start, cluster in clusters("Rene\u0301 a bien dormi…")]
    [(3, 2), (18, 1)]
    """
    unusual, continuing, cluster = _patterns()
    done = 0
    for run in unusual.finditer(text):
        start, end = run.span()
        if start > done and text[start] in continuing:
            start -= 1  # marks belong to the plain letter before them
        done = end
        characters = text[start:end]
        if continuing.isdisjoint(characters):
            yield from enumerate(characters, start)
        else:
            yield from ((found.start(), found[0]) for found in cluster.finditer(text, start, end))


def normalised(form: Form, cluster: str) -> str:
    r"""Return the normal form of a cluster, in linear time however many marks are piled on it.

    >>> normalised("NFC", "e\u0301")
    'é'
    """
    if len(cluster) <= _LONG:
        return unicodedata.normalize(form, cluster)
    decomposition: Literal["NFD", "NFKD"] = "NFKD" if form == "NFKC" else "NFD"
    parts = "".join(unicodedata.normalize(decomposition, character) for character in cluster)
    return unicodedata.normalize(form, "".join(_in_canonical_order(parts)))


def _in_canonical_order(decomposed: str) -> Iterator[str]:
    """Sort every run of marks by combining class; the order of equals stays."""
    for is_mark, run in groupby(decomposed, key=lambda character: unicodedata.combining(character) > 0):
        marks_or_letters = list(run)
        yield from sorted(marks_or_letters, key=unicodedata.combining) if is_mark else marks_or_letters


def smallest_edit(start: int, old: str, new: str) -> Edit:
    r"""Return the edit from old to new without the characters both begin with, so that mapping back stays exact.

    >>> smallest_edit(7, "E\u200b", "E")
    Edit(start=8, end=9, text='')
    """
    if len(old) == 1:
        return Edit(start, start + 1, new)
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    return Edit(start + same, start + len(old), new[same:])


@cache
def _patterns() -> tuple[re.Pattern[str], frozenset[str], re.Pattern[str]]:
    """Return a pattern of runs of unusual characters, what attaches to the character before it, and a pattern of clusters."""
    plain = (chr(code) for code in range(0x80, 0x250) if _is_plain(chr(code)))
    continuing = frozenset(_continuing()) | invisible_characters()
    attached = _character_class(continuing)
    return (
        re.compile(rf"[^\x00-\x7f°{_character_class(plain)}]+"),
        continuing,
        re.compile(f"[^{attached}]?[{attached}]+|[^{attached}]"),
    )


def _is_plain(character: str) -> bool:
    return character.isalpha() and unicodedata.is_normalized("NFKC", character)


def _continuing() -> Iterator[str]:
    """Yield characters whose decomposition starts with a mark or with the second half of a composition."""
    seconds = _second_halves()
    for code in range(0x80, _HIGHEST + 1):
        character = chr(code)
        first = unicodedata.normalize("NFKD", character)[0]
        if unicodedata.combining(first) or first in seconds:
            yield character


def _second_halves() -> set[str]:
    """Return what can melt into a character before it: `é` is `e` and an accent, a Hangul syllable is two or three letters."""
    halves = {chr(code) for code in range(0x1161, 0x1176)} | {chr(code) for code in range(0x11A8, 0x11C3)}
    for code in range(0x80, _HIGHEST + 1):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            halves.add(chr(int(parts[1], 16)))
    return halves


def _character_class(characters: Iterable[str]) -> str:
    """Write characters as the ranges of a character class."""
    ranges: list[list[int]] = []
    for code in sorted(map(ord, characters)):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)
