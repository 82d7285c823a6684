"""Active learning: the chunks from which a model would learn most per second of an annotator's time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from innominate.campaign.analysis.tasks import AnnotationTask
from innominate.campaign.records import Sample
from innominate.campaign.store import Store
from innominate.core import Document, UsageError
from innominate.core.protocols import BatchDetector, Detector
from innominate.detect.dial.threshold import MarginalsDetector

LEAST_TASKS = 20  # with fewer the length alone is used
_SHORTEST = 0.5  # seconds; nobody reads anything faster


@dataclass(frozen=True, slots=True)
class Seconds:
    """Seconds for a task: something for every task, for every character, and for every span to be marked."""

    task: float = 2.0
    character: float = 0.05
    span: float = 2.0
    tasks: int = 0  # from how many it was learnt

    def of(self, characters: int, spans: float) -> float:
        """The seconds that a chunk will probably take.

        >>> Seconds(2.0, 0.05, 1.5).of(100, 2)
        10.0
        """
        return max(_SHORTEST, self.task + self.character * characters + self.span * spans)


def learn_seconds(tasks: Sequence[AnnotationTask], samples: dict[str, Sample]) -> Seconds:
    """Learn from tasks of known duration, by least squares; a part that would be negative is left out.

    The longest twentieth counts as the duration at its border: an interrupted task must not make all others look long.
    """
    known = [(task, task.seconds) for task in tasks if task.seconds is not None]
    if len(known) < LEAST_TASKS:
        return Seconds()
    rows = np.array([[1.0, len(samples[task.answer.sample].text), len(task.answer.spans)] for task, _ in known])
    seconds = np.array([value for _, value in known])
    seconds = np.minimum(seconds, np.quantile(seconds, 0.95))
    found = np.zeros(3)
    use = [0, 1, 2]
    while use:
        parts = np.linalg.lstsq(rows[:, use], seconds, rcond=None)[0]
        if (parts >= 0).all():
            found[use] = parts
            break
        use.remove(use[int(parts.argmin())])
    return Seconds(float(found[0]), float(found[1]), float(found[2]), len(known))


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


def rank_chunks(detector: Detector, samples: Sequence[Sample], seconds: Seconds) -> list[Ranked]:
    """All chunks, the most worth first. Chunks that take long are worth less: counting uncertainty alone wastes time."""
    documents = [Document(sample.id, sample.text) for sample in samples]
    unsure = measure_uncertainty(detector, documents)
    if samples and not any(unsure):
        raise UsageError(f"detector {detector.name!r} is sure of everything; active learning needs one with scores, as crf")
    spans = [len(detector.detect(document)) for document in documents]
    found = [
        Ranked(sample, bits, seconds.of(len(sample.text), count), count)
        for sample, bits, count in zip(samples, unsure, spans, strict=True)
    ]
    return sorted(found, key=lambda one: (-one.worth, one.sample.id))


def chunks_wanting_annotators(store: Store) -> list[Sample]:
    """Chunks that fewer people accepted than the campaign wants; without such a number, those that nobody did."""
    wanted = store.campaign().annotators_per_chunk
    done = Counter(answer.sample for answer in store.answers() if answer.decision == "accept")
    return [one for one in store.samples() if done[one.id] < wanted or (not wanted and not done[one.id])]


def measure_uncertainty(detector: Detector, documents: Sequence[Document]) -> list[float]:
    """Bits per document: over all tokens if the detector has their probabilities, else over the spans that it found.

    Spans alone say nothing of what a detector nearly found, so the probabilities of tokens are better.
    """
    if isinstance(detector, MarginalsDetector):
        return [sum_entropy(np.clip(found.outside, 1e-12, 1 - 1e-12)) for found in detector.marginals(documents)]
    if isinstance(detector, BatchDetector):
        found = list(detector.detect_many(documents))
    else:
        found = [detector.detect(document) for document in documents]
    return [sum_entropy(span.score for span in spans) for spans in found]


def sum_entropy(chances: Iterable[float]) -> float:
    """The entropy of several answers of yes or no, in bits.

    What is asked of an annotator is whether a token is an identifier; which label comes second.

    >>> sum_entropy([0.5, 1.0]), round(sum_entropy([0.9]), 3)
    (1.0, 0.469)
    """
    asked = np.array([chance for chance in chances if 0 < chance < 1])
    return float(-(asked * np.log2(asked) + (1 - asked) * np.log2(1 - asked)).sum())
