"""Long notes are read through windows that overlap; each piece is answered by the window where it has most context."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class PieceWindow:
    """Pieces `begin` to `end` are read, and those from `keep_from` to `keep_to` are answered."""

    begin: int
    end: int
    keep_from: int
    keep_to: int


def windows(count: int, size: int = 192, overlap: int = 64) -> list[PieceWindow]:
    """Cover `count` pieces with windows; every piece is kept by exactly one of them.

    >>> [(window.keep_from, window.keep_to) for window in windows(10, size=6, overlap=2)]
    [(0, 5), (5, 10)]
    """
    if not 0 <= overlap < size:
        raise ValueError(f"windows of {size} pieces cannot overlap by {overlap}")
    step = size - overlap
    begins = [0] if count <= size else [*range(0, count - size, step), count - size]
    found = []
    kept = 0
    for place, begin in enumerate(begins):
        end = min(begin + size, count)
        last = place == len(begins) - 1
        keep_to = count if last else (begins[place + 1] + end + 1) // 2
        found.append(PieceWindow(begin, end, kept, keep_to))
        kept = keep_to
    return found


def group_windows(counts: Sequence[int], size: int, overlap: int, together: int) -> Iterator[list[tuple[int, PieceWindow]]]:
    """The windows of notes with so many pieces, each with the number of its note; those of like length together."""
    views = [(note, view) for note, count in enumerate(counts) if count for view in windows(count, size, overlap)]
    views.sort(key=lambda item: item[1].end - item[1].begin)
    for begin in range(0, len(views), together):
        yield views[begin : begin + together]


def stack_rows(rows: Sequence[NDArray[Any]], size: int = 0, dtype: Any = None) -> NDArray[Any]:
    """Put arrays under each other, with zeros after their ends: all as long as the longest, or of one `size`.

    >>> stack_rows([np.array([1, 2]), np.array([3])]).tolist()
    [[1, 2], [3, 0]]
    """
    found = np.zeros((len(rows), size or max(map(len, rows)), *rows[0].shape[1:]), dtype or rows[0].dtype)
    for row, values in enumerate(rows):
        found[row, : len(values)] = values
    return found
