"""Small words that change before a vowel: a template says `de {place.city}`, the note must say `d'Aigle`."""

from __future__ import annotations

from innominate.synth.french import elides
from innominate.synth.note import Piece

_FRENCH = ((" de ", " d'"), (" que ", " qu'"), (" De ", " D'"))
_ENGLISH_VOWELS = frozenset("aeioAEIO")


def elide(pieces: list[Piece], lang: str) -> list[Piece]:
    """Mend the end of plain pieces before what was drawn.

    >>> elide([("près de ", ""), ("Aigle", "CITY")], "fr")
    [("près d'", ''), ('Aigle', 'CITY')]
    """
    if lang == "fr":
        return _mend_preposition(pieces)
    return _mend_article(pieces) if lang == "en" else pieces


def _mend_preposition(pieces: list[Piece]) -> list[Piece]:
    mended = list(pieces)
    for i, (text, label) in enumerate(pieces[:-1]):
        if label or not text.endswith("e ") or not elides(pieces[i + 1][0]):
            continue
        for ending, elided in _FRENCH:
            if text.endswith(ending):
                mended[i] = (text[: -len(ending)] + elided, label)
    return mended


def _mend_article(pieces: list[Piece]) -> list[Piece]:
    """`a 80-year-old accountant` becomes `an 80-year-old accountant`."""
    mended = list(pieces)
    for i, (text, label) in enumerate(pieces[:-1]):
        if label or not text.endswith((" a ", " A ")):
            continue
        following = pieces[i + 1][0]
        if following[:1] in _ENGLISH_VOWELS or following[:1] == "8" or following in ("11", "18"):
            mended[i] = (text[:-1] + ("n " if text[-2] == "a" else "N "), label)
    return mended
