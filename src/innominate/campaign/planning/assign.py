"""Who sees which chunk next: an order of one's own, neighbours of a document apart, what others began first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that still wants annotators. `position` is its place among the chunks of its document."""

    number: int
    document: int
    position: int
    taken: int  # how many people have done it, or are at it


def shuffle_numbers(numbers: Iterable[int], seed: int, key: str) -> list[int]:
    """An order that depends on the seed and the key alone, so that chunks added later do not disturb it.

    >>> shuffle_numbers(range(6), 7, "annotator eva"), shuffle_numbers(range(6), 7, "annotator ola")
    ([5, 2, 3, 1, 0, 4], [1, 3, 5, 2, 0, 4])
    """
    start = blake2b(f"{seed}\0{key}\0".encode(), digest_size=16)

    def place(number: int) -> bytes:
        digest = start.copy()
        digest.update(str(number).encode())
        return digest.digest()

    return sorted(numbers, key=place)


def nearness(candidate: Candidate, recent: Sequence[Candidate]) -> int:
    """0: a document that was not shown lately; 1: one that was, but elsewhere; 2: right beside what was shown.

    >>> here = Candidate(4, 1, 3, 0)
    >>> [nearness(here, [shown]) for shown in (Candidate(9, 2, 3, 1), Candidate(2, 1, 1, 1), Candidate(3, 1, 2, 1))]
    [0, 1, 2]
    """
    places = [shown.position for shown in recent if shown.document == candidate.document]
    if not places:
        return 0
    return 2 if any(abs(place - candidate.position) <= 1 for place in places) else 1


def choose_candidate(
    candidates: Iterable[Candidate], recent: Sequence[Candidate], *, finish_started: bool
) -> Candidate | None:
    """The chunk to show next, from candidates in the person's own order."""

    def rank(candidate: Candidate) -> tuple[int, int]:
        return nearness(candidate, recent), -candidate.taken if finish_started else 0

    return min(candidates, key=rank, default=None)
