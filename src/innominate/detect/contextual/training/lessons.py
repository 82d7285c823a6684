"""Notes made ready for learning: windows of word parts, and for each word the tags that it may have.

A corpus that marks only some kinds of identifiers says of its words what they may be, not what they are: a person in the
news is a patient, a relative or somebody of the staff, and a word without a mark may still be a profession.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from innominate.core import Document
from innominate.detect.contextual.byte_pairs import BEGIN, PAD, BytePairs
from innominate.detect.contextual.words import Place, spell_words, split_words
from innominate.detect.neural.tagset import Tagset, entities

NOTHING = -1  # a part that is not the first of its word


@dataclass(frozen=True, slots=True)
class Marking:
    """What a corpus marks: its labels as sets of ours, and those of ours that it leaves unmarked."""

    labels: Mapping[str, tuple[str, ...]]
    unmarked: tuple[str, ...] = ()
    vague_numbers: bool = False  # a word of digits without a mark may be anything


@dataclass
class TagChoices:
    """Sets of tags that a word may have, each with a number."""

    tagset: Tagset
    numbers: dict[frozenset[int], int] = field(default_factory=dict)

    def number(self, tags: Iterable[int]) -> int:
        """The number of a set of tags."""
        return self.numbers.setdefault(frozenset(tags), len(self.numbers))

    def table(self) -> NDArray[np.bool_]:
        """All sets as rows, one column a tag."""
        rows = np.zeros((len(self.numbers), len(self.tagset.tags)), bool)
        for tags, number in self.numbers.items():
            rows[number, list(tags)] = True
        return rows


@dataclass(frozen=True, slots=True)
class Lesson:
    """The parts of a note and, at the first part of each word, the number of its choices."""

    parts: NDArray[np.uint16]
    choices: NDArray[np.int16]
    weight: float = 1.0


def make_lesson(document: Document, vocabulary: BytePairs, choices: TagChoices, marking: Marking) -> Lesson:
    """Read a note."""
    places = split_words(document.text)
    words = [vocabulary.encode_word(word) for word in spell_words(document.text, places)]
    allowed = allow_tags(document, places, choices, marking)
    parts = np.array([part for word in words for part in word], np.uint16)
    found = np.full(len(parts), NOTHING, np.int16)
    firsts = np.cumsum([0, *(len(word) for word in words)])[:-1]
    found[firsts] = allowed
    return Lesson(parts, found)


def allow_tags(document: Document, places: Sequence[Place], choices: TagChoices, marking: Marking) -> list[int]:
    """The choices of each word."""
    ids = choices.tagset.ids
    outside = {ids["O"], *(ids[f"{prefix}-{label}"] for label in marking.unmarked for prefix in "BI")}
    nobody, anything = choices.number(outside), choices.number(ids.values())
    found = [nobody] * len(places)
    if marking.vague_numbers:
        found = [anything if document.text[start].isdigit() else nobody for start, _ in places]
    last_end = -1
    for begin, end, label in sorted(entities(places, document.spans)):
        ours = marking.labels.get(label)
        for index in range(begin, end):
            if ours is None:
                found[index] = anything
            elif len(ours) == 1 and begin != last_end:
                found[index] = choices.number([ids[f"{'B' if index == begin else 'I'}-{ours[0]}"]])
            else:  # parts of a name or an address may be one span with us
                found[index] = choices.number(ids[f"{prefix}-{each}"] for each in ours for prefix in "BI")
        last_end = end
    return found


def exact_marking(labels: Sequence[str]) -> Marking:
    """A corpus that marks everything in our labels."""
    return Marking({label: (label,) for label in labels})


def cut_windows(lesson: Lesson, size: int, rng: np.random.Generator) -> list[Lesson]:
    """Cut a note into windows that begin at random words and overlap a little, with room for the mark of the beginning."""
    room = size - 1
    count = len(lesson.parts)
    if count <= room:
        return [lesson]
    firsts = np.flatnonzero(lesson.choices != NOTHING)
    begins, begin = [], 0
    while True:
        begins.append(begin)
        if begin + room >= count:
            break
        step = int(rng.integers(room // 2, room * 7 // 8))
        begin = int(firsts[np.searchsorted(firsts, begin + step)]) if begin + step <= firsts[-1] else count
        if begin >= count:
            break
    return [Lesson(lesson.parts[b : b + room], lesson.choices[b : b + room], lesson.weight) for b in begins]


@dataclass(frozen=True, slots=True)
class Windows:
    """Windows in arrays: parts with padding, choices, weights."""

    parts: NDArray[np.uint16]
    choices: NDArray[np.int16]
    weights: NDArray[np.float32]


def stack_windows(lessons: Sequence[Lesson], size: int) -> Windows:
    """Put windows under each other; each begins with a mark."""
    parts = np.full((len(lessons), size), PAD, np.uint16)
    choices = np.full((len(lessons), size), NOTHING, np.int16)
    for row, lesson in enumerate(lessons):
        count = len(lesson.parts)
        parts[row, 0] = BEGIN
        parts[row, 1 : count + 1] = lesson.parts
        choices[row, 1 : count + 1] = lesson.choices
    return Windows(parts, choices, np.array([lesson.weight for lesson in lessons], np.float32))
