"""The pieces of a note that annotators see one at a time (seed, section 2.2, step 4)."""

from __future__ import annotations

import re

_LINE = re.compile(r"[^\n]*\S[^\n]*")


def chunks(view_text: str) -> list[tuple[int, int]]:
    r"""Split a text at each new line and return where the pieces stand; blank ones are dropped.

    >>> chunks("Anamnèse\n\nEva dort.")
    [(0, 8), (10, 19)]
    """
    return [line.span() for line in _LINE.finditer(view_text)]
