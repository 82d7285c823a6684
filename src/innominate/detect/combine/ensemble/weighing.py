"""What the word of each member on each label is worth, and how to weigh it, decided on annotated notes.

Three ways to weigh (precision, recall, F1 on the label) and a few thresholds are tried. Weights of one half of the notes are
tried on the other half, so that no note takes part in its own score; the weights that are kept come from all notes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from innominate.core import Document, Score, Span
from innominate.detect.combine.ensemble.votes import EnsembleBallot, count_votes

WEIGHINGS = ("precision", "recall", "f1")
THRESHOLDS = (0.3, 0.4, 0.5, 0.6)
Found = Sequence[Sequence[Span]]  # by note


@dataclass(frozen=True, slots=True)
class Weighing:
    """A way to weigh, its weights from all notes, and its score on notes that took no part in their own weights."""

    by: str
    threshold: float
    weights: Mapping[str, Sequence[float]]
    held_out: Score


def by_label(notes: Sequence[Document], found: Found) -> dict[str, Score]:
    """Strict counts of each label.

    >>> from innominate.core import annotated
    >>> note = annotated("[Eva](NAME) [Lind](NAME)")
    >>> by_label([note], [[Span(0, 3, "NAME"), Span(4, 8, "CITY")]])
    {'CITY': Score(tp=0, fp=1, fn=0), 'NAME': Score(tp=1, fp=0, fn=1)}
    """
    counts: dict[str, Score] = {}
    for note, spans in zip(notes, found, strict=True):
        gold, given = set(note.spans), set(spans)
        for right, group in ((True, gold & given), (False, given - gold)):
            for span in group:
                counts[span.label] = counts.get(span.label, Score()) + (Score(1, 0, 0) if right else Score(0, 1, 0))
        for span in gold - given:
            counts[span.label] = counts.get(span.label, Score()) + Score(0, 0, 1)
    return dict(sorted(counts.items()))


def strict(notes: Sequence[Document], found: Found) -> Score:
    """Strict counts of all labels together."""
    return sum(by_label(notes, found).values(), Score())


def weights_of(notes: Sequence[Document], opinions: Sequence[Found], by: str) -> dict[str, list[float]]:
    """The weight of each member on each label that the notes or the members have."""
    counted = [by_label(notes, found) for found in opinions]
    labels = sorted({label for scores in counted for label in scores})
    return {label: [_worth(scores.get(label, Score()), by) for scores in counted] for label in labels}


def _worth(score: Score, by: str) -> float:
    """A rate with half a hit and half a miss added: a label seen twice says less than one seen a thousand times."""
    hits = score.tp + 0.5
    rates = {"precision": hits / (score.tp + score.fp + 1), "recall": hits / (score.tp + score.fn + 1)}
    rates["f1"] = 2 * rates["precision"] * rates["recall"] / (rates["precision"] + rates["recall"])
    return round(rates[by], 4)


def choose(notes: Sequence[Document], opinions: Sequence[Found], knows: Sequence[frozenset[str]]) -> Weighing:
    """The way to weigh with the best F1 on held-out halves; of equals the first, and the threshold nearest to a half."""
    tried = {
        (by, threshold): _held_out(notes, opinions, knows, (by, threshold)) for by in WEIGHINGS for threshold in THRESHOLDS
    }
    by, threshold = max(tried, key=lambda way: (tried[way].f(), -abs(way[1] - 0.5)))
    return Weighing(by, threshold, weights_of(notes, opinions, by), tried[by, threshold])


def _held_out(
    notes: Sequence[Document], opinions: Sequence[Found], knows: Sequence[frozenset[str]], way: tuple[str, float]
) -> Score:
    by, threshold = way
    total = Score()
    for part in (0, 1):
        learn, test = ([index for index in range(len(notes)) if (index % 2 == part) is own] for own in (False, True))
        weights = weights_of([notes[i] for i in learn], [[found[i] for i in learn] for found in opinions], by)
        ballot = EnsembleBallot(knows, weights, threshold)
        answers = [count_votes(notes[i].text, [found[i] for found in opinions], ballot) for i in test]
        total += strict([notes[i] for i in test], answers)
    return total
