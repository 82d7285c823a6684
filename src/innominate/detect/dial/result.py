"""The result of tuning as plain numbers: what is saved, printed and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from innominate.core import Document, Score, UsageError
from innominate.detect.dial.dial import Dial, identifiers_needed
from innominate.detect.dial.threshold import Marginals, Point
from innominate.detect.dial.tuning import TokenEvidence, cross_fitted, span_scores

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
