"""The chain over the emissions of a network: windows of unlike length, side by side, through the one chain of the CRF."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from innominate.detect.crf.chain import Layout, best_paths, marginals

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Chain:
    """Scores of one tag after another, of beginnings and of ends. Without a CRF they are all zero."""

    transitions: Floats
    start: Floats
    end: Floats

    @classmethod
    def free(cls, tags: int) -> Chain:
        """A chain in which every tag may follow every other."""
        return cls(np.zeros((tags, tags), np.float32), np.zeros(tags, np.float32), np.zeros(tags, np.float32))

    def read(self, emissions: Floats, lengths: NDArray[np.int64]) -> tuple[Floats, NDArray[np.int64]]:
        """The probability of each tag at each piece, and the best tags; both are zero after the end of a window.

        >>> sure, lengths = np.log(np.array([[[1, 3], [3, 1]]], np.float32)), np.array([2])
        >>> probable, best = Chain.free(2).read(sure, lengths)
        >>> probable.round(2).tolist(), best.tolist()
        ([[[0.25, 0.75], [0.75, 0.25]]], [[1, 0]])
        """
        there = np.arange(emissions.shape[1]) < lengths[:, None]
        # windows one after the other as rows, with beginnings and ends in the scores of their first and last row
        scores = emissions[there].astype(np.float32, copy=False)
        ends = np.cumsum(lengths)
        scores[ends - lengths] += self.start
        scores[ends - 1] += self.end
        layout = Layout.of(ends)
        known = marginals(scores, self.transitions, layout)
        probable, path = np.zeros_like(emissions), np.zeros(there.shape, np.int64)
        probable[there] = known[0]
        free = not self.transitions.any()  # then the best path is the best tag of each piece
        path[there] = scores.argmax(axis=1) if free else best_paths(scores, self.transitions, layout, known)
        return probable, path
