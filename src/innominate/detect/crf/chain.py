"""The chain in numpy: marginals and the best path of many sequences at once (Sutton and McCallum 2012, section 4).

Sequences lie one after the other in one array of scores. They are worked on side by side, longest first, so that each
step is one small matrix product; a path that holds more than half of the probability is the best one and is not searched for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]

_TINY = 1e-300  # doubles: what is unlikely by its own score may be likely by its neighbours


@dataclass(frozen=True, slots=True)
class Layout:
    """Which rows belong to step 0, 1, 2 ... of the sequences, longest sequence first."""

    starts: Ints  # first row of each sequence, longest first
    lengths: Ints
    active: list[int]  # at each step, how many sequences are that long

    @classmethod
    def of(cls, ends: Ints) -> Layout:
        """From where sequences end; the first begins at 0."""
        starts = np.concatenate(([0], ends[:-1])).astype(np.intp)
        lengths = ends - starts
        order = np.argsort(-lengths, kind="stable")
        lengths = lengths[order]
        steps = np.arange(int(lengths[0]) if len(lengths) else 0)
        active = np.searchsorted(-lengths, -steps, side="left")
        return cls(starts[order], lengths, [int(count) for count in active])

    def rows(self, step: int) -> Ints:
        """The rows of a step."""
        return self.starts[: self.active[step]] + step


def marginals(scores: Floats, transitions: Floats, layout: Layout) -> tuple[Floats, Doubles]:
    """The probability of each tag at each row, and of each sequence the logarithm of the sum over all paths.

    >>> scores, apart = np.zeros((2, 2), np.float32), np.log(np.array([[3, 1], [1, 3]], np.float32))
    >>> found, log_sum = marginals(scores + np.array([[1, 0], [0, 0]], np.float32), apart, Layout.of(np.array([2])))
    >>> (100 * found).round().astype(int).tolist()
    [[73, 27], [62, 38]]
    """
    peaks = scores.max(axis=1, keepdims=True)
    likely = np.exp((scores - peaks).astype(np.float64))
    steps = np.exp((transitions - transitions.max()).astype(np.float64))
    logs = np.zeros(len(layout.starts))
    forward = np.empty_like(likely)
    previous = np.empty((0, 0))
    for step in range(len(layout.active)):
        rows = layout.rows(step)
        now = likely[rows]
        if step:
            now *= previous[: len(rows)] @ steps
            logs[: len(rows)] += float(transitions.max())
        sums = now.sum(axis=1, keepdims=True)
        np.maximum(sums, _TINY, out=sums)
        now /= sums
        logs[: len(rows)] += np.log(sums[:, 0]) + peaks[rows, 0]
        forward[rows] = now
        previous = now
    return _smoothed(forward, likely, steps, layout).astype(np.float32), logs


def _smoothed(forward: Doubles, likely: Doubles, steps: Doubles, layout: Layout) -> Doubles:
    """Go back from the last step and weigh what is known from the right."""
    back = steps.T.copy()
    right = np.empty((0, forward.shape[1]))
    for step in range(len(layout.active) - 1, -1, -1):
        rows = layout.rows(step)
        now = np.ones((len(rows), forward.shape[1]))
        if len(right):
            now[: len(right)] = right @ back
            now /= np.maximum(now.max(axis=1, keepdims=True), _TINY)
        right = likely[rows] * now
        found = forward[rows] * now
        found /= np.maximum(found.sum(axis=1, keepdims=True), _TINY)
        forward[rows] = found
    return forward


def best_paths(scores: Floats, transitions: Floats, layout: Layout, known: tuple[Floats, Doubles]) -> Ints:
    """The likeliest sequence of tags of each sequence (Viterbi), as a tag per row; `known` is what `marginals` gave."""
    found, logs = known
    path: Ints = found.argmax(axis=1)
    of_row = np.take_along_axis(scores, path[:, None], axis=1)[:, 0].astype(np.float64)
    of_row[1:] += transitions[path[:-1], path[1:]]
    of_row[layout.starts] = scores[layout.starts, path[layout.starts]]
    totals = np.add.reduceat(of_row, np.sort(layout.starts)) if len(of_row) else of_row
    in_order = np.argsort(np.argsort(layout.starts))
    unsure = totals[in_order] - logs < np.log(0.5) + 1e-3
    if unsure.any():
        _search(scores, transitions, _only(layout, unsure), path)
    return path


def _only(layout: Layout, chosen: NDArray[np.bool_]) -> Layout:
    lengths = layout.lengths[chosen]
    active = np.searchsorted(-lengths, -np.arange(int(lengths[0])), side="left")
    return Layout(layout.starts[chosen], lengths, [int(count) for count in active])


def _search(scores: Floats, transitions: Floats, layout: Layout, path: Ints) -> None:
    """Viterbi for the sequences of a layout; what it finds is written into `path`."""
    came_from: list[Ints] = []
    best = scores[layout.rows(0)]
    last = [best]
    for step in range(1, len(layout.active)):
        rows = layout.rows(step)
        ways = best[: len(rows), :, None] + transitions
        came_from.append(ways.argmax(axis=1))
        best = np.take_along_axis(ways, came_from[-1][:, None, :], axis=1)[:, 0] + scores[rows]
        last.append(best)
    tag = np.empty(0, np.intp)
    for step in range(len(layout.active) - 1, -1, -1):
        ending = last[step][len(tag) :].argmax(axis=1)
        kept = came_from[step][np.arange(len(tag)), tag] if len(tag) else tag
        tag = np.concatenate((kept, ending))
        path[layout.rows(step)] = tag
