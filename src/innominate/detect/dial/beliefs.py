"""What a saved model believes about annotated notes: the beginning of every tuning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from innominate.core import Document, UsageError
from innominate.detect.crf.training import as_seen
from innominate.detect.dial.threshold import Marginals, MarginalsDetector
from innominate.detect.models.named import load_saved_detector

_AT_ONCE = 20  # notes that are asked about together


def beliefs_of(model: Path, notes: Sequence[Document]) -> Iterator[tuple[Document, Marginals]]:
    """Each note as detectors see it, with what the model in a folder believes of it."""
    detector = load_saved_detector(model)
    if not isinstance(detector, MarginalsDetector):
        raise UsageError(f"{model}: a model of kind {detector.name!r} gives no probabilities; tune the models it is made of")
    for first in range(0, len(notes), _AT_ONCE):
        some = [as_seen(note) for note in notes[first : first + _AT_ONCE]]
        yield from zip(some, detector.marginals(some), strict=True)
