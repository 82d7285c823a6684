"""From texts to what a model believes of each word: windows of like length together, any length of note."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from innominate.detect.contextual.byte_pairs import BEGIN, PAD
from innominate.detect.contextual.model import ContextualModel
from innominate.detect.contextual.words import Place, spell_words, split_words
from innominate.detect.dial.threshold import Marginals
from innominate.detect.neural.windows import PieceWindow, windows

SLOTS = 6  # of parts, for a word of the student
LENGTHS = 16  # word lengths that are told apart, in parts; 0 is no word
_TOGETHER = 65_536  # words or parts in one batch on a GPU, padding included

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Words = Sequence[tuple[int, ...]]  # the parts of each, as numbers


def read_texts(model: ContextualModel, texts: Sequence[str]) -> list[Marginals]:
    """What the model believes of each word of each text."""
    places = [split_words(text) for text in texts]
    words = [
        [model.vocabulary.encode_word(word) for word in spell_words(text, found)]
        for text, found in zip(texts, places, strict=True)
    ]
    scores = [np.zeros((len(each), len(model.tagset.tags)), np.float32) for each in words]
    views = [(number, view) for number, each in enumerate(words) for view in cut_note(model, each)]
    read = [words[number][view.begin : view.end] for number, view in views]
    # On a CPU windows are read one by one: eight-bit graphs scale by what they read together, and a note must have the same
    # spans alone and among others. It is not slower, since a window fills the caches.
    groups = group_windows(read, model.reads) if model.device == "cuda" else ([index] for index in range(len(read)))
    run = run_words if model.reads == "words" else run_parts
    for some in groups:
        for index, row in zip(some, run(model, [read[index] for index in some]), strict=True):
            number, view = views[index]
            scores[number][view.keep_from : view.keep_to] = row[view.keep_from - view.begin : view.keep_to - view.begin]
    return [believe(model, text, found, each) for text, found, each in zip(texts, places, scores, strict=True)]


def cut_note(model: ContextualModel, words: Words) -> list[PieceWindow]:
    """Windows of a note; those of a model that reads parts hold as many words as have room."""
    if model.reads == "words" or not words:
        return windows(len(words), model.window, model.overlap) if words else []
    ends = np.cumsum([len(word) for word in words])
    room = model.window - 1
    begin = kept = 0
    found: list[PieceWindow] = []
    while True:
        before = int(ends[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, before + room, "right")))
        if end >= len(words):
            return [*found, PieceWindow(begin, len(words), kept, len(words))]
        following = int(np.searchsorted(ends, int(ends[end - 1]) - model.overlap, "right"))
        following = min(max(following, begin + 1), end)
        keep_to = (following + end + 1) // 2
        found.append(PieceWindow(begin, end, kept, keep_to))
        begin, kept = following, keep_to


def group_windows(read: Sequence[Words], reads: str) -> Iterator[list[int]]:
    """Windows of like length together, so that little is padded."""
    sizes = [len(words) if reads == "words" else 1 + sum(map(len, words)) for words in read]
    order = sorted(range(len(read)), key=lambda index: -sizes[index])
    while order:
        count = max(1, _TOGETHER // sizes[order[0]])
        yield order[:count]
        order = order[count:]


def run_words(model: ContextualModel, read: Sequence[Words]) -> list[Floats]:
    """Scores of the words of each window, by a model that reads words."""
    longest = max(map(len, read))
    slots = np.zeros((len(read), longest, SLOTS), np.int64)
    lengths = np.zeros((len(read), longest), np.int64)
    for row, words in enumerate(read):
        slots[row, : len(words)], lengths[row, : len(words)] = fill_slots(words)
    scores = model.session.run(None, {"slots": slots, "lengths": lengths})[0]
    return [scores[row, : len(words)] for row, words in enumerate(read)]


def run_parts(model: ContextualModel, read: Sequence[Words]) -> list[Floats]:
    """Scores of the words of each window, at their first parts, by a model that reads parts."""
    flat = [[BEGIN, *(part for word in words for part in word)][: model.window] for words in read]
    parts = np.full((len(flat), max(map(len, flat))), PAD, np.int64)
    for row, each in enumerate(flat):
        parts[row, : len(each)] = each
    scores = model.session.run(None, {"parts": parts})[0]
    firsts = [np.cumsum([1, *(len(word) for word in words[:-1])]) for words in read]
    return [scores[row, np.minimum(each, scores.shape[1] - 1)] for row, each in enumerate(firsts)]  # a word may be too long


def fill_slots(words: Words) -> tuple[Ints, Ints]:
    """Slots and lengths of some words; of a long word the first and the last parts.

    >>> slots, lengths = fill_slots([(7,), (1, 2, 3, 4, 5, 6, 7, 8)])
    >>> slots.tolist(), lengths.tolist()
    ([[7, 0, 0, 0, 0, 0], [1, 2, 3, 6, 7, 8]], [1, 8])
    """
    half = SLOTS // 2
    rows = [word if len(word) <= SLOTS else word[:half] + word[-half:] for word in words]
    slots = np.zeros((len(rows), SLOTS), np.int64)
    for row, word in enumerate(rows):
        slots[row, : len(word)] = word
    return slots, np.array([min(len(word), LENGTHS - 1) for word in words], np.int64)


def believe(model: ContextualModel, text: str, places: Sequence[Place], scores: Floats) -> Marginals:
    """Probabilities from scores, and the tags that the model would choose: the likeliest label of each word."""
    probabilities = np.exp(scores - scores.max(axis=1, keepdims=True)) if len(scores) else scores
    probabilities /= probabilities.sum(axis=1, keepdims=True) if len(scores) else 1
    best = choose_tags(probabilities)
    return Marginals(text, [start for start, _ in places], [end for _, end in places], model.tagset.tags, probabilities, best)


def average_beliefs(one: Marginals, other: Marginals) -> Marginals:
    """What two models with the same tags believe of the same words, on average."""
    probabilities = (one.probabilities + other.probabilities) * np.float32(0.5)
    return replace(one, probabilities=probabilities, best=choose_tags(probabilities))


def choose_tags(probabilities: Floats) -> NDArray[np.intp]:
    """The likeliest label of each word, begun anew where that is likelier than going on.

    >>> choose_tags(np.array([[0.1, 0.5, 0.4], [0.1, 0.3, 0.6], [0.4, 0.3, 0.3]], np.float32)).tolist()
    [1, 2, 1]
    """
    begins, goes_on = probabilities[:, 1::2], probabilities[:, 2::2]
    labels = np.concatenate([probabilities[:, :1], begins + goes_on], axis=1).argmax(axis=1)
    rows = np.flatnonzero(labels)
    best = np.zeros(len(labels), np.intp)
    inside = (
        (rows > 0) & (labels[rows - 1] == labels[rows]) & (goes_on[rows, labels[rows] - 1] > begins[rows, labels[rows] - 1])
    )
    best[rows] = 2 * labels[rows] - 1 + inside
    return best
