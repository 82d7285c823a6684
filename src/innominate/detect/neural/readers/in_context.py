"""What says of each piece of a note what it means where it stands: a word-level language model, or a borrowed encoder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from innominate.core import UsageError
from innominate.detect.models.cards import family_of, load_card
from innominate.detect.neural.readers.encoder import FAMILY as ENCODER
from innominate.detect.neural.readers.encoder import load_encoder_reader
from innominate.detect.neural.readers.graphs import Opener
from innominate.detect.neural.readers.words import load_word_reader
from innominate.detect.neural.tagset import Place


class NoteReader(Protocol):
    """Reads notes: numbers for each piece, of one layer or of several side by side."""

    def read(self, texts: Sequence[str], places: Sequence[Sequence[Place]]) -> Sequence[NDArray[np.floating[Any]]]:
        """One row for each of the places."""


def load_in_context(folder: Path, open_graph: Opener) -> NoteReader:
    """Read what a network reads through."""
    return load_encoder_reader(folder, open_graph) if holds_encoder(folder) else load_word_reader(folder, open_graph)


def holds_encoder(folder: Path) -> bool:
    """Whether a folder is that of a borrowed encoder."""
    try:
        return family_of(load_card(folder)) == ENCODER
    except UsageError:
        return False
