"""The untidiness of real notes: slips of the keyboard, lost spaces, capitals, accents left out, tabs, wrapped lines.

Noise works on pieces, before offsets exist, so spans stay exact: an annotated piece may change inside, but it is never split,
emptied, or given a space at its ends.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from innominate.synth.note import Piece
from innominate.text.accents import fold_word

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


@dataclass(frozen=True, slots=True)
class Noise:
    """Rates. Those of notes are per note, those of values per annotated value, those of characters per character."""

    typo: float = 0.0006  # per character of plain text
    value_typo: float = 0.006  # per value
    value_caps: float = 0.008
    lost_space: float = 0.004  # per border between plain text and a value
    double_space: float = 0.003
    note_no_accents: float = 0.03
    value_no_accents: float = 0.01
    note_caps: float = 0.008
    line_caps: float = 0.004  # per note, for some of its lines
    note_scanned: float = 0.01  # characters mistaken for others
    note_wrapped: float = 0.05
    note_tabs: float = 0.02


CLEAN = Noise(*(0.0,) * 12)
DEFAULT = Noise()


def roughen(pieces: list[Piece], noise: Noise, rng: Random) -> list[Piece]:
    """Return the pieces with noise.

    >>> roughen([("Vu par ", ""), ("Rey", "DOCTOR")], CLEAN, Random(1))
    [('Vu par ', ''), ('Rey', 'DOCTOR')]
    """
    if noise == CLEAN:
        return pieces
    random = rng.random
    pieces = [_value(text, label, noise, rng) if label else (text, label) for text, label in pieces]
    pieces = _spaces(pieces, noise, rng)
    pieces = _typos(pieces, noise.typo, rng)
    if random() < noise.note_no_accents:
        pieces = [(_bare(text), label) for text, label in pieces]
    if random() < noise.note_caps:
        pieces = [(text.upper(), label) for text, label in pieces]
    elif random() < noise.line_caps:
        pieces = _caps_lines(pieces, rng)
    if random() < noise.note_scanned:
        pieces = [(scan(text, rng) if random() < 0.3 else text, label) for text, label in pieces]
    if random() < noise.note_tabs:
        pieces = [(text if label else text.replace(": ", ":\t").replace("   ", "\t"), label) for text, label in pieces]
    if random() < noise.note_wrapped:
        pieces = _wrap_lines(pieces, 60 + int(random() * 40))
    return pieces


def _value(text: str, label: str, noise: Noise, rng: Random) -> Piece:
    """Slips inside a value; numbers keep their digits, since another digit would be another number."""
    random = rng.random
    draw = random()
    if draw < noise.value_typo and len(text) > 3:
        return typo(text, rng), label
    draw -= noise.value_typo
    if draw < noise.value_caps:
        return text.upper(), label
    if draw - noise.value_caps < noise.value_no_accents:
        return _bare(text), label
    return text, label


def _spaces(pieces: list[Piece], noise: Noise, rng: Random) -> list[Piece]:
    """Lose or double a space at the border of a value: `DrA. Chollet`, `le  12.03.2021`."""
    changed = list(pieces)
    lost, doubled, random = noise.lost_space, noise.lost_space + noise.double_space, rng.random
    for i, (text, label) in enumerate(pieces):
        if label or not text:
            continue
        draw = random()
        if draw < doubled and text[-1] == " " and i + 1 < len(pieces) and pieces[i + 1][1]:
            changed[i] = (text[:-1] if draw < lost else text + " ", "")
        elif draw > 1 - doubled and text[0] == " " and i and pieces[i - 1][1]:
            changed[i] = (text[1:] if draw > 1 - lost else " " + text, "")
    return changed


def _typos(pieces: list[Piece], rate: float, rng: Random) -> list[Piece]:
    """A number of slips in plain text that grows with its length, each in some word of some piece."""
    plain = [i for i, (text, label) in enumerate(pieces) if not label and len(text) > 4]
    if not plain:
        return pieces
    length = sum(len(pieces[i][0]) for i in plain)
    count = int(rate * length + rng.random())
    if not count:
        return pieces
    changed = list(pieces)
    for _ in range(count):
        i = plain[int(rng.random() * len(plain))]
        changed[i] = (typo_in_text(changed[i][0], rng), "")
    return changed


def _caps_lines(pieces: list[Piece], rng: Random) -> list[Piece]:
    """Write about a third of the lines in capitals; a value stands on the line on which it begins."""
    changed: list[Piece] = []
    capital = False
    for text, label in pieces:
        lines = text.split("\n")
        written = [lines[0].upper() if capital else lines[0]]
        for line in lines[1:]:
            capital = rng.random() < 0.3
            written.append(line.upper() if capital else line)
        changed.append(("\n".join(written), label))
    return changed


def _wrap_lines(pieces: list[Piece], width: int) -> list[Piece]:
    """Break long lines at spaces of the plain text, as mail programs and old systems do."""
    changed: list[Piece] = []
    column = 0
    for text, label in pieces:
        if not label and column + len(text) > width:
            text, column = _wrap(text, column, width)
        else:
            newline = text.rfind("\n")
            column = len(text) - newline - 1 if newline >= 0 else column + len(text)
        changed.append((text, label))
    return changed


def _wrap(text: str, column: int, width: int) -> tuple[str, int]:
    characters = list(text)
    for i, character in enumerate(characters):
        if character == "\n":
            column = 0
        elif character == " " and column >= width and 0 < i < len(text) - 1:
            characters[i], column = "\n", 0
        else:
            column += 1
    return "".join(characters), column


@lru_cache(maxsize=20_000)
def _bare(text: str) -> str:
    """The text without accents, its case kept."""
    return text if text.isascii() else "".join([_bare_letter(c) for c in text])


@lru_cache(maxsize=2_000)
def _bare_letter(character: str) -> str:
    bare = fold_word(unicodedata.normalize("NFKC", character))
    return character if len(bare) != 1 else bare.upper() if character.isupper() else bare
