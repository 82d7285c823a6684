"""All word lists of a rule pack in one automaton; every word of every list is found in one native pass.

Like the patterns, lists are looked up in the text as Latin-1, one byte per character: in lower case, and with a blank for
everything that is not a letter or a digit. So `MARIE-LAURE`, `Marie Laure` and `marie-laure` are the same entry, and offsets
in the bytes are offsets in the text. A character outside Latin-1 is `?` on both sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

import ahocorasick_rs

Owner = TypeVar("Owner")

# Of each Latin-1 character: as the lists see it. Then `?` stands for letters outside Latin-1, so it is no border.
CHARACTERS = bytes(ord(c.lower()) if (c := chr(code)).isalnum() and len(c.lower()) == 1 else 32 for code in range(256))
_TABLE = CHARACTERS[: ord("?")] + b"?" + CHARACTERS[ord("?") + 1 :]


def plain(text: str) -> bytes:
    """A text as the automaton sees it.

    >>> plain("Mme MARIE-LAURE?")
    b'mme marie laure '
    """
    return text.replace("?", " ").encode("latin-1", "replace").translate(_TABLE)


class Words(Generic[Owner]):
    """Finds the words of many lists. A list belongs to an owner: its name, or the rule that wants to know.

    >>> words = Words([("place", {"Lausanne", "Le Mont"}), ("kin", {"mère"})])
    >>> list(words.hits("Mère de Lausanne, au Mont Le-Mont"))
    [(0, 4, ('kin',)), (8, 16, ('place',)), (26, 33, ('place',))]
    """

    def __init__(self, lists: Iterable[tuple[Owner, Iterable[str]]]) -> None:
        owners: dict[bytes, list[Owner]] = {}
        for owner, words in lists:
            for word in words:
                entry = b" ".join(plain(word).split())
                known = owners.setdefault(entry, [])
                if not known or known[-1] is not owner:
                    known.append(owner)
        owners.pop(b"", None)
        entries = sorted(owners)
        self.lengths = [len(entry) for entry in entries]
        self.owners = [tuple(owners[entry]) for entry in entries]
        # Blanks on both sides: only whole words are hits, so no work is done on parts of words.
        self.automaton = ahocorasick_rs.BytesAhoCorasick([b" " + entry + b" " for entry in entries])

    def hits(self, text: str) -> Iterator[tuple[int, int, tuple[Owner, ...]]]:
        """Yield start, end and the owners of the lists, for every listed word that stands by itself."""
        lengths, owners = self.lengths, self.owners
        for index, start, _ in self.matches(text):
            yield start, start + lengths[index], owners[index]

    def matches(self, text: str) -> list[tuple[int, int, int]]:
        """The number of the entry and the start of every listed word that stands by itself."""
        found: list[tuple[int, int, int]] = self.automaton.find_matches_as_indexes(b" " + plain(text) + b" ", overlapping=True)
        return found
