"""From texts to what a model believes of each word: windows of like length together, any length of note."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from innominate.detect.contextual.byte_pairs import BEGIN, PAD
from innominate.detect.contextual.model import ContextualModel
from innominate.detect.contextual.slots import SLOTS, fill_slots
from innominate.detect.contextual.words import Place, spell_words, split_words
from innominate.detect.dial.threshold import Marginals
from innominate.detect.neural.windows import windows

Floats = NDArray[np.float32]
_TOGETHER = 65_536  # words or parts in one batch on a GPU, padding included


@dataclass(frozen=True, slots=True)
class View:
    """Words `begin` to `end` of a note are read together; those from `keep_from` to `keep_to` are answered."""

    note: int
    begin: int
    end: int
    keep_from: int
    keep_to: int


def read_texts(model: ContextualModel, texts: Sequence[str]) -> list[Marginals]:
    """What the model believes of each word of each text."""
    places = [split_words(text) for text in texts]
    words = [
        [model.vocabulary.encode_word(word) for word in spell_words(text, found)]
        for text, found in zip(texts, places, strict=True)
    ]
    scores = [np.zeros((len(each), len(model.tagset.tags)), np.float32) for each in words]
    views = [view for number, each in enumerate(words) for view in cut_views(model, number, each)]
    # On a CPU windows are read one by one: eight-bit graphs scale by what they read together, and a note must have the same
    # spans alone and among others. It is not slower, since a window fills the caches.
    groups = group_views(views, words, model.reads) if model.device == "cuda" else ([view] for view in views)
    for some in groups:
        answer = run_words(model, some, words) if model.reads == "words" else run_parts(model, some, words)
        for view, row in zip(some, answer, strict=True):
            scores[view.note][view.keep_from : view.keep_to] = row[view.keep_from - view.begin : view.keep_to - view.begin]
    return [believe(model, text, found, each) for text, found, each in zip(texts, places, scores, strict=True)]


def cut_views(model: ContextualModel, note: int, words: Sequence[tuple[int, ...]]) -> Iterator[View]:
    """Windows of a note; those of a model that reads parts hold as many words as have room."""
    if not words:
        return
    if model.reads == "words":
        for window in windows(len(words), model.window, model.overlap):
            yield View(note, window.begin, window.end, window.keep_from, window.keep_to)
        return
    ends = np.cumsum([len(word) for word in words])
    room = model.window - 1
    begin = kept = 0
    while True:
        before = int(ends[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, before + room, "right")))
        if end >= len(words):
            yield View(note, begin, len(words), kept, len(words))
            return
        following = int(np.searchsorted(ends, int(ends[end - 1]) - model.overlap, "right"))
        following = min(max(following, begin + 1), end)
        keep_to = (following + end + 1) // 2
        yield View(note, begin, end, kept, keep_to)
        begin, kept = following, keep_to


def group_views(views: list[View], words: Sequence[Sequence[tuple[int, ...]]], reads: str) -> Iterator[list[View]]:
    """Views of like length together, so that little is padded."""

    def size(view: View) -> int:
        if reads == "words":
            return view.end - view.begin
        return 1 + sum(map(len, words[view.note][view.begin : view.end]))

    sizes = sorted(((size(view), number) for number, view in enumerate(views)), reverse=True)
    begin = 0
    while begin < len(sizes):
        count = max(1, _TOGETHER // sizes[begin][0])
        yield [views[number] for _, number in sizes[begin : begin + count]]
        begin += count


def run_words(model: ContextualModel, views: Sequence[View], words: Sequence[Sequence[tuple[int, ...]]]) -> list[Floats]:
    """Scores of the words of each view, by a model that reads words."""
    longest = max(view.end - view.begin for view in views)
    slots = np.zeros((len(views), longest, SLOTS), np.int64)
    lengths = np.zeros((len(views), longest), np.int64)
    for row, view in enumerate(views):
        count = view.end - view.begin
        slots[row, :count], lengths[row, :count] = fill_slots(words[view.note][view.begin : view.end])
    scores = model.session.run(None, {"slots": slots, "lengths": lengths})[0]
    return [scores[row, : view.end - view.begin] for row, view in enumerate(views)]


def run_parts(model: ContextualModel, views: Sequence[View], words: Sequence[Sequence[tuple[int, ...]]]) -> list[Floats]:
    """Scores of the words of each view, at their first parts, by a model that reads parts."""
    flat = [[BEGIN, *(part for word in words[view.note][view.begin : view.end] for part in word)] for view in views]
    parts = np.full((len(views), max(map(len, flat))), PAD, np.int64)
    for row, each in enumerate(flat):
        parts[row, : len(each)] = each[: model.window]
    scores = model.session.run(None, {"parts": parts[:, : model.window]})[0]
    found = []
    for row, view in enumerate(views):
        lengths = [len(word) for word in words[view.note][view.begin : view.end]]
        firsts = np.minimum(np.cumsum([1, *lengths[:-1]]), scores.shape[1] - 1)  # one word may be longer than a window
        found.append(scores[row, firsts])
    return found


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
