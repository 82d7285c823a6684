"""How long tasks took, from the times at which answers were given (Loftsson 2022, section 3.2.2, step 4).

The clock of a person runs from one answer to the next, whatever the answer was: an ignored task took time too, which must
not be charged to the one after it. The first answer has no beginning, and a gap of more than five minutes was a break.
"""

from __future__ import annotations

from collections.abc import Iterable

from innominate.campaign.records import Answer

BREAK = 300.0  # seconds


def durations(answers: Iterable[Answer], longest: float = BREAK) -> dict[str, float | None]:
    """Seconds for each answer, by its id; None where they cannot be known.

    >>> times = [Answer("1", "n1", "eva", at=100), Answer("2", "n2", "eva", at=107), Answer("3", "n3", "eva", at=999)]
    >>> durations(times)
    {'1': None, '2': 7, '3': None}
    """
    last: dict[str, float] = {}
    found: dict[str, float | None] = {}
    for answer in sorted(answers, key=lambda one: (one.at, one.revision, one.id)):
        before = last.get(answer.annotator)
        gap = answer.at - before if before is not None else None
        found[answer.id] = gap if gap is not None and gap <= longest else None
        last[answer.annotator] = answer.at
    return found
