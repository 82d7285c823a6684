"""How unsure a detector is of a text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log2
from typing import Protocol, runtime_checkable

import numpy as np

from innominate.core import Document, Span
from innominate.core.protocols import BatchDetector, Detector
from innominate.detect.dial.threshold import MarginalsDetector


@runtime_checkable
class Probabilistic(MarginalsDetector, Protocol):
    """A detector that can be asked for the probabilities of tokens."""


def bits(chance: float) -> float:
    """The entropy of a yes or no.

    >>> bits(0.5), bits(1.0), round(bits(0.9), 3)
    (1.0, 0.0, 0.469)
    """
    return 0.0 if chance <= 0 or chance >= 1 else -chance * log2(chance) - (1 - chance) * log2(1 - chance)


def uncertainty(detector: Detector, documents: Sequence[Document]) -> list[float]:
    """Bits per document: over all tokens if the detector has their probabilities, else over the spans that it found.

    Spans alone say nothing of what a detector nearly found, so the probabilities of tokens are better.
    """
    if isinstance(detector, Probabilistic):
        return [_of_tokens(found.outside) for found in detector.marginals(documents)]
    if isinstance(detector, BatchDetector):
        return [_of_spans(spans) for spans in detector.detect_many(documents)]
    return [_of_spans(detector.detect(document)) for document in documents]


def _of_tokens(outside: Iterable[float]) -> float:
    """What is asked of an annotator is whether a token is an identifier; which label comes second."""
    chances = np.clip(np.asarray(outside, dtype=float), 1e-12, 1 - 1e-12)
    return float(-(chances * np.log2(chances) + (1 - chances) * np.log2(1 - chances)).sum())


def _of_spans(spans: Iterable[Span]) -> float:
    return sum(bits(span.score) for span in spans)
