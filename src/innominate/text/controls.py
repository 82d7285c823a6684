"""Control characters: a NUL inside a name must not hide it."""

from __future__ import annotations

import re

from innominate.core import Edit

# Tab, line feed, vertical tab, form feed and carriage return are white space and stay.
_CONTROLS = re.compile("[\\x00-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f]+")


class Controls:
    r"""Removes control characters that are no white space. It goes before `fold`, which composes what then stands together.

    >>> Controls().edits("E\0va\tMeier")
    [Edit(start=1, end=2, text='')]
    """

    name = "controls"

    def edits(self, text: str) -> list[Edit]:
        """Return one edit for every run of control characters."""
        return [Edit(*found.span(), "") for found in _CONTROLS.finditer(text)]
