"""Best path and marginals of a linear chain, in numpy, for many windows at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
_TINY = np.float32(1e-30)


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

    def best(self, emissions: Floats, lengths: NDArray[np.int64]) -> NDArray[np.int64]:
        """Viterbi: the best tags; after the end of a window they mean nothing."""
        windows, pieces, tags = emissions.shape
        back = np.empty((windows, pieces, tags), np.int16)
        score = self.start + emissions[:, 0]
        for step in range(1, pieces):
            on = lengths > step
            moved = score[on][:, :, None] + self.transitions
            came = moved.argmax(1)
            back[on, step] = came
            score[on] = np.take_along_axis(moved, came[:, None], 1)[:, 0] + emissions[on, step]
        path = np.zeros((windows, pieces), np.int64)
        path[np.arange(windows), lengths - 1] = (score + self.end).argmax(1)
        for step in range(pieces - 1, 0, -1):
            rows = np.flatnonzero(lengths > step)
            path[rows, step - 1] = back[rows, step, path[rows, step]]
        return path

    def marginals(self, emissions: Floats, lengths: NDArray[np.int64]) -> Floats:
        """Forward-backward with scaling: the probability of each tag at each piece; zero after the end of a window."""
        windows, pieces, _ = emissions.shape
        moves = np.exp(self.transitions)
        lit = np.exp(emissions - emissions.max(2, keepdims=True))
        ahead = np.zeros_like(lit)
        ahead[:, 0] = _scaled(np.exp(self.start) * lit[:, 0])
        for step in range(1, pieces):
            on = lengths > step
            ahead[on, step] = _scaled((ahead[on, step - 1] @ moves) * lit[on, step])
        found: Floats = np.zeros_like(lit)
        behind = np.tile(np.exp(self.end), (windows, 1))
        for step in range(pieces - 1, -1, -1):
            on = lengths > step
            inner = lengths > step + 1
            if step + 1 < pieces and inner.any():
                behind[inner] = _scaled((behind[inner] * lit[inner, step + 1]) @ moves.T)
            found[on, step] = _scaled(ahead[on, step] * behind[on])
        return found


def _scaled(values: Floats) -> Floats:
    scaled: Floats = values / np.maximum(values.sum(1, keepdims=True), _TINY)
    return scaled
