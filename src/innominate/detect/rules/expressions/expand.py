"""Expressions as rule files write them: with macros and lists in braces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile

from innominate.core import UsageError

# Letters of the European languages, by case: `re` has no class for upper case.
UPPER = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĢĪĮİĶĹĻĽŁŃŅŇŐŒŔŘŚŞŠŢŤŪŮŰŲŸŹŻŽȘȚ"
LOWER = "a-zß-öø-ÿāăąćčďđēėęěğģīįıķĺļľłńņňőœŕřśşšţťūůűųźżžșț"
BUILT_IN = {"Lu": f"[{UPPER}]", "Ll": f"[{LOWER}]", "L": f"[{UPPER}{LOWER}]", "Lus": UPPER, "Lls": LOWER}

_PLACE = re.compile(r"\{(list:)?([A-Za-z][A-Za-z0-9_.-]*)\}")


def expand(expression: str, macros: Mapping[str, str], words: Callable[[str], Iterable[str]]) -> str:
    """Replace `{macro}` by its expression and `{list:name}` by the words of a list, longest first.

    >>> expand("{list:months} {Lu}", {}, lambda name: ["mai", "juin"])[:11]
    '(?:juin|mai'
    """

    def replaced(place: re.Match[str]) -> str:
        if place[1]:
            return alternatives(words(place[2]))
        known = {**BUILT_IN, **macros}
        if place[2] not in known:
            raise UsageError(f"uses {{{place[2]}}}, which is no macro; there are: {', '.join(sorted(known))}")
        return expand(known[place[2]], macros, words)

    return _PLACE.sub(replaced, expression)


def alternatives(words: Iterable[str]) -> str:
    """An expression for any of the words, longer ones before shorter; a blank in a word stands for any white space.

    `re` tries one alternative after the other, so those that begin alike are put together.

    >>> alternatives(["Mary", "Mark", "John", "Le Mont"])
    '(?:Le\\\\s{1,3}Mont|John|Mar(?:k|y))'
    """
    unlike = dict.fromkeys(" ".join(word.split()) for word in sorted(set(words), key=lambda word: (-len(word), word)))
    return f"(?:{_any_of(list(unlike))})"


def _any_of(words: Sequence[str]) -> str:
    """Words that begin with different letters exclude each other, even if case is ignored; the others keep their order."""
    begin_alike: dict[str, list[str]] = {}
    for word in words:
        begin_alike.setdefault(word[:1].upper().casefold()[:1], []).append(word)
    found: list[str] = []
    for alike in begin_alike.values():
        same = len(list(takewhile(lambda letters: len(set(letters)) == 1, zip(*alike, strict=False))))  # at their beginning
        if len(alike) > 1 and same:
            found.append(f"{_escape_word(alike[0][:same])}(?:{_any_of([word[same:] for word in alike])})")
        else:
            found += map(_escape_word, alike)
    return "|".join(found)


def _escape_word(word: str) -> str:
    return r"\s{1,3}".join(map(re.escape, word.split(" ")))
