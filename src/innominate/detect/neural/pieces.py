"""The pieces of text that a network reads: smaller than words, so that almost every gold span begins and ends at one.

Not the tokens of the CRF: saved models of it have features of those, white space after a line end included.
"""

from __future__ import annotations

import re

# `DRAlberto` is DR and Alberto, `FerrándezCorreo` is Ferrández and Correo; a line break is a piece, because headers are lines.
_UPPER, _LOWER = "A-ZÀ-ÖØ-Þ", "a-zß-öø-ÿ"
_PIECE = re.compile(
    rf"\n|[{_UPPER}]+(?![{_LOWER}])|[{_UPPER}]?[{_LOWER}]+|\d+"
    r"|[^\W\d_][\u0300-\u036f]*|[^\w\s]|\S"
)


def pieces(text: str) -> list[tuple[int, int]]:
    """Return where the pieces stand; every character but white space is in exactly one.

    >>> text = "DRAlberto 12/03"
    >>> [text[start:end] for start, end in pieces(text)]
    ['DR', 'Alberto', '12', '/', '03']
    """
    return [match.span() for match in _PIECE.finditer(text)]
