"""Full names that people of a run bear, which no surrogate may be: a table of bits, as large for ten notes as for a million.

Names are told by pairs of words in any order. The texts of a run are taken as they stand, before anything is marked: all
words with a capital that stand near each other count. A pair that is taken for a name by mistake only makes another be drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from zlib import crc32

from innominate.text.accents import fold_word

_BITS = 1 << 27  # 16 MB
_CAPITAL = re.compile(r"[^\W\d_]+")
_NEAR = 3  # words with a capital from the first to the last of a name
_GAP = 16  # characters between two of them


def _place(one: str, other: str) -> int:
    return crc32(f"{min(one, other)} {max(one, other)}".encode("utf-8", "surrogatepass")) % _BITS


@dataclass(frozen=True, slots=True)
class RealNames:
    """Pairs of folded words that are somebody's name.

    >>> names = RealNames.in_texts(["Mme Eva Holm dort.", "HOLM, Karin"])
    >>> names.hold("eva", "holm"), names.hold("holm", "karin"), names.hold("eva", "karin")
    (True, True, False)
    """

    bits: bytes = field(repr=False)

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> RealNames:
        """The table of pairs of folded words."""
        bits = bytearray(_BITS // 8)
        for one, other in pairs:
            place = _place(one, other)
            bits[place >> 3] |= 1 << (place & 7)
        return cls(bytes(bits))

    @classmethod
    def in_texts(cls, texts: Iterable[str]) -> RealNames:
        """What may be a full name in some texts."""
        return cls.of(pair for text in texts for pair in _pairs(text))

    def hold(self, one: str, other: str) -> bool:
        """Whether two folded words may be somebody's name together."""
        place = _place(one, other)
        return bool(self.bits[place >> 3] >> (place & 7) & 1)


def _pairs(text: str) -> Iterable[tuple[str, str]]:
    found = [word for word in _CAPITAL.finditer(text) if word[0][0].isupper()]
    forms = [fold_word(word[0]) for word in found]
    for i in range(len(found)):
        for j in range(i + 1, min(i + 1 + _NEAR, len(found))):
            if found[j].start() - found[j - 1].end() > _GAP:
                break
            yield forms[i], forms[j]
