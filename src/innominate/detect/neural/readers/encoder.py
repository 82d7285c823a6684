"""What a borrowed encoder makes of the pieces of a text, served by ONNX Runtime (Devlin 2019)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from innominate.core import UsageError
from innominate.detect.models.cards import family_of, load_card
from innominate.detect.neural.readers.graphs import Opener, Run
from innominate.detect.neural.readers.word_pieces import BEGIN, END, WordPieces
from innominate.detect.neural.readers.words import WordReader, load_word_reader
from innominate.detect.neural.tagset import Place
from innominate.detect.neural.vocabulary import read_lists
from innominate.detect.neural.windows import windows

FORMAT = 1
FAMILY = "encoder-reader"
GRAPH = "encoder"
OVERLAP = 64  # word pieces
WINDOWS = 16  # read at once

Halves = NDArray[np.float16]


@dataclass(frozen=True)
class EncoderCard:
    """What is known of an encoder without its weights."""

    pieces: WordPieces
    sizes: dict[str, Any]  # those of the network

    @property
    def layers(self) -> int:
        """Layers that can be mixed."""
        return int(self.sizes["read"])

    @property
    def size(self) -> int:
        """Numbers in each layer."""
        return int(self.sizes["size"])


@dataclass(frozen=True)
class EncoderReader:
    """Reads notes through an encoder."""

    card: EncoderCard
    run: Run  # windows x word pieces to windows x word pieces x (layers x size)

    def read(self, texts: Sequence[str], places: Sequence[Sequence[Place]]) -> list[Halves]:
        """All layers of each piece side by side: the mean of the word pieces that it shares a character with."""
        return [self._note(text, each) for text, each in zip(texts, places, strict=True)]

    def _note(self, text: str, places: Sequence[Place]) -> Halves:
        numbers, found = self.card.pieces.split(text)
        rows = np.zeros((len(numbers), self.card.layers * self.card.size), np.float16)
        begin, end = (self.card.pieces.numbers[mark] for mark in (BEGIN, END))
        views = windows(len(numbers), self.card.sizes["window"] - 2, OVERLAP) if numbers else []
        for first in range(0, len(views), WINDOWS):
            some = views[first : first + WINDOWS]  # all of one length, so that nothing is filled up or hidden
            layers = self.run(np.array([[begin, *numbers[view.begin : view.end], end] for view in some], np.int64))
            for row, view in zip(layers, some, strict=True):
                rows[view.keep_from : view.keep_to] = row[1 + view.keep_from - view.begin : 1 + view.keep_to - view.begin]
        return pool_rows(rows, found, places)


def pool_rows(rows: Halves, found: Sequence[Place], places: Sequence[Place]) -> Halves:
    """The mean of the rows whose places touch each of `places`; zeros where none does, as at a line break.

    >>> pool_rows(np.array([[2], [4], [8]], np.float16), [(0, 2), (2, 5), (6, 7)], [(0, 5), (5, 6), (6, 7)]).tolist()
    [[3.0], [0.0], [8.0]]
    """
    theirs, ours = (np.array(each, np.int64).reshape(-1, 2) for each in (found, places))
    first = np.searchsorted(theirs[:, 1], ours[:, 0], "right")
    counts = np.searchsorted(theirs[:, 0], ours[:, 1], "left") - first
    means = np.zeros((len(ours), rows.shape[1]), np.float16)
    for count in np.unique(counts[counts > 0]):  # one, two, three: few different numbers
        those = np.flatnonzero(counts == count)
        means[those] = rows[first[those, None] + np.arange(count)].mean(1, dtype=np.float32)
    return means


def load_in_context(folder: Path, open_graph: Opener) -> EncoderReader | WordReader:
    """Read what a network reads through: a borrowed encoder, or a word-level language model."""
    return load_encoder_reader(folder, open_graph) if holds_encoder(folder) else load_word_reader(folder, open_graph)


def holds_encoder(folder: Path) -> bool:
    """Whether a folder is that of a borrowed encoder."""
    try:
        return family_of(load_card(folder)) == FAMILY
    except UsageError:
        return False


def load_encoder_reader(folder: Path, open_graph: Opener) -> EncoderReader:
    """Read the encoder of a folder."""
    return EncoderReader(load_encoder_card(folder), open_graph(folder / f"{GRAPH}.onnx"))


def load_encoder_card(folder: Path) -> EncoderCard:
    """What a folder says of its encoder, or what is wrong with the folder."""
    content = load_card(folder, family=FAMILY, format=FORMAT, made_by="innominate train borrow")
    return EncoderCard(WordPieces(tuple(read_lists(folder)), **content["writing"]), content["shape"])
