"""What a network knows of the world before it reads: words, characters and shapes, each with a number."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from innominate.core import UsageError

FILE = "vocabulary.json"
PAD, UNKNOWN = "", "\ufffd"  # number 0 and 1 in every list
LETTERS = 16  # of a long piece the first ten and the last six characters are read
_DIGIT = re.compile(r"\d")
_SHAPES = ((re.compile(r"[A-ZÀ-ÖØ-Þ]"), "X"), (re.compile(r"[^\W\d_A-ZÀ-ÖØ-Þ]"), "x"), (_DIGIT, "0"))

Ids = NDArray[np.int32]


def normal(piece: str) -> str:
    """Lower case, digits to 0: `12h00` and `23h59` are one word (seed, section 5.2).

    >>> normal("1954")
    '0000'
    """
    return _DIGIT.sub("0", piece.lower())


def shape(piece: str) -> str:
    """Write the form of a piece: `Xx` for a name, `XX` for capitals, digits by number up to four.

    >>> shape("Rochat"), shape("CHUV"), shape("1954"), shape("/")
    ('Xx', 'XX', '0000', '/')
    """
    for pattern, mark in _SHAPES:
        piece = pattern.sub(mark, piece)
    if piece[:1] == "0":
        return piece[:5]
    return piece[:2] if piece[:1] in "Xx" else piece[:1]


@dataclass(frozen=True)
class Encoded:
    """A text as numbers: one row per piece."""

    words: Ids
    chars: Ids  # pieces x LETTERS
    shapes: Ids
    parts: Ids  # of speech; all zero when they are not read

    def __len__(self) -> int:
        return len(self.words)

    def part(self, begin: int, end: int) -> Encoded:
        """Return some of the pieces."""
        return Encoded(self.words[begin:end], self.chars[begin:end], self.shapes[begin:end], self.parts[begin:end])


@dataclass(frozen=True)
class Vocabulary:
    """Three lists; the place in a list is the number."""

    words: tuple[str, ...]
    chars: tuple[str, ...]
    shapes: tuple[str, ...]

    @classmethod
    def of(cls, texts: Iterable[Sequence[str]], *, seen: int = 2) -> Vocabulary:
        """Learn from pieces; a word seen fewer times than `seen` stays unknown, so that the unknown is learnt too."""
        counts: Counter[str] = Counter()
        for text in texts:
            counts.update(text)
        return cls.counted(counts, seen=seen)

    @classmethod
    def counted(cls, counts: Mapping[str, int], *, seen: int = 2) -> Vocabulary:
        """Learn from how often each piece was seen.

        >>> Vocabulary.counted({"Dr": 2, "dr": 1, "Gil": 1}).words[2:]
        ('dr',)
        """
        words: Counter[str] = Counter()
        chars: Counter[str] = Counter()
        shapes: Counter[str] = Counter()
        for piece, count in counts.items():
            words[normal(piece)] += count
            shapes[shape(piece)] += count
            for letter in piece:
                chars[letter] += count
        return cls(_list_frequent(words, seen), _list_frequent(chars, 2), _list_frequent(shapes, 2))

    def with_words(self, words: Iterable[str]) -> Vocabulary:
        """Know more words: those that somebody else's vectors tell of.

        >>> Vocabulary(("", "\ufffd", "dr"), (), ()).with_words(["Gil", "dr"]).words[2:]
        ('dr', 'gil')
        """
        return replace(self, words=tuple(dict.fromkeys([*self.words, *map(normal, words)])))

    @cached_property
    def _numbers(self) -> tuple[dict[str, int], ...]:
        return tuple({value: number for number, value in enumerate(row)} for row in (self.words, self.chars, self.shapes))

    @cached_property
    def _known(self) -> dict[str, tuple[int, list[int], int]]:
        return {}

    def encode(self, text: Sequence[str]) -> Encoded:
        """Turn pieces into numbers. Each distinct piece is worked out once."""
        known = self._known
        rows = [known.get(piece) or self._learn(piece) for piece in text]
        count = len(rows)
        return Encoded(
            np.fromiter((row[0] for row in rows), np.int32, count),
            np.array([row[1] for row in rows], np.int32).reshape(count, LETTERS),
            np.fromiter((row[2] for row in rows), np.int32, count),
            np.zeros(count, np.int32),
        )

    def _learn(self, piece: str) -> tuple[int, list[int], int]:
        words, chars, shapes = self._numbers
        read = piece if len(piece) <= LETTERS else piece[:10] + piece[-6:]
        letters = [chars.get(letter, 1) for letter in read]
        row = (words.get(normal(piece), 1), letters + [0] * (LETTERS - len(letters)), shapes.get(shape(piece), 1))
        if len(self._known) < 200_000:  # bounded: memory must not grow with the number of notes
            self._known[piece] = row
        return row


def _list_frequent(counts: Counter[str], seen: int) -> tuple[str, ...]:
    often = [value for value, count in counts.items() if count >= seen]
    return (PAD, UNKNOWN, *sorted(often, key=lambda value: (-counts[value], value)))


def write_lists(folder: Path, lists: Sequence[Any]) -> None:
    """Write what a model knows as words and characters into its folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text(json.dumps(lists, ensure_ascii=False), encoding="utf-8")


def read_lists(folder: Path) -> list[Any]:
    """Read what `write_lists` wrote."""
    try:
        lists: list[Any] = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{folder}: {FILE} cannot be read: {type(error).__name__}; copy the whole folder") from None
    return lists
