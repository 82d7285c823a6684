"""Single slips: of the finger and of the scanner."""

from __future__ import annotations

import re
from random import Random

_NEIGHBOURS = {
    "a": "qsz", "b": "vgn", "c": "xvd", "d": "sfec", "e": "rzwd", "f": "dgr", "g": "fht", "h": "gjy", "i": "uok", "j": "hku",
    "k": "jli", "l": "kmo", "m": "nlk", "n": "bmh", "o": "ipl", "p": "om", "q": "aw", "r": "etf", "s": "adz", "t": "ryg",
    "u": "yij", "v": "cbg", "w": "xqs", "x": "wcs", "y": "tuh", "z": "eas",
}  # fmt: skip
_WORD = re.compile(r"[^\W\d_]{4,}")
_SCANNED = (
    ("l", "1"),
    ("rn", "m"),
    ("O", "0"),
    ("I", "l"),
    ("m", "rn"),
    ("é", "e"),
    ("e", "c"),
    ("1", "l"),
    ("S", "5"),
    ("ii", "u"),
)


def typo(text: str, rng: Random) -> str:
    """Swap, drop, double or mistype one letter; text with no letter to spare stays.

    >>> typo("Christiansen", Random(3)) != "Christiansen"
    True
    """
    letters = [i for i in range(1, len(text) - 1) if text[i].isalpha() and text[i - 1].isalpha()]
    if not letters:
        return text
    i = letters[int(rng.random() * len(letters))]
    draw = rng.random()
    if draw < 0.3:
        return text[: i - 1] + text[i] + text[i - 1] + text[i + 1 :]
    if draw < 0.55:
        return text[:i] + text[i + 1 :]
    if draw < 0.75:
        return text[:i] + text[i] + text[i:]
    neighbours = _NEIGHBOURS.get(text[i].lower(), "")
    if not neighbours:
        return text
    wrong = neighbours[int(rng.random() * len(neighbours))]
    return text[:i] + (wrong.upper() if text[i].isupper() else wrong) + text[i + 1 :]


def typo_in_text(text: str, rng: Random) -> str:
    """A slip in some word of a longer text.

    >>> typo_in_text("Le patient va bien", Random(2)).split()[0]
    'Le'
    """
    found = _WORD.search(text, int(rng.random() * len(text)))
    if not found:
        return text
    return text[: found.start()] + typo(found[0], rng) + text[found.end() :]


def scan(text: str, rng: Random) -> str:
    """Mistake one character for another that looks like it.

    >>> scan("Oller", Random(4)) == "Oller" or len(scan("Oller", Random(4))) >= 4
    True
    """
    right, wrong = _SCANNED[int(rng.random() * len(_SCANNED))]
    return text.replace(right, wrong, 1)
