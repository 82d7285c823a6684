"""Notes made ready for learning: mentions that change places, numbers, tags, windows, batches."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from innominate.core import Document, Edit, Span, apply_edits
from innominate.detect.neural.pieces import pieces
from innominate.detect.neural.tagset import Entity, Place, Tagset, entities
from innominate.detect.neural.vocabulary import Encoded, Vocabulary
from innominate.detect.neural.windows import stack_rows

Arrays = dict[str, NDArray[np.generic]]
ENCODED = ("words", "chars", "shapes", "parts")


@dataclass(frozen=True)
class NoteLesson:
    """A note, its pieces as numbers, and their tags."""

    id: str
    places: tuple[Place, ...]
    encoded: Encoded
    tags: NDArray[np.int64]
    entities: tuple[Entity, ...]
    states: NDArray[np.float16] | None = None  # of character language models, one row per piece
    layers: NDArray[np.float16] | None = None  # of a word-level language model, side by side

    def part(self, begin: int, end: int) -> NoteLesson:
        """Return some of the pieces; entities are not needed after that."""
        read = (None if each is None else each[begin:end] for each in (self.states, self.layers))
        return NoteLesson(self.id, self.places[begin:end], self.encoded.part(begin, end), self.tags[begin:end], (), *read)


def make_lesson(document: Document, vocabulary: Vocabulary, tagset: Tagset) -> NoteLesson:
    """Read a note."""
    places = pieces(document.text)
    encoded = vocabulary.encode([document.text[start:end] for start, end in places])
    tags = np.array(tagset.encode(places, document.spans), np.int64)
    known = tuple(entity for entity in entities(places, document.spans) if entity[2] in tagset.labels)
    return NoteLesson(document.id, tuple(places), encoded, tags, known)


def with_other_mentions(
    document: Document, mentions: Mapping[str, Sequence[str]], share: float, rng: np.random.Generator
) -> Document:
    """Replace a share of the mentions by others of the same label: a name is learnt from its place, not by heart."""
    edits: list[Edit] = []
    spans: list[Span] = []
    for span in sorted(document.spans):
        if spans and span.start < spans[-1].end:
            continue  # one of two that overlap is enough
        spans.append(span)
        if rng.random() < share:
            others = mentions[span.label]
            edits.append(Edit(span.start, span.end, others[int(rng.integers(len(others)))]))
    text, offsets = apply_edits(document.text, edits)
    return Document(document.id, text, tuple(Span(*offsets.to_target(span.start, span.end), span.label) for span in spans))


def mentions_by_label(documents: Sequence[Document]) -> Mapping[str, Sequence[str]]:
    """Collect the texts of the mentions of each label."""
    found: dict[str, list[str]] = {}
    for document in documents:
        for span in document.spans:
            found.setdefault(span.label, []).append(document.text[span.start : span.end])
    return found


def cut_epoch(
    lessons: Sequence[NoteLesson],
    size: int,
    batch: int,
    rng: np.random.Generator,
    *,
    even: bool = False,
) -> Iterator[Arrays]:
    """Yield the batches of one epoch: windows cut at a new offset each time, shuffled, alike in length.

    With `even` all batches have one shape, as recorded GPU steps want it; the last few windows wait for the next epoch.
    """
    parts: list[NoteLesson] = []
    for each in lessons:
        count = len(each.encoded)
        first = int(rng.integers(1, size + 1)) if count > size else count
        cuts = [0, *range(first, count, size), count]
        parts += [each.part(begin, end) for begin, end in itertools.pairwise(cuts) if end > begin]
    if even:
        order = rng.permutation(len(parts))
        groups = [order[begin : begin + batch] for begin in range(0, len(parts) - batch + 1, batch)]
    else:
        order = np.argsort([len(part.encoded) for part in parts] + rng.random(len(parts)) * 32, kind="stable")
        groups = [order[begin : begin + batch] for begin in range(0, len(parts), batch)]
        rng.shuffle(groups)
    for group in groups:
        yield pad_windows([parts[index] for index in group], size if even else 0)


def windows_in(lessons: Sequence[NoteLesson], size: int) -> float:
    """How many windows `epoch` cuts on average: a long note begins and ends with a part of one."""
    return sum(1 if len(each.encoded) <= size else 1 + len(each.encoded) / size for each in lessons)


def pad_windows(parts: Sequence[NoteLesson], size: int = 0) -> Arrays:
    """Put windows into one array each, with zeros after their ends."""
    lengths = np.array([len(part.encoded) for part in parts], np.int64)
    size = size or int(lengths.max())
    found: Arrays = {name: stack_rows([getattr(part.encoded, name) for part in parts], size, np.int64) for name in ENCODED}
    read = [name for name in ("tags", "states", "layers") if getattr(parts[0], name) is not None]
    found |= {name: stack_rows([getattr(part, name) for part in parts], size) for name in read}
    return {**found, "lengths": lengths, "mask": np.arange(size) < lengths[:, None]}
