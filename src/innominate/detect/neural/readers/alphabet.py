"""The characters that language models know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

UNKNOWN = 0  # number of every other character
EDGE = "\n"  # stands before and after a text


@dataclass(frozen=True)
class Alphabet:
    """Characters; the place in the string, from one, is the number."""

    letters: str

    @classmethod
    def of(cls, texts: Iterable[str], seen: int = 3) -> Alphabet:
        """Know the characters that are seen often enough.

        >>> Alphabet.of(["abab", "abc"]).letters
        'ab'
        """
        counts: Counter[str] = Counter()
        for text in texts:
            counts.update(text)
        return cls("".join(sorted(letter for letter, count in counts.items() if count >= seen)))

    def __len__(self) -> int:
        return len(self.letters) + 1

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {letter: number for number, letter in enumerate(self.letters, 1)}

    def encode(self, text: str) -> NDArray[np.int64]:
        """Write a text between two line breaks as numbers.

        >>> Alphabet("ab").encode("abc").tolist()
        [0, 1, 2, 0, 0]
        """
        known = self._numbers
        return np.fromiter((known.get(letter, UNKNOWN) for letter in f"{EDGE}{text}{EDGE}"), np.int64, len(text) + 2)
