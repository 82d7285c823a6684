"""Words for the student: a few slots of parts each, the first and the last ones of long words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SLOTS = 6
LENGTHS = 16  # word lengths that are told apart, in parts; 0 is no word

Ints = NDArray[np.int64]


def fill_slots(words: Sequence[tuple[int, ...]]) -> tuple[Ints, Ints]:
    """Slots and lengths of some words.

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
