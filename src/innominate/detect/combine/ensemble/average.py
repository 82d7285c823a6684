"""The mean of what several models believe, character by character, and the best tags that can follow each other.

Models cut a text into tokens of their own. Their cuts together make the finest ones; a token that is cut further is inside its
span from the second part on. A model that has no token somewhere, or does not know a label, has no say in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from innominate.detect.crf.chain import Layout, best_paths
from innominate.detect.dial.threshold import OUTSIDE, Marginals

_NEVER = np.float32(-1e4)  # the logarithm of what cannot be


def average_marginals(beliefs: Sequence[Marginals]) -> Marginals:
    """One belief for several about the same text, in IOB2.

    >>> tags = ("O", "B-NAME", "I-NAME")
    >>> first = Marginals("EvaLind", [0], [7], tags, np.array([[0.2, 0.8, 0]], np.float32), np.array([1]))
    >>> sure = np.array([[0.5, 0.5, 0], [0.75, 0, 0.25]], np.float32)
    >>> second = Marginals("EvaLind", [0, 3], [3, 7], tags, sure, np.array([1, 0]))
    >>> found = average_marginals([first, second])
    >>> list(zip(found.starts, found.ends)), found.outside.round(3).tolist()[1] < 0.5, [found.tags[n] for n in found.best]
    ([(0, 3), (3, 7)], True, ['B-NAME', 'I-NAME'])
    """
    text = beliefs[0].text
    labels = sorted({tag[2:] for one in beliefs for tag in one.tags if tag != OUTSIDE})
    tags = (OUTSIDE, *(f"{prefix}-{label}" for label in labels for prefix in "BI"))
    starts, ends = _cuts(beliefs)
    total = np.zeros((len(starts), len(tags)), np.float64)
    voices = np.zeros_like(total)
    for one in beliefs:
        _add(one, np.array(starts, np.intp), tags, total=total, voices=voices)
    mean = total / np.maximum(voices, 1)
    mean /= np.maximum(mean.sum(axis=1, keepdims=True), 1e-12)
    probabilities = mean.astype(np.float32)
    return Marginals(text, starts, ends, tags, probabilities, _best(probabilities, tags))


def _cuts(beliefs: Sequence[Marginals]) -> tuple[list[int], list[int]]:
    """The finest tokens: every place where any model cuts, of what any model reads."""
    places = sorted({place for one in beliefs for place in (*one.starts, *one.ends)})
    read = np.zeros(len(beliefs[0].text) + 1, np.int32)
    for one in beliefs:
        np.add.at(read, np.array(one.starts, np.intp), 1)
        np.add.at(read, np.array(one.ends, np.intp), -1)
    inside = np.cumsum(read)
    pairs = [(a, b) for a, b in pairwise(places) if inside[a]]
    return [a for a, _ in pairs], [b for _, b in pairs]


def _add(
    one: Marginals, starts: NDArray[np.intp], tags: Sequence[str], *, total: NDArray[np.float64], voices: NDArray[np.float64]
) -> None:
    """Add what one model believes to the rows it has tokens for, and count it there."""
    own_starts, own_ends = np.array(one.starts, np.intp), np.array(one.ends, np.intp)
    if not len(own_starts):
        return
    token = np.searchsorted(own_starts, starts, side="right") - 1
    rows = np.flatnonzero((token >= 0) & (starts < own_ends[np.maximum(token, 0)]))
    token = token[rows]
    later = own_starts[token] < starts[rows]
    column = {tag: number for number, tag in enumerate(one.tags)}
    for number, tag in enumerate(tags):
        if tag not in column and (tag == OUTSIDE or f"B-{tag[2:]}" not in column):
            continue
        share = one.probabilities[token, column[tag]].astype(np.float64) if tag in column else np.zeros(len(rows))
        if tag[0] == "B":
            share = np.where(later, 0.0, share)
        elif tag[0] == "I":
            share = share + np.where(later, one.probabilities[token, column[f"B-{tag[2:]}"]], 0.0)
        total[rows, number] += share
        voices[rows, number] += 1


def _best(probabilities: NDArray[np.float32], tags: Sequence[str]) -> NDArray[np.intp]:
    """The likeliest tags in which every `I` follows its own label; searched for only where the likeliest of each do not."""
    best: NDArray[np.intp] = probabilities.argmax(axis=1) if probabilities.size else np.zeros(0, np.intp)
    may = _may_follow(tags)
    first = np.array([tag[0] != "I" for tag in tags])
    if not len(best) or (first[best[0]] and may[best[:-1], best[1:]].all()):
        return best
    scores = np.log(np.maximum(probabilities, 1e-12)).astype(np.float32)
    scores[0, ~first] = _NEVER
    moves = np.where(may, np.float32(0), _NEVER).astype(np.float32)
    layout = Layout.of(np.array([len(best)]))
    return best_paths(scores, moves, layout, (probabilities, np.array([np.inf])))  # no path is known to be the best


def _may_follow(tags: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([[after[0] != "I" or before[2:] == after[2:] for after in tags] for before in tags])
