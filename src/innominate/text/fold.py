"""Unicode folding for detection: the same words without disguise."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from innominate.core import Edit, OffsetMap, apply_edits
from innominate.text.clusters import clusters, normalised, smallest_edit
from innominate.text.controls import Controls
from innominate.text.lists import invisible_characters, lines
from innominate.text.mending import DECODING, JOINING

_MARKS = {
    "space": " ",
    "newline": "\n",
    "hyphen": "-",
    "apostrophe": "'",
    "quote": '"',
    "stop": ".",
    "slash": "/",
    "colon": ":",
}

# Kinds of compatibility characters that are another drawing of the same letter. `<super>` is not one: `Nº`, `Mª` and `m²`
# mean something else than `No`, `Ma` and `m2`.
_DRAWN = ("<font>", "<wide>", "<narrow>", "<circle>", "<square>", "<small>")

# Marks that can stand on any letter: strokes, rings and dots pile up on a name without hiding it from a reader.
_PILED = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+")


class Fold:
    r"""Shows the same words without disguise: bytes and references decoded, look-alikes plain, what was torn apart joined.

    >>> Fold().edits("CÃ©li\u200bne R o c h a t")[:2]
    [Edit(start=1, end=3, text='é'), Edit(start=5, end=6, text='')]
    """

    name = "fold"

    def edits(self, text: str) -> list[Edit]:
        """Return what all steps change together."""
        shown, offsets = text, OffsetMap.identity(len(text))
        for step in (*DECODING, Controls().edits, FoldedLetters().edits, *JOINING):
            if edits := step(shown):
                shown, map_of_step = apply_edits(shown, edits)
                offsets = offsets.then(map_of_step)
        changes = ((change, shown[change.target_start : change.target_end]) for change in offsets.changes)
        edits = [Edit(change.source_start, change.source_end, new) for change, new in changes]
        return [edit for edit in edits if text[edit.start : edit.end] != edit.text]


class FoldedLetters:
    """Removes invisible characters and maps look-alike letters, foreign digits and odd marks to plain ones.

    Letters with accents stay, and are composed: `é` is one character of the view however it was typed. A mark that makes no
    letter of its own, such as a stroke through it, goes.

    >>> FoldedLetters().edits("Ｄr\u200b М. Lindén")
    [Edit(start=0, end=1, text='D'), Edit(start=2, end=3, text=''), Edit(start=4, end=5, text='M')]
    """

    name = "letters"

    def edits(self, text: str) -> list[Edit]:
        """Return one edit for every cluster that is not plain already."""
        if text.isascii():
            return []
        plain = _Plain()
        return [_edit(start, cluster, new) for start, cluster in clusters(text) if (new := plain[cluster]) != cluster]


def _edit(start: int, old: str, new: str) -> Edit:
    """A mark belongs to its letter, so that a span which ends with the letter takes the mark too."""
    return Edit(start, start + len(old), new) if _PILED.search(old) else smallest_edit(start, old, new)


class _Plain(dict[str, str]):
    """Remembers what each cluster becomes, for one text only, so that hostile ones do not pile up."""

    def __missing__(self, cluster: str) -> str:
        table, invisible = _table(), invisible_characters()
        letters = [table.get(character, character) for character in cluster if character not in invisible]
        self[cluster] = _PILED.sub("", normalised("NFC", "".join(letters)))
        return self[cluster]


@cache
def _table() -> dict[str, str]:
    """Return what each character becomes; those that stay are not in it."""
    lookalikes = dict(line.split() for line in lines("fold/lookalikes.txt"))
    drawn = {character: lookalikes.get(letter, letter) for character, letter in _drawn_letters()}
    return drawn | dict(_signs()) | lookalikes | dict(_odd_marks())


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


def _signs() -> Iterator[tuple[str, str]]:
    """Yield letters in black circles and squares, which Unicode does not relate to the letters in them."""
    for first in (0x1F150, 0x1F170):
        yield from ((chr(first + i), chr(ord("A") + i)) for i in range(26))


def _odd_marks() -> Iterator[tuple[str, str]]:
    for line in lines("fold/marks.txt"):
        codes, kind = line.split()[:2]
        first, last = codes.split("-")[0], codes.split("-")[-1]
        for code in range(int(first, 16), int(last, 16) + 1):
            yield chr(code), _MARKS[kind]
