"""Unicode folding for detection: the same words without disguise."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache

from innominate.core import Edit
from innominate.text.clusters import clusters, normalised, smallest_edit
from innominate.text.invisible import invisible_characters
from innominate.text.lists import lines

_MARKS = {"space": " ", "newline": "\n", "hyphen": "-", "apostrophe": "'", "quote": '"', "stop": ".", "slash": "/"}

# Kinds of compatibility characters that are another drawing of the same letter. `<super>` is not one: `Nº`, `Mª` and `m²`
# mean something else than `No`, `Ma` and `m2`.
_DRAWN = ("<font>", "<wide>", "<narrow>", "<circle>", "<square>")


class Fold:
    """Removes invisible characters and maps look-alike letters, foreign digits and odd marks to plain ones.

    Letters with accents stay, and are composed: `é` is one character of the view however it was typed.

    >>> Fold().edits("Ｄr\u200b М. Lindén")
    [Edit(start=0, end=1, text='D'), Edit(start=2, end=3, text=''), Edit(start=4, end=5, text='M')]
    """

    name = "fold"

    def edits(self, text: str) -> list[Edit]:
        """Return one edit for every cluster that is not plain already."""
        if text.isascii():
            return []
        plain = _Plain()
        return [smallest_edit(start, cluster, new) for start, cluster in clusters(text) if (new := plain[cluster]) != cluster]


class _Plain(dict[str, str]):
    """Remembers what each cluster becomes, for one text only, so that hostile ones do not pile up."""

    def __missing__(self, cluster: str) -> str:
        table, invisible = _table(), invisible_characters()
        letters = [table.get(character, character) for character in cluster if character not in invisible]
        self[cluster] = normalised("NFC", "".join(letters))
        return self[cluster]


@cache
def _table() -> dict[str, str]:
    """Return what each character becomes; those that stay are not in it."""
    lookalikes = dict(line.split() for line in lines("fold/lookalikes.txt"))
    drawn = {character: lookalikes.get(letter, letter) for character, letter in _drawn_letters()}
    return drawn | lookalikes | dict(_odd_marks())


def _drawn_letters() -> Iterator[tuple[str, str]]:
    """Yield full-width, mathematical and circled letters, ligatures, and digits of any script, with the plain form."""
    for code in range(0x80, 0x20000):
        character = chr(code)
        if character.isdecimal():
            yield character, str(unicodedata.decimal(character))
        elif 0xFB00 <= code <= 0xFB06 or unicodedata.decomposition(character).startswith(_DRAWN):
            plain = unicodedata.normalize("NFKC", character)
            if plain.isascii() or unicodedata.name(plain[0], "").startswith("GREEK"):
                yield character, plain


def _odd_marks() -> Iterator[tuple[str, str]]:
    for line in lines("fold/marks.txt"):
        codes, kind = line.split()[:2]
        first, last = codes.split("-")[0], codes.split("-")[-1]
        for code in range(int(first, 16), int(last, 16) + 1):
            yield chr(code), _MARKS[kind]
