"""Small words that change before a vowel: a template says `de {place.city}`, the note must say `d'Aigle`."""

from __future__ import annotations

from innominate.languages import load_language
from innominate.synth.note import Piece


def elide(pieces: list[Piece], lang: str) -> list[Piece]:
    """Mend the end of plain pieces before what was drawn.

    >>> elide([("près de ", ""), ("Aigle", "CITY")], "fr"), elide([("is a ", ""), ("80", "AGE")], "en")
    ([("près d'", ''), ('Aigle', 'CITY')], [('is an ', ''), ('80', 'AGE')])
    """
    small = load_language(lang).small_words
    if not small.changes:
        return pieces
    endings = tuple(small.changes)
    mended = list(pieces)
    for i, (text, label) in enumerate(pieces[:-1]):
        if not label and text.endswith(endings) and small.before.match(pieces[i + 1][0]):
            ending = next(one for one in endings if text.endswith(one))
            mended[i] = (text.removesuffix(ending) + small.changes[ending], label)
    return mended
