"""Dashes that tie a number to a name (seed, section 2.2, step 3d)."""

from __future__ import annotations

import regex

from innominate.core import Edit

# Hyphen-minus, hyphen, non-breaking hyphen, en dash. NFKC makes the third the second and leaves the others.
_TYING_DASH = regex.compile(r"(?<=\p{Nd})[-\u2010\u2011\u2013](?=[\p{Lu}\p{Lt}])")


class DigitDash:
    """Writes a space for a dash between a digit and a capital letter.

    >>> DigitDash().edits("CH-1015-Lausanne")
    [Edit(start=7, end=8, text=' ')]
    """

    name = "digit-dash"

    def edits(self, text: str) -> list[Edit]:
        """Return one edit for every such dash."""
        return [Edit(dash.start(), dash.end(), " ") for dash in _TYING_DASH.finditer(text)]
