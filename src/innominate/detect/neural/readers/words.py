"""What a word-level language model makes of the pieces of a text, served by ONNX Runtime (Peters 2018)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from innominate.detect.models.cards import load_card
from innominate.detect.neural.readers.graphs import EDGE, WAYS, Opener, Run, States, walk_texts
from innominate.detect.neural.tagset import Place
from innominate.detect.neural.vocabulary import Vocabulary, read_lists

FORMAT = 1
FAMILY = "wordlm"
FOLDER = "word_language_model"  # inside a model that reads through one
SPELLING = "spelling"  # the graph from characters to the vector of a word
_STEP = 128  # pieces read at once


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
        spelt = [vectors[[distinct[piece] for piece in text]] for text in edged]
        ahead, behind = self._walk(self.ahead, spelt), self._walk(self.behind, [each[::-1] for each in spelt])
        return [join_layers(words, there, back[::-1])[1:-1] for words, there, back in zip(spelt, ahead, behind, strict=True)]

    def _walk(self, run: Run, texts: Sequence[States]) -> list[States]:
        """The layers of one direction."""
        layers, hidden, size = (int(self.card.sizes[name]) for name in ("layers", "hidden", "projection"))
        wanted = [np.arange(len(each)) for each in texts]
        return walk_texts(run, texts, wanted, (layers, hidden, layers * size), step=_STEP)


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
    words, chars = map(tuple, read_lists(folder))
    return WordLmCard(Vocabulary(words, chars, ()), content["shape"], content["cutoffs"])
