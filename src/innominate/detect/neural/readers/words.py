"""What a word-level language model makes of the pieces of a text, served by ONNX Runtime (Peters 2018)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from innominate.core import UsageError
from innominate.detect.models.cards import load_card
from innominate.detect.neural.readers.graphs import Opener, Run
from innominate.detect.neural.tagset import Place
from innominate.detect.neural.vocabulary import Vocabulary

FORMAT = 1
FAMILY = "wordlm"
FOLDER = "word_language_model"  # inside a model that reads through one
WAYS = ("ahead", "behind")
SPELLING = "spelling"  # the graph from characters to the vector of a word
EDGE = "\n"  # stands before and after a text
_STEP = 128  # pieces read at once; the memory is carried over, so that a note may have any length

States = NDArray[np.float32]
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class WordLmCard:
    """What is known of a model without its weights."""

    vocabulary: Vocabulary
    sizes: dict[str, Any]  # hidden, projection, layers and those of the characters
    cutoffs: list[int]

    @property
    def layers(self) -> int:
        """Layers that can be mixed: those of the LSTMs, and the words themselves."""
        return int(self.sizes["layers"]) + 1

    @property
    def size(self) -> int:
        """Numbers in each layer, both directions together."""
        return 2 * int(self.sizes["projection"])


@dataclass(frozen=True)
class WordReader:
    """Three models: spelling, and one in each direction."""

    card: WordLmCard
    spelling: Run
    ahead: Run
    behind: Run

    def read(self, texts: Sequence[str], places: Sequence[Sequence[Place]]) -> list[States]:
        """All layers of each piece side by side; a distinct piece is spelt once."""
        edged = [(EDGE, *(text[start:end] for start, end in each), EDGE) for text, each in zip(texts, places, strict=True)]
        distinct = {piece: number for number, piece in enumerate(dict.fromkeys(piece for text in edged for piece in text))}
        if not distinct:
            return []
        chars = self.card.vocabulary.encode(list(distinct)).chars.astype(np.int64)
        vectors = self.spelling(chars)
        numbers = [np.array([distinct[piece] for piece in text], np.int64) for text in edged]
        ahead = self._walk(self.ahead, numbers, vectors)
        behind = self._walk(self.behind, [each[::-1] for each in numbers], vectors)
        return [
            join_layers(vectors[number], there, back[::-1])[1:-1]
            for number, there, back in zip(numbers, ahead, behind, strict=True)
        ]

    def _walk(self, run: Run, numbers: Sequence[Numbers], vectors: States) -> list[States]:
        """The layers of one direction, notes side by side; one that has ended is not read on."""
        order = sorted(range(len(numbers)), key=lambda index: -len(numbers[index]))
        sizes = self.card.sizes
        found = [np.zeros((len(each), sizes["layers"] * sizes["projection"]), np.float32) for each in numbers]
        memory = [np.zeros((sizes["layers"], len(numbers), sizes["hidden"]), np.float32) for _ in "hc"]
        for begin in range(0, len(numbers[order[0]]), _STEP):
            order = [index for index in order if len(numbers[index]) > begin]
            parts = [numbers[index][begin : begin + _STEP] for index in order]
            given = np.zeros((len(parts), len(parts[0])), np.int64)
            for row, part in enumerate(parts):
                given[row, : len(part)] = part
            layers, *memory = run(vectors[given], *(each[:, : len(parts)] for each in memory))
            for row, (index, part) in enumerate(zip(order, parts, strict=True)):
                found[index][begin : begin + len(part)] = layers[row, : len(part)]
        return found


def join_layers(vectors: States, ahead: States, behind: States) -> States:
    """Put the layers of a text side by side: the words twice, then each layer in both directions.

    >>> join_layers(np.array([[1]]), np.array([[2, 3]]), np.array([[4, 5]])).tolist()
    [[1, 1, 2, 4, 3, 5]]
    """
    size = vectors.shape[1]
    cuts = range(0, ahead.shape[1], size)
    both = [side[:, cut : cut + size] for cut in cuts for side in (ahead, behind)]
    return np.concatenate([vectors, vectors, *both], 1)


def load_word_reader(folder: Path, open_graph: Opener) -> WordReader:
    """Read the model of a folder."""
    card = load_word_lm_card(folder)
    return WordReader(card, *(open_graph(folder / f"{name}.onnx") for name in (SPELLING, *WAYS)))


def load_word_lm_card(folder: Path) -> WordLmCard:
    """What a folder says of its model, or what is wrong with the folder."""
    content = load_card(folder, family=FAMILY, format=FORMAT, made_by="innominate train wordlm` or `innominate train borrow")
    try:
        words, chars = json.loads((folder / "vocabulary.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{folder}: vocabulary.json cannot be read: {type(error).__name__}; copy the whole folder") from None
    return WordLmCard(Vocabulary(tuple(words), tuple(chars), ()), content["shape"], content["cutoffs"])
