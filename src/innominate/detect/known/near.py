"""Words that differ from a known one by a typo or two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

ONE_EDIT, TWO_EDITS = 5, 9  # letters from which on so many edits are allowed


def edits_allowed(word: str) -> int:
    """How many letters may be wrong, missing, added or swapped.

    >>> [edits_allowed(word) for word in ("Anna", "Marie", "christiansen")]
    [0, 1, 2]
    """
    return (len(word) >= ONE_EDIT) + (len(word) >= TWO_EDITS)


def near(known: Iterable[str], words: Sequence[str]) -> dict[str, str]:
    """Return the words that are nearly a known one, with the one they are nearest to.

    >>> near(["christiansen", "marie"], ["chritsiansne", "maria", "mari", "christian"])
    {'chritsiansne': 'christiansen', 'maria': 'marie', 'mari': 'marie'}
    """
    best: dict[str, tuple[float, str]] = {}
    for name in known:
        allowed = edits_allowed(name)
        if not allowed:
            continue
        for word, distance, _ in process.extract(name, words, scorer=OSA.distance, score_cutoff=allowed, limit=None):
            if distance and (word not in best or distance < best[word][0]):
                best[word] = (distance, name)
    return {word: name for word, (_, name) in best.items()}
