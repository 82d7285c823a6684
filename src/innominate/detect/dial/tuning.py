"""Finding operating points: the seed's grid on marginals, a threshold per label, the recall curve, and calibrated scores.

Rules: Berg et al. 2020, appendix A.2 (grid), tables 1 and 4; binary and by token, as in its section 3.3, and only tokens
with a letter or a digit count. Calibration is isotonic regression by pooling adjacent violators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from innominate.core import Document, Score, UsageError
from innominate.detect.crf.training import as_seen
from innominate.detect.dial.dial import Curve, Dial, identifiers_needed
from innominate.detect.dial.threshold import Marginals, MarginalsDetector, Point, decide, spans_of
from innominate.detect.models.named import load_saved_detector

MAIN = (0.99999, 0.9999, 0.999, 0.99, 0.95, 0.90, 0.85, 0.80, 0.75, 0.7, 0.6)
ALT = (0.00001, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4)
BETAS = (1.0, 4.0, 10.0, 20.0, 40.0)
_CURVE = np.unique(np.concatenate((np.geomspace(1e-6, 0.1, 121), np.linspace(0.1, 0.95, 18))))[::-1]

Bound = Callable[[int, int], float]  # successes and trials to the lower confidence bound of the rate


@dataclass(frozen=True, slots=True)
class TokenEvidence:
    """All tokens with a letter or a digit of some notes, beside what is known about them."""

    outside: NDArray[np.float32]  # probability of non-PHI
    alt: NDArray[np.float32]  # probability of the likeliest PHI tag
    label: NDArray[np.intp]  # of that tag, as a number in `labels`
    chosen: NDArray[np.bool_]  # the model's own choice is PHI
    gold: NDArray[np.bool_]
    gold_label: NDArray[np.intp]  # -1 outside
    weakest: NDArray[np.float32]  # of each identifier, the PHI probability of its least sure token
    note: NDArray[np.intp]  # which note a token is in
    identifier_note: NDArray[np.intp]
    labels: tuple[str, ...]

    @classmethod
    def of(cls, pairs: Iterable[tuple[Document, Marginals]]) -> TokenEvidence:
        """Put the notes of a corpus, each with what the model believes of it, one after the other."""
        pairs = list(pairs)
        if not pairs or not any(document.spans for document, _ in pairs):
            raise UsageError("tuning needs notes with annotated identifiers, and there are none")
        labels = tuple(
            sorted({tag[2:] for tag in pairs[0][1].tags if tag != "O"} | {s.label for d, _ in pairs for s in d.spans})
        )
        rows = [_of_note(number, document, found, labels) for number, (document, found) in enumerate(pairs)]
        columns = [np.concatenate(column) for column in zip(*rows, strict=True)]
        return cls._made(columns, labels)

    @classmethod
    def _made(cls, columns: Iterable[Any], labels: tuple[str, ...]) -> TokenEvidence:
        names = [name for name in cls.__slots__ if name != "labels"]
        return cls(**dict(zip(names, columns, strict=True)), labels=labels)

    def part(self, notes: NDArray[np.bool_]) -> TokenEvidence:
        """The evidence of some of the notes."""
        tokens, found = notes[self.note], notes[self.identifier_note]
        by_token = (self.outside, self.alt, self.label, self.chosen, self.gold, self.gold_label)
        kept = [column[tokens] for column in by_token]
        return self._made([*kept, self.weakest[found], self.note[tokens], self.identifier_note[found]], self.labels)

    def at(self, point: Point) -> Score:
        """Binary counts of tokens at an operating point."""
        return self._counts(self.chosen | (self.outside < point.main) & (self.alt >= point.alt))

    def _counts(self, found: NDArray[np.bool_]) -> Score:
        hits = int((found & self.gold).sum())
        return Score(hits, int(found.sum()) - hits, int(self.gold.sum()) - hits)


def _of_note(number: int, document: Document, found: Marginals, labels: tuple[str, ...]) -> tuple[NDArray[np.generic], ...]:
    text, starts, ends = found.text, np.array(found.starts, np.intp), np.array(found.ends, np.intp)
    words = np.array([any(map(str.isalnum, text[a:b])) for a, b in zip(starts.tolist(), ends.tolist(), strict=True)], bool)
    likeliest, alt = found.alternatives()
    of_tag = np.array([labels.index(tag[2:]) if tag != "O" else -1 for tag in found.tags], np.intp)
    gold = np.full(len(starts), -1, np.intp)
    phi = np.where(found.chosen, 1.0, 1 - found.outside).astype(np.float32)
    weakest = []
    for span in document.spans:
        inside = (starts < span.end) & (ends > span.start)
        gold[inside] = labels.index(span.label)
        if (inside & words).any():
            weakest.append(float(phi[inside & words].min()))
    columns = (found.outside, alt, of_tag[likeliest], found.chosen, gold >= 0, gold)
    size = int(words.sum())
    return (
        *(column[words] for column in columns),
        np.array(weakest, np.float32),
        np.full(size, number, np.intp),
        np.full(len(weakest), number, np.intp),
    )


def best_points(evidence: TokenEvidence, betas: Sequence[float] = BETAS) -> dict[str, Point]:
    """For each beta the pair of the grid with the best F. Each point finds all that the one before it found.

    The grid is searched only where the thresholds are no stricter than the last ones; on no text can recall then fall.
    """
    grid = {Point(main, alt): evidence.at(Point(main, alt)) for main in MAIN for alt in ALT}
    found: dict[str, Point] = {}
    last = Point(0.0, 1.0)
    for beta in sorted(betas):
        allowed = [point for point in grid if point.main >= last.main and point.alt <= last.alt]
        # of equals the strictest: it changes least
        last = max(allowed, key=lambda point: (grid[point].f(beta), -point.main, point.alt))
        found[f"F{beta:g}"] = last
    return found


def label_points(evidence: TokenEvidence, betas: Sequence[float] = BETAS) -> dict[str, dict[str, Point]]:
    """For each beta and label the threshold on summed PHI that is best for the tokens that would get that label."""
    found: dict[str, dict[str, Point]] = {f"F{beta:g}": {} for beta in sorted(betas)}
    for number, label in enumerate(evidence.labels):
        mine = (evidence.label == number) | (evidence.gold_label == number)
        if not (evidence.gold & mine).any():
            continue
        outside, chosen, gold = evidence.outside[mine], evidence.chosen[mine], evidence.gold[mine]
        scores = []
        for main in MAIN:
            hit = chosen | (outside < main)
            hits = int((hit & gold).sum())
            scores.append((Point(main, 0.0), Score(hits, int(hit.sum()) - hits, int(gold.sum()) - hits)))
        last = 0.0
        for beta in sorted(betas):
            allowed = [pair for pair in scores if pair[0].main >= last]
            point = max(allowed, key=lambda pair: (pair[1].f(beta), -pair[0].main))[0]
            found[f"F{beta:g}"][label], last = point, point.main
    return found


def recall_curve(evidence: TokenEvidence, bound: Bound, confidence: float = 0.95) -> Curve:
    """Recall of whole identifiers with its lower bound, and precision of tokens, at falling thresholds."""
    n = len(evidence.weakest)
    masked = [int((evidence.weakest > threshold).sum()) for threshold in _CURVE]
    scores = [evidence.at(Point(1 - float(threshold), 0.0)) for threshold in _CURVE]
    return Curve(
        [round(float(threshold), 9) for threshold in _CURVE],
        [round(k / n, 6) for k in masked],
        [round(bound(k, n), 6) for k in masked],
        [round(score.precision, 6) for score in scores],
        n,
        confidence,
    )


def isotonic(raw: Sequence[float], right: Sequence[bool], least: int = 20) -> tuple[list[float], list[float]]:
    """Rising steps through (score, right or wrong), each of at least so many spans, as knots of a line.

    >>> isotonic([0.1, 0.2, 0.8, 0.9], [False, True, True, True], least=2)
    ([0.15, 0.85], [0.5, 1.0])
    """
    blocks: list[list[float]] = []  # sum of scores, number right, number
    for score, good in sorted(zip(raw, right, strict=True)):
        blocks.append([score, float(good), 1.0])
        while len(blocks) > 1 and (blocks[-2][2] < least or blocks[-2][1] / blocks[-2][2] >= blocks[-1][1] / blocks[-1][2]):
            last = blocks.pop()
            blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    if len(blocks) > 1 and blocks[-1][2] < least:
        last = blocks.pop()
        blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    return [round(s / n, 6) for s, _, n in blocks], [round(k / n, 6) for _, k, n in blocks]


def span_scores(pairs: Iterable[tuple[Document, Marginals]], point: Point) -> tuple[list[float], list[bool]]:
    """Raw scores of the spans at a point, and whether place and label are those of the gold."""
    raw, right = [], []
    for document, found in pairs:
        points = {tag[2:]: point for tag in found.tags}
        gold = set(document.spans)
        for span in spans_of(found, decide(found, points), ""):
            raw.append(span.score)
            right.append(span in gold)
    return raw, right


def tune(
    pairs: Sequence[tuple[Document, Marginals]],
    betas: Sequence[float],
    bound: Bound,
    confidence: float = 0.95,
    **tuned_on: str,
) -> Dial:
    """All of it for a model: its dial."""
    evidence = TokenEvidence.of(pairs)
    points = best_points(evidence, betas)
    widest = list(points.values())[-1]
    raw, right = isotonic(*span_scores(pairs, widest))
    facts: dict[str, str | int] = {
        **tuned_on,
        "notes": len(pairs),
        "identifiers": len(evidence.weakest),
        "tokens": len(evidence.gold),
    }
    return Dial(points, label_points(evidence, betas), recall_curve(evidence, bound, confidence), raw, right, facts)


def cross_fitted(evidence: TokenEvidence, betas: Sequence[float] = BETAS, folds: int = 2) -> dict[str, Score]:
    """Binary counts of tokens at each beta, of notes that took no part in choosing its point."""
    notes = np.arange(int(evidence.note.max()) + 1)
    totals = {f"F{beta:g}": Score() for beta in sorted(betas)}
    for fold in range(folds):
        held_out = notes % folds == fold
        chosen = best_points(evidence.part(~held_out), betas)
        for name, point in chosen.items():
            totals[name] += evidence.part(held_out).at(point)
    return totals


_AT_ONCE = 20  # notes that are asked about together


def beliefs_of(model: Path, notes: Sequence[Document]) -> Iterator[tuple[Document, Marginals]]:
    """Each note as detectors see it, with what the model in a folder believes of it."""
    detector = load_saved_detector(model)
    if not isinstance(detector, MarginalsDetector):
        raise UsageError(f"{model}: a model of kind {detector.name!r} gives no probabilities; tune the models it is made of")
    for first in range(0, len(notes), _AT_ONCE):
        some = [as_seen(note) for note in notes[first : first + _AT_ONCE]]
        yield from zip(some, detector.marginals(some), strict=True)


TARGETS = (0.97, 0.98, 0.99, 0.995, 0.999)
_BINS = 10


def result_of(
    dial: Dial, pairs: Sequence[tuple[Document, Marginals]], betas: Sequence[float], targets: Sequence[float] = TARGETS
) -> dict[str, Any]:
    """Scores at every point on the notes it was tuned on and on notes held out, the curve, targets and calibration."""
    evidence = TokenEvidence.of(pairs)
    held_out = cross_fitted(evidence, betas) if len(pairs) > 1 else {}
    points = [
        {
            "name": name,
            **point._asdict(),
            **_rates(evidence.at(point)),
            "held_out": _rates(held_out.get(name, Score())),
        }
        for name, point in dial.points.items()
    ]
    thresholds = dial.curve.thresholds
    by_token = [evidence.at(Point(1 - threshold, 0.0)) for threshold in thresholds]
    return {
        "tuned_on": dict(dial.tuned_on),
        "points": points,
        "labels": {name: {label: p._asdict() for label, p in table.items()} for name, table in dial.labels.items()},
        "curve": {"confidence": dial.curve.confidence, "identifiers": dial.curve.identifiers},
        "tokens_curve": [[round(score.recall, 6), round(score.precision, 6)] for score in by_token],
        "targets": [_target(dial, recall) for recall in targets],
        "reliability": _reliability(*span_scores(pairs, list(dial.points.values())[-1])),
        "calibration": {"raw": list(dial.raw), "right": list(dial.right)},
    }


def _rates(score: Score) -> dict[str, Any]:
    rates = {"precision": round(score.precision, 6), "recall": round(score.recall, 6), "f1": round(score.f(), 6)}
    return {"tp": score.tp, "fp": score.fp, "fn": score.fn, **rates}


def _target(dial: Dial, recall: float) -> dict[str, Any]:
    try:
        point = dial.curve.point(recall)
    except UsageError:
        return {"recall": recall, "threshold": None, "needed": identifiers_needed(recall, dial.curve.confidence)}
    at = min(range(len(dial.curve.thresholds)), key=lambda index: abs(dial.curve.thresholds[index] - (1 - point.main)))
    curve = dial.curve
    return {
        "recall": recall,
        "threshold": curve.thresholds[at],
        "found": curve.recall[at],
        "shown": curve.shown[at],
        "precision": curve.precision[at],
    }


def _reliability(raw: Sequence[float], right: Sequence[bool]) -> list[dict[str, Any]]:
    """Spans in bins of equal width of their score: how many, their mean score, and the share that is right."""
    scores, good = np.array(raw, float), np.array(right, bool)
    bins = np.minimum((scores * _BINS).astype(int), _BINS - 1)
    return [
        {
            "n": int(mine.sum()),
            "score": round(float(scores[mine].mean()), 6),
            "right": round(float(good[mine].mean()), 6),
        }
        for mine in (bins == number for number in range(_BINS))
        if mine.any()
    ]
