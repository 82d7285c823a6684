"""Word vectors that a user has: the text files of GloVe and of word2vec or fastText (`.vec`), plain or gzipped.

A file is read once, line by line, and only the words that a network knows are kept: memory grows with the vocabulary.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from innominate.core import FormatError, UsageError
from innominate.detect.neural.vocabulary import normal

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class WordVectors:
    """Vectors of some of the words of a vocabulary, as rows in its order; `known` says which rows came from the file."""

    rows: Floats
    known: NDArray[np.bool_]

    @property
    def size(self) -> int:
        """How long a vector is."""
        return int(self.rows.shape[1])

    def fill_rows(self, rng: np.random.Generator) -> Floats:
        """All rows, those that the file lacks drawn with the mean and the spread of those it has; the first, padding, is 0."""
        there = self.rows[self.known]
        made = rng.normal(there.mean(), there.std(), self.rows.shape).astype(np.float32)
        made[self.known] = there
        made[0] = 0
        return made


def words_of(path: Path, most: int) -> list[str]:
    """The first words of a file, the frequent ones: a network can know them though no note to learn from has them."""
    return [word for _, word, _ in islice(_lines(path), most)]


def read_vectors(path: Path, words: Sequence[str]) -> WordVectors:
    """Read the vectors of words as a `Vocabulary` has them: small letters, digits as 0.

    A word that stands in the file as it is wins over one that only looks so after that (`1999` for `0000`); of several the
    first wins, because such files begin with what is frequent.
    """
    numbers = {word: number for number, word in enumerate(words) if word}
    rows: Floats | None = None
    exact = np.zeros(len(words), bool)
    known = np.zeros(len(words), bool)
    for line, word, values in _lines(path):
        number = numbers.get(word)
        found = number if number is not None else numbers.get(normal(word))
        if found is None or exact[found] or (known[found] and number is None):
            continue
        vector = _vector(values, path, line)
        rows = np.zeros((len(words), len(vector)), np.float32) if rows is None else rows
        rows[found], known[found], exact[found] = vector, True, number is not None
    if rows is None:
        raise UsageError(f"{path}: none of the {len(numbers):,} words of the notes has a vector here; another language?")
    return WordVectors(rows, known)


def _vector(values: Sequence[str], path: Path, line: int) -> Floats:
    try:
        vector = np.array(values, np.float32)
    except ValueError:
        vector = np.full(1, np.nan, np.float32)
    if not np.isfinite(vector).all():
        raise FormatError("a value of the vector is no number", source=str(path), line=line)
    return vector


def _lines(path: Path) -> Iterator[tuple[int, str, list[str]]]:
    """The number of a line, its word and its values. The first full line says how many values there are."""
    try:
        with _open_text(path) as file:
            size = 0
            for number, line in enumerate(file, start=1):
                parts = line.rstrip().split(" ")
                if number == 1 and len(parts) == 2 and all(part.isdecimal() for part in parts):
                    size = int(parts[1])  # the header of word2vec and fastText: how many words, how many values
                    continue
                size = size or len(parts) - 1
                if size < 2 or len(parts) <= size:
                    raise FormatError(f"a word and {max(size, 2)} values are expected", source=str(path), line=number)
                yield number, " ".join(parts[:-size]), parts[-size:]  # some words of GloVe have a blank inside
    except (OSError, EOFError) as error:
        raise UsageError(f"{path}: the vectors cannot be read: {type(error).__name__}") from None


def _open_text(path: Path) -> TextIO:
    # a few words of published files are no valid UTF-8; they are none of ours
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", errors="replace", newline="\n")
    return path.open(encoding="utf-8", errors="replace", newline="\n")
