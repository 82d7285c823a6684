"""Chunks in the order in which they are worth annotating."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from innominate.campaign.records import Sample
from innominate.campaign.suggestions.active.seconds import Seconds
from innominate.campaign.suggestions.active.uncertainty import uncertainty
from innominate.core import Document, UsageError
from innominate.core.protocols import Detector


@dataclass(frozen=True, slots=True)
class Ranked:
    """A chunk, how unsure the detector is of it, and how long it will take."""

    sample: Sample
    bits: float
    seconds: float
    spans: int  # that the detector finds

    @property
    def worth(self) -> float:
        """Bits per second."""
        return self.bits / self.seconds


def ranked(detector: Detector, samples: Sequence[Sample], seconds: Seconds) -> list[Ranked]:
    """All chunks, the most worth first. Chunks that take long are worth less: counting uncertainty alone wastes time."""
    documents = [Document(sample.id, sample.text) for sample in samples]
    unsure = uncertainty(detector, documents)
    if samples and not any(unsure):
        raise UsageError(f"detector {detector.name!r} is sure of everything; active learning needs one with scores, as crf")
    spans = [len(detector.detect(document)) for document in documents]
    found = [
        Ranked(sample, bits, seconds.of(len(sample.text), count), count)
        for sample, bits, count in zip(samples, unsure, spans, strict=True)
    ]
    return sorted(found, key=lambda one: (-one.worth, one.sample.id))
