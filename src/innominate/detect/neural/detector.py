"""The neural detector: ONNX Runtime and numpy, no torch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from innominate.core import Document, Span, UsageError
from innominate.detect.neural.chain import Floats
from innominate.detect.neural.model import Model, load_model
from innominate.detect.neural.pieces import pieces
from innominate.detect.neural.tagset import Place
from innominate.detect.neural.vocabulary import LETTERS, Encoded
from innominate.detect.neural.windows import windows

NOTES = 32  # read together, so that windows of like length share a batch
WINDOWS = 16  # in one batch


@dataclass(frozen=True)
class Reading:
    """What a network makes of a note: probabilities of tags, one row per piece, and the best tags."""

    places: Sequence[Place]
    marginals: Floats
    best: NDArray[np.int64]


@dataclass(frozen=True)
class NeuralDetector:
    """Finds identifiers with a trained network.

    Spans carry the probability that the least certain of their pieces belongs to the label.
    """

    model: str | Path
    lang: str = ""  # a model knows its language
    recall: str = ""
    threads: int = 1

    name = "neural"
    needs = ()

    @property
    def labels(self) -> frozenset[str]:
        """Labels this detector can give."""
        if self.recall:
            raise UsageError(f"{self.model}: --recall does not work with neural models yet; leave it out, or use a CRF")
        return frozenset(self._loaded[0].tagset.labels)

    @property
    def _loaded(self) -> tuple[Model, Any]:
        return _loaded(Path(self.model), self.threads)

    def detect(self, document: Document) -> Sequence[Span]:
        """Find spans."""
        return next(iter(self.detect_many([document])))

    def detect_many(self, documents: Iterable[Document]) -> Iterator[Sequence[Span]]:
        """Find spans in many notes, faster than one by one."""
        model, _ = self._loaded
        for reading in self.read_many(documents):
            yield spans_of(model, reading, self.name)

    def read_many(self, documents: Iterable[Document]) -> Iterator[Reading]:
        """Read notes, a few at a time."""
        model, session = self._loaded
        stream = iter(documents)
        while some := list(islice(stream, NOTES)):
            yield from _read(model, session, some)


def spans_of(model: Model, reading: Reading, source: str) -> list[Span]:
    """Spans of the best tags."""
    tags = model.tagset.tags
    found = []
    for begin, end, label in model.tagset.decode(reading.best.tolist()):
        columns = [number for number, tag in enumerate(tags) if tag[2:] == label]
        score = float(reading.marginals[begin:end][:, columns].sum(1).min())
        found.append(Span(reading.places[begin][0], reading.places[end - 1][1], label, min(1.0, score), source))
    return found


def _read(model: Model, session: Any, documents: Sequence[Document]) -> Iterator[Reading]:
    places = [pieces(document.text) for document in documents]
    encoded = [
        model.vocabulary.encode([document.text[start:end] for start, end in found])
        for document, found in zip(documents, places, strict=True)
    ]
    network = model.settings.network
    views = [
        (note, view)
        for note, each in enumerate(encoded)
        for view in windows(len(each), network.window, network.overlap)
        if len(each)
    ]
    views.sort(key=lambda item: item[1].end - item[1].begin)
    tags = len(model.tagset.tags)
    marginals = [np.zeros((len(each), tags), np.float32) for each in encoded]
    best = [np.zeros(len(each), np.int64) for each in encoded]
    for begin in range(0, len(views), WINDOWS):
        some = views[begin : begin + WINDOWS]
        probable, path = _answer(model, session, [encoded[note].part(view.begin, view.end) for note, view in some])
        for row, (note, view) in enumerate(some):
            kept = slice(view.keep_from - view.begin, view.keep_to - view.begin)
            marginals[note][view.keep_from : view.keep_to] = probable[row, kept]
            best[note][view.keep_from : view.keep_to] = path[row, kept]
    for found, probabilities, answer in zip(places, marginals, best, strict=True):
        yield Reading(found, probabilities, answer)


def _answer(model: Model, session: Any, parts: Sequence[Encoded]) -> tuple[Floats, NDArray[np.int64]]:
    """Marginals and best tags of a batch of windows."""
    batch = _batch(parts)
    wanted = {given.name for given in session.get_inputs()}  # a network that reads no shapes has no such input
    emissions = session.run(None, {name: values for name, values in batch.items() if name in wanted})[0]
    return model.chain.marginals(emissions, batch["lengths"]), model.chain.best(emissions, batch["lengths"])


def _batch(parts: Sequence[Encoded]) -> dict[str, NDArray[np.int64]]:
    lengths = np.array([len(part) for part in parts], np.int64)
    shape = (len(parts), int(lengths.max()))
    batch = {
        "words": np.zeros(shape, np.int64),
        "chars": np.zeros((*shape, LETTERS), np.int64),
        "shapes": np.zeros(shape, np.int64),
    }
    for row, part in enumerate(parts):
        for name, values in batch.items():
            values[row, : len(part)] = getattr(part, name)
    return {**batch, "lengths": lengths}


@cache
def _loaded(folder: Path, threads: int) -> tuple[Model, Any]:
    try:
        import onnxruntime  # type: ignore[import-untyped]
    except ImportError:
        raise UsageError("neural models need ONNX Runtime: pip install 'innominate[neural]'") from None

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    small = folder / "model.int8.onnx"
    graph = small if small.exists() else folder / "model.onnx"
    return load_model(folder), onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
