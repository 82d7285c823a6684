"""What two character language models make of a text, served by ONNX Runtime (Akbik 2018)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from innominate.detect.models.cards import load_card
from innominate.detect.neural.readers.alphabet import Alphabet
from innominate.detect.neural.readers.graphs import Opener, Run
from innominate.detect.neural.tagset import Place

FORMAT = 1
FAMILY = "charlm"
FOLDER = "language_model"  # inside a model that reads through one
WAYS = ("ahead", "behind")
_STEP = 512  # characters read at once; the state is carried over, so that a note may have any length

States = NDArray[np.float32]


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
        ahead = self._states(self.ahead, numbers, [each[:, 1] + 1 for each in bounds])
        turned = [each[::-1] for each in numbers]
        wanted = [len(each) - 1 - bound[:, 0] for each, bound in zip(numbers, bounds, strict=True)]
        behind = self._states(self.behind, turned, wanted)
        return [np.concatenate(pair, 1) for pair in zip(ahead, behind, strict=True)]

    def _states(self, run: Run, numbers: Sequence[NDArray[np.int64]], wanted: Sequence[NDArray[np.int64]]) -> list[States]:
        longest = max(map(len, numbers))
        chars = np.zeros((len(numbers), longest), np.int64)
        for row, each in enumerate(numbers):
            chars[row, : len(each)] = each
        memory = [np.zeros((1, len(numbers), self.hidden), np.float32) for _ in "hc"]
        found = [np.zeros((len(each), self.hidden), np.float32) for each in wanted]
        for begin in range(0, longest, _STEP):
            states, *memory = run(chars[:, begin : begin + _STEP], *memory)
            for row, each in enumerate(wanted):
                here = np.flatnonzero((each >= begin) & (each < begin + _STEP))
                found[row][here] = states[row, each[here] - begin]
        return found


def load_character_reader(folder: Path, open_graph: Opener) -> CharacterReader:
    """Read the two language models of a folder."""
    alphabet, hidden = load_charlm_card(folder)
    return CharacterReader(alphabet, hidden, *(open_graph(folder / f"{way}.onnx") for way in WAYS))


def load_charlm_card(folder: Path) -> tuple[Alphabet, int]:
    """The alphabet and the size of language models, or what is wrong with the folder."""
    content = load_card(folder, family=FAMILY, format=FORMAT, made_by="innominate train charlm")
    return Alphabet(content["letters"]), int(content["hidden"])
