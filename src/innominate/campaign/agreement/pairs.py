"""Agreement of two annotators over all samples that both did, pooled into one continuum, and span by span.

A gamma of one short sample is noise, gammas of different numbers of annotators cannot be compared, and a sample that somebody
never saw must not count as empty. So quality is judged by pairs: only shared samples, one behind the other with a gap. Beside
gamma, which hardly notices a wrong limit, is shown what does: the strict F1 of two annotators (Hripcsak and Rothschild 2005).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from innominate.campaign.agreement.alignment import Continuum, MarkedUnit
from innominate.campaign.agreement.gamma import Gamma, Parameters
from innominate.campaign.agreement.many import Progress, compute_gammas
from innominate.campaign.store import Store
from innominate.core import Score, Span
from innominate.evaluate.counts import compared, covered

GAP = 100  # characters between two samples; the value hardly depends on it
LEAST_UNITS = 30  # shared work below this says too little; no number is shown then
Marked = Mapping[str, Sequence[Span]]  # what each annotator of a sample marked


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


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """What two annotators have in common."""

    pair: tuple[str, str]
    samples: int  # both did
    units: int  # of both together, in these samples
    gamma: Gamma | None  # None: not enough shared work
    overlap: Overlap

    def as_dict(self) -> dict[str, Any]:
        """For the result file."""
        value = self.gamma.as_dict() if self.gamma else None
        return {
            "pair": list(self.pair),
            "samples": self.samples,
            "units": self.units,
            "gamma": value,
            **self.overlap.as_dict(),
        }


def pairwise_agreement(
    samples: Mapping[str, Marked],
    lengths: Mapping[str, int],
    parameters: Parameters,
    groups: Mapping[str, str] | None = None,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    memory: Store | None = None,
) -> list[PairAgreement]:
    """Every pair of annotators that did a sample in common.

    >>> nobody = pairwise_agreement({"n1": {"eva": [Span(0, 3, "NAME")], "ola": []}}, {"n1": 9}, Parameters())
    >>> nobody[0].pair, nobody[0].gamma, nobody[0].overlap.strict.f()
    (('eva', 'ola'), None, 0.0)
    """
    shared: dict[tuple[str, str], list[str]] = {}
    for id in sorted(samples):
        for pair in combinations(sorted(samples[id]), 2):
            shared.setdefault(pair, []).append(id)
    shared = dict(sorted(shared.items()))
    pooled = {pair: _pool_samples(pair, ids, samples, lengths) for pair, ids in shared.items()}
    enough = {pair: continuum for pair, continuum in pooled.items() if continuum.size >= LEAST_UNITS}
    values = compute_gammas(
        enough, parameters, groups, workers=workers, progress=progress, at_once=1, aligned=False, memory=memory
    )
    return [
        PairAgreement(
            pair,
            len(ids),
            pooled[pair].size,
            values.get(pair),
            overlap((samples[id][pair[0]], samples[id][pair[1]]) for id in ids),
        )
        for pair, ids in shared.items()
    ]


def mean_gammas(pairs: Iterable[PairAgreement]) -> dict[str, float]:
    """For each annotator the mean gamma with all others with whom there is enough shared work."""
    values: dict[str, list[float]] = {}
    for agreement in pairs:
        for who in agreement.pair if agreement.gamma else ():
            values.setdefault(who, []).append(agreement.gamma.value if agreement.gamma else 0.0)
    return {who: sum(some) / len(some) for who, some in sorted(values.items())}


def _pool_samples(
    pair: tuple[str, str], ids: Iterable[str], samples: Mapping[str, Marked], lengths: Mapping[str, int]
) -> Continuum:
    """The shared samples one behind the other, in the order of their ids."""
    units: dict[str, list[MarkedUnit]] = {who: [] for who in pair}
    position = 0
    for id in ids:
        for who in pair:
            units[who] += [MarkedUnit(position + span.start, position + span.end, span.label) for span in samples[id][who]]
        position += lengths[id] + GAP
    return Continuum(units)
