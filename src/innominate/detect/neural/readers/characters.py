"""What two character language models make of a text, served by ONNX Runtime (Akbik 2018)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from innominate.detect.models.cards import load_card
from innominate.detect.neural.readers.graphs import EDGE, WAYS, Opener, Run, States, walk_texts
from innominate.detect.neural.tagset import Place
from innominate.detect.neural.windows import stack_rows

FORMAT = 1
FAMILY = "charlm"
FOLDER = "language_model"  # inside a model that reads through one
UNKNOWN = 0  # number of every other character than those of an alphabet
_STEP = 512  # characters read at once


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


@dataclass(frozen=True)
class CharacterReader:
    """Two models; each says of a piece what it has read up to there, from its own side."""

    alphabet: Alphabet
    hidden: int
    ahead: Run
    behind: Run

    def read(self, texts: Sequence[str], places: Sequence[Sequence[Place]]) -> list[States]:
        """For each piece of each text, the state after the character that follows it, and before the one that precedes it."""
        numbers = [self.alphabet.encode(text) for text in texts]
        bounds = [np.array(each, np.int64).reshape(-1, 2) for each in places]
        after = [each[:, 1] + 1 for each in bounds]
        before = [len(each) - 1 - bound[:, 0] for each, bound in zip(numbers, bounds, strict=True)]
        sizes = (1, self.hidden, self.hidden)
        # All as long as the longest: eight-bit graphs scale by what they read together, and models were tuned so.
        turned = stack_rows([each[::-1] for each in numbers])
        ahead = walk_texts(self.ahead, list(stack_rows(numbers)), after, sizes, step=_STEP)
        behind = walk_texts(self.behind, list(turned), before, sizes, step=_STEP)
        return [np.concatenate(pair, 1) for pair in zip(ahead, behind, strict=True)]


def load_character_reader(folder: Path, open_graph: Opener) -> CharacterReader:
    """Read the two language models of a folder."""
    alphabet, hidden = load_charlm_card(folder)
    return CharacterReader(alphabet, hidden, *(open_graph(folder / f"{way}.onnx") for way in WAYS))


def load_charlm_card(folder: Path) -> tuple[Alphabet, int]:
    """The alphabet and the size of language models, or what is wrong with the folder."""
    content = load_card(folder, family=FAMILY, format=FORMAT, made_by="innominate train charlm")
    return Alphabet(content["letters"]), int(content["hidden"])
