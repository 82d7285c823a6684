"""How far two opinions about the same texts agree, span by span and character by character.

Shown beside gamma, which hardly notices a wrong limit; the strict F1 of two annotators does (Hripcsak and Rothschild 2005).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from innominate.core import Score, Span
from innominate.evaluate.counts import compared, covered


@dataclass(frozen=True, slots=True)
class Overlap:
    """Counts of a second opinion against a first. F1 is the same in both directions; recall is not."""

    strict: Score  # same limits, same label
    places: Score  # same limits
    characters: Score  # under any label

    def as_dict(self) -> dict[str, Any]:
        """For the result file. A rate of nothing is None, so that two who both marked nothing do not seem to disagree."""
        return {
            "strict_f1": rate(self.strict),
            "place_f1": rate(self.places),
            "character_f1": rate(self.characters),
            "character_recall": self.characters.recall if self.characters.tp + self.characters.fn else None,
            "strict": [self.strict.tp, self.strict.fp, self.strict.fn],
        }


def rate(score: Score) -> float | None:
    """F1, or None where there was nothing to agree about."""
    return score.f() if score.tp + score.fp + score.fn else None


def overlap(pairs: Iterable[tuple[Sequence[Span], Sequence[Span]]]) -> Overlap:
    """Compare spans of the same texts.

    >>> both = overlap([([Span(0, 7, "NAME")], [Span(0, 3, "NAME")]), ([Span(2, 4, "AGE")], [Span(2, 4, "AGE")])])
    >>> both.strict.f(), both.characters
    (0.5, Score(tp=5, fp=0, fn=4))
    """
    total = [Score(), Score(), Score()]
    for first, second in pairs:
        a, b = covered(first), covered(second)
        characters = Score((a & b).bit_count(), (b & ~a).bit_count(), (a & ~b).bit_count())
        places = compared({(s.start, s.end) for s in first}, {(s.start, s.end) for s in second})
        for index, score in enumerate((compared(set(first), set(second)), places, characters)):
            total[index] += score
    return Overlap(*total)
