"""Expressions as rule files write them: with macros and lists in braces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from innominate.core import UsageError

# Letters of the European languages, by case: `re` has no class for upper case.
UPPER = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĢĪĮİĶĹĻĽŁŃŅŇŐŒŔŘŚŞŠŢŤŪŮŰŲŸŹŻŽȘȚ"
LOWER = "a-zß-öø-ÿāăąćčďđēėęěğģīįıķĺļľłńņňőœŕřśşšţťūůűųźżžșț"
BUILT_IN = {"Lu": f"[{UPPER}]", "Ll": f"[{LOWER}]", "L": f"[{UPPER}{LOWER}]", "Lus": UPPER, "Lls": LOWER}

_PLACE = re.compile(r"\{(list:)?([A-Za-z][A-Za-z0-9_.-]*)\}")


def expand(expression: str, macros: Mapping[str, str], words: Callable[[str], Iterable[str]]) -> str:
    """Replace `{macro}` by its expression and `{list:name}` by the words of a list, longest first.

    >>> expand("{list:months} {Lu}", {}, lambda name: ["mai", "mars"])[:11]
    '(?:mars|mai'
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
    """An expression for any of the words; a blank in a word stands for any white space.

    >>> alternatives(["lit", "lits", "salle de bain"])
    '(?:salle\\\\s{1,3}de\\\\s{1,3}bain|lits|lit)'
    """
    escaped = (r"\s{1,3}".join(map(re.escape, word.split())) for word in sorted(set(words), key=lambda w: (-len(w), w)))
    return f"(?:{'|'.join(escaped)})"
