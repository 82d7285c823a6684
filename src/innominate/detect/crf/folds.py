"""Folds that keep together what belongs together: the notes of a patient, or of a clinical unit."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from innominate.core import Document, UsageError

Fold = tuple[list[int], list[int]]  # numbers of the documents to train on, and to test on


def group_into_folds(documents: Sequence[Document], key: str, count: int, seed: int = 0) -> list[Fold]:
    """Spread groups over folds, the largest first and each into the smallest fold. Key `id`: each note by itself.

    >>> notes = [Document(str(n), "", meta={"patient": n // 2}) for n in range(6)]
    >>> [test for _, test in group_into_folds(notes, "patient", 3)]
    [[0, 1], [4, 5], [2, 3]]
    """
    groups = list(_groups(documents, key).values())
    if not 2 <= count <= len(groups):
        raise UsageError(f"{count} folds cannot be made of {len(groups)} groups by {key!r}; there must be 2 to {len(groups)}")
    Random(seed).shuffle(groups)
    groups.sort(key=len, reverse=True)  # stable: equal ones stay shuffled
    tests: list[list[int]] = [[] for _ in range(count)]
    for group in groups:
        min(tests, key=len).extend(group)
    return [_fold(len(documents), test) for test in tests]


def leave_one_out(documents: Sequence[Document], key: str) -> dict[str, Fold]:
    """Each group once as the test, by its name."""
    groups = _groups(documents, key)
    if len(groups) < 2:
        raise UsageError(f"all notes have the same {key!r}, so none can be left out")
    return {name: _fold(len(documents), test) for name, test in sorted(groups.items())}


def _groups(documents: Sequence[Document], key: str) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {}
    for index, document in enumerate(documents):
        value = document.id if key == "id" else document.meta.get(key)
        if value is None:
            raise UsageError(f"document {document.id!r} has no {key!r} in its metadata, by which folds should be made")
        groups.setdefault(str(value), []).append(index)
    return groups


def _fold(size: int, test: list[int]) -> Fold:
    held_out = set(test)
    return [index for index in range(size) if index not in held_out], sorted(test)
