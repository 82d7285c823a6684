"""A trained network in service: notes through windows, batches and ONNX Runtime; numpy, no torch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from innominate.core import Document
from innominate.detect.dial.threshold import OUTSIDE, Marginals
from innominate.detect.neural.chain import Floats
from innominate.detect.neural.model import NeuralModel, load_model
from innominate.detect.neural.pieces import pieces
from innominate.detect.neural.readers.characters import FOLDER, CharacterReader, load_character_reader
from innominate.detect.neural.readers.encoder import EncoderReader, load_in_context
from innominate.detect.neural.readers.graphs import Run, as_function, open_session
from innominate.detect.neural.readers.parts_of_speech import PartsOfSpeech, load_parts_of_speech
from innominate.detect.neural.readers.words import FOLDER as WORD_FOLDER
from innominate.detect.neural.readers.words import WordReader
from innominate.detect.neural.tagset import Place, Tagset
from innominate.detect.neural.vocabulary import Encoded
from innominate.detect.neural.windows import group_windows, stack_rows

NOTES = 32  # read together, so that windows of like length share a batch
WINDOWS = 16  # in one batch


@dataclass(frozen=True)
class NoteReading:
    """What a network makes of a note: probabilities of tags, one row per piece, and the best tags."""

    places: Sequence[Place]
    marginals: Floats
    best: NDArray[np.int64]


@dataclass(frozen=True)
class Served:
    """The graph of a network, and what it reads through, if it does: language models and parts of speech."""

    graph: Any
    letters: Run | None = None  # reads the characters of a piece
    reader: CharacterReader | None = None  # character language models
    words: WordReader | EncoderReader | None = None  # a word-level language model, or a borrowed encoder
    parts: PartsOfSpeech | None = None


def _read(model: NeuralModel, served: Served, documents: Sequence[Document]) -> Iterator[NoteReading]:
    texts = [document.text for document in documents]
    places = [pieces(text) for text in texts]
    encoded = [
        model.vocabulary.encode([text[start:end] for start, end in found]) for text, found in zip(texts, places, strict=True)
    ]
    rows = _rows(served, texts, places, encoded)
    network, tags = model.settings.network, len(model.tagset.tags)
    marginals = [np.zeros((len(each), tags), np.float32) for each in encoded]
    best = [np.zeros(len(each), np.int64) for each in encoded]
    wanted = [given.name for given in served.graph.get_inputs()]  # a network that reads no shapes has no such input
    for some in group_windows([len(each) for each in encoded], network.reads, network.overlap, WINDOWS):
        lengths = np.array([view.end - view.begin for _, view in some], np.int64)
        batch = {"lengths": lengths}
        for name in {*wanted} - {"lengths"}:
            parts = [rows[name][note][view.begin : view.end] for note, view in some]
            batch[name] = stack_rows(parts, dtype=np.float32 if parts[0].dtype.kind == "f" else np.int64)
        emissions = served.graph.run(None, {name: batch[name] for name in wanted})[0]
        probable, path = model.chain.read(emissions, lengths)
        for row, (note, view) in enumerate(some):
            kept = slice(view.keep_from - view.begin, view.keep_to - view.begin)
            marginals[note][view.keep_from : view.keep_to] = probable[row, kept]
            best[note][view.keep_from : view.keep_to] = path[row, kept]
    for found, probabilities, answer in zip(places, marginals, best, strict=True):
        yield NoteReading(found, probabilities, answer)


def _rows(
    served: Served, texts: Sequence[str], places: Sequence[Sequence[Place]], encoded: Sequence[Encoded]
) -> dict[str, Sequence[NDArray[Any]]]:
    """What is read of whole notes, before they are cut into windows: one row per piece."""
    found: dict[str, Sequence[NDArray[Any]]] = {
        name: [getattr(each, name) for each in encoded] for name in ("words", "chars", "shapes", "parts")
    }
    if served.parts:
        found["parts"] = served.parts.tag(texts, places)
    if served.letters:
        found["spelt"] = _spelt(served.letters, encoded)
    if served.reader:
        found["states"] = served.reader.read(texts, places)
    if served.words:
        found["layers"] = served.words.read(texts, places)
    return found


def _spelt(letters: Run, encoded: Sequence[Encoded]) -> list[Floats]:
    """What the network makes of the characters of each piece; each distinct piece is read once."""
    rows = np.concatenate([each.chars for each in encoded])
    if not len(rows):
        return [np.zeros((0, 0), np.float32) for _ in encoded]
    keys = np.ascontiguousarray(rows).view([("piece", np.void, rows.dtype.itemsize * rows.shape[1])]).ravel()
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    vectors = letters(rows[first].astype(np.int64))
    ends = np.cumsum([len(each) for each in encoded])
    return [vectors[part] for part in np.split(which, ends[:-1])]


def read_marginals(model: NeuralModel, served: Served, documents: Sequence[Document]) -> list[Marginals]:
    """What the network believes of each piece of each note."""
    return [
        fold_to_iob2(document.text, list(found.places), model.tagset, (found.marginals, found.best.tolist()))
        for document, found in zip(documents, read_notes(model, served, documents), strict=True)
    ]


def fold_to_iob2(text: str, places: list[Place], tagset: Tagset, reading: tuple[Floats, list[int]]) -> Marginals:
    """Marginals and best tags of any scheme as those of IOB2: a single piece begins a span, a last one is inside it.

    >>> sure = np.array([[0.25, 0.25, 0, 0, 0.5]], np.float32)
    >>> found = fold_to_iob2("Eva", [(0, 3)], Tagset(("NAME",)), (sure, [4]))
    >>> found.tags, found.probabilities.tolist(), found.best.tolist()
    (('O', 'B-NAME', 'I-NAME'), [[0.25, 0.75, 0.0]], [1])
    """
    probabilities, best = reading
    plain = Tagset(tagset.labels, "IOB2")
    columns = [plain.ids[_plain(tag)] for tag in tagset.tags]
    folded = np.zeros((len(places), len(plain.tags)), np.float32)
    for column, target in enumerate(columns):
        folded[:, target] += probabilities[:, column]
    chosen = np.zeros(len(places), np.intp)
    for begin, end, label in tagset.decode(best):
        chosen[begin:end] = plain.ids[f"I-{label}"]
        chosen[begin] = plain.ids[f"B-{label}"]
    return Marginals(text, [start for start, _ in places], [end for _, end in places], plain.tags, folded, chosen)


def _plain(tag: str) -> str:
    return tag if tag == OUTSIDE else f"{'B' if tag[0] in 'BS' else 'I'}{tag[1:]}"


def read_notes(model: NeuralModel, served: Served, documents: Sequence[Document]) -> Iterator[NoteReading]:
    """Read notes, a few at a time."""
    for first in range(0, len(documents), NOTES):
        yield from _read(model, served, documents[first : first + NOTES])


@cache
def load_served(folder: Path, threads: int) -> tuple[NeuralModel, Served]:
    """The network of a folder, read once."""

    def open_graph(path: Path) -> Run:
        return as_function(open_session(path, threads))

    model = load_model(folder)
    network = model.settings.network
    reader = load_character_reader(folder / FOLDER, open_graph) if network.language_model else None
    words = load_in_context(folder / WORD_FOLDER, open_graph) if network.lm_layers else None
    parts = load_parts_of_speech(network.parts_of_speech, folder) if network.parts else None
    letters = folder / "letters.onnx"
    graph = open_session(folder / "model.onnx", threads)
    return model, Served(graph, open_graph(letters) if letters.exists() else None, reader, words, parts)


def forget_loaded() -> None:
    """Read models again, after their files have changed."""
    load_served.cache_clear()
