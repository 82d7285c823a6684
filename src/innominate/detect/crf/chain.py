"""The chain in numpy: marginals and the best path of many sequences at once (Sutton and McCallum 2012, section 4).

Sequences lie one after the other in one array of scores. They are worked on side by side, longest first and step by step, so
that each step is one small matrix product on rows that lie together; a path that holds more than half of the probability is
the best one and is not searched for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]

_TINY = 1e-300  # doubles: what is unlikely by its own score may be likely by its neighbours
_ROOM = 200.0  # how far, as a logarithm, sums may shrink before they are scaled back to 1; a double has room for 700
_FEW = 6  # tags in a row, on average, up to which single numbers are quicker than arrays
_LONGEST = 40  # steps without scaling: with t tags a sum may also grow by t in each


@dataclass(frozen=True, slots=True)
class Layout:
    """The rows of the sequences, sorted by step: those of step `s` are `rows[bounds[s]:bounds[s + 1]]`, longest first."""

    starts: Ints  # first row of each sequence, longest first
    lengths: Ints
    rows: Ints
    bounds: list[int]

    @classmethod
    def of(cls, ends: Ints) -> Layout:
        """From where sequences end; the first begins at 0."""
        starts = np.concatenate(([0], ends[:-1])).astype(np.intp)
        lengths = ends - starts
        order = np.argsort(-lengths, kind="stable")
        starts, lengths = starts[order], lengths[order]
        steps = np.arange(int(lengths[0]) if len(lengths) else 0)
        active = np.searchsorted(-lengths, -steps, side="left")  # at each step, how many sequences are that long
        bounds = np.concatenate(([0], np.cumsum(active)))
        number = np.arange(int(bounds[-1])) - np.repeat(bounds[:-1], active)
        return cls(starts, lengths, starts[number] + np.repeat(steps, active), bounds.tolist())

    def sums(self, values: Doubles) -> Doubles:
        """What the rows of each sequence add up to."""
        running = np.concatenate(([0.0], np.cumsum(values)))
        total: Doubles = running[self.starts + self.lengths] - running[self.starts]
        return total


def marginals(scores: Floats, transitions: Floats, layout: Layout) -> tuple[Floats, Doubles]:
    """The probability of each tag at each row, and of each sequence the logarithm of the sum over all paths.

    >>> scores, apart = np.zeros((2, 2), np.float32), np.log(np.array([[3, 1], [1, 3]], np.float32))
    >>> found, log_sum = marginals(scores + np.array([[1, 0], [0, 0]], np.float32), apart, Layout.of(np.array([2])))
    >>> (100 * found).round().astype(int).tolist()
    [[73, 27], [62, 38]]
    """
    peaks = scores.max(axis=1, keepdims=True)
    likely = np.exp((scores - peaks)[layout.rows].astype(np.float64))
    lift = float(transitions.max())
    steps = np.exp((transitions - lift).astype(np.float64))
    # In each step one tag has the likelihood 1, so that sums shrink at most by the least transition.
    every = int(min(_LONGEST, max(1.0, _ROOM / max(1.0, lift - float(transitions.min())))))
    forward, logs = _forward(likely, steps, layout, every)
    found = forward * _backward(likely, steps, layout, every)
    found /= np.maximum(found.sum(axis=1, keepdims=True), _TINY)
    in_order = np.empty(found.shape, np.float32)
    in_order[layout.rows] = found
    return in_order, logs + layout.sums(peaks[:, 0].astype(np.float64)) + lift * (layout.lengths - 1)


def _forward(likely: Doubles, steps: Doubles, layout: Layout, every: int) -> tuple[Doubles, Doubles]:
    """What is known from the left, and the logarithm of its sum at the end of each sequence."""
    forward, logs, bounds = np.empty_like(likely), np.zeros(len(layout.starts)), layout.bounds
    forward[: bounds[1]] = likely[: bounds[1]]
    for step in range(1, len(bounds) - 1):
        before, first, last = bounds[step - 1], bounds[step], bounds[step + 1]
        now = forward[first:last]
        np.matmul(forward[before : before + last - first], steps, out=now)
        now *= likely[first:last]
        if step % every == 0:
            sums = np.maximum(now.sum(axis=1, keepdims=True), _TINY)
            now /= sums
            logs[: last - first] += np.log(sums[:, 0])
    ends = forward[np.array(bounds)[layout.lengths - 1] + np.arange(len(logs))]
    return forward, logs + np.log(np.maximum(ends.sum(axis=1), _TINY))


def _backward(likely: Doubles, steps: Doubles, layout: Layout, every: int) -> Doubles:
    """What is known from the right, to any scale."""
    backward, bounds, turned = np.ones_like(likely), layout.bounds, steps.T.copy()
    for step in range(len(bounds) - 3, -1, -1):
        first, after, last = bounds[step], bounds[step + 1], bounds[step + 2]
        now = backward[first : first + last - after]
        np.matmul(likely[after:last] * backward[after:last], turned, out=now)
        if step % every == 0:
            now /= np.maximum(now.max(axis=1, keepdims=True), _TINY)
    return backward


def best_paths(scores: Floats, transitions: Floats, layout: Layout, known: tuple[Floats, Doubles]) -> Ints:
    """The likeliest sequence of tags of each sequence (Viterbi), as a tag per row; `known` is what `marginals` gave."""
    found, logs = known
    path: Ints = found.argmax(axis=1)
    of_row = np.take_along_axis(scores, path[:, None], axis=1)[:, 0].astype(np.float64)
    of_row[1:] += transitions[path[:-1], path[1:]]
    of_row[layout.starts] = scores[layout.starts, path[layout.starts]]
    share = layout.sums(of_row) - logs  # of the probability, as a logarithm
    unsure = np.flatnonzero(share < np.log(0.5) + 1e-3)
    steps = transitions.tolist() if len(unsure) else []
    for number in unsure.tolist():
        rows = slice(layout.starts[number], layout.starts[number] + layout.lengths[number])
        # No tag is on the best path that is less likely than a whole path that is known; half of that, because of rounding.
        possible = found[rows] >= 0.5 * np.exp(share[number])
        few = possible.sum() <= _FEW * len(possible)
        path[rows] = _search_possible(scores[rows], steps, possible) if few else _search_all(scores[rows], transitions)
    return path


def _search_all(scores: Floats, transitions: Floats) -> Ints:
    """Viterbi over all tags, in arrays: for a long sequence of which little is known, such as a window of a young network."""
    before = np.zeros(scores.shape, np.intp)
    best = scores[0]
    for row in range(1, len(scores)):
        ways = best[:, None] + transitions
        before[row] = ways.argmax(axis=0)
        best = ways.max(axis=0) + scores[row]
    path = np.empty(len(scores), np.intp)
    path[-1] = best.argmax()
    for row in range(len(scores) - 1, 0, -1):
        path[row - 1] = before[row, path[row]]
    return path


def _search_possible(scores: Floats, steps: list[list[float]], possible: NDArray[np.bool_]) -> list[int]:
    """Viterbi over the tags that are possible in each row; mostly there is one, seldom more than three."""
    ways: list[dict[int, int]] = []  # of each row: tag to the tag before it
    best: dict[int, float] = {}
    rows, tags = np.nonzero(possible)
    values = scores[rows, tags].tolist()
    at = 0
    for count in possible.sum(axis=1).tolist():
        mine = list(zip(tags[at : at + count].tolist(), values[at : at + count], strict=True))
        at += count
        if not ways:
            ways.append(dict.fromkeys((tag for tag, _ in mine), -1))
            best = dict(mine)
            continue
        came = {tag: max(best, key=lambda before: best[before] + steps[before][tag]) for tag, _ in mine}
        best = {tag: best[came[tag]] + steps[came[tag]][tag] + value for tag, value in mine}
        ways.append(came)
    path = [max(best, key=best.__getitem__)]
    for came in reversed(ways[1:]):
        path.append(came[path[-1]])
    return path[::-1]
