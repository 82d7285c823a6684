"""The untidiness of real notes: slips of the keyboard, lost spaces, capitals, accents left out, tabs, wrapped lines.

Noise works on pieces, before offsets exist, so spans stay exact: an annotated piece may change inside, but it is never split,
emptied, or given a space at its ends.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from innominate.synth import slips
from innominate.synth.note import Piece
from innominate.text.accents import fold_word


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
        pieces = [(slips.scan(text, rng) if random() < 0.3 else text, label) for text, label in pieces]
    if random() < noise.note_tabs:
        pieces = [(text if label else text.replace(": ", ":\t").replace("   ", "\t"), label) for text, label in pieces]
    if random() < noise.note_wrapped:
        pieces = _wrapped(pieces, 60 + int(random() * 40))
    return pieces


def _value(text: str, label: str, noise: Noise, rng: Random) -> Piece:
    """Slips inside a value; numbers keep their digits, since another digit would be another number."""
    random = rng.random
    draw = random()
    if draw < noise.value_typo and len(text) > 3:
        return slips.typo(text, rng), label
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
        changed[i] = (slips.typo_in_text(changed[i][0], rng), "")
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


def _wrapped(pieces: list[Piece], width: int) -> list[Piece]:
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
