"""One training with its test: spans found exactly, and tokens found at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from innominate.core import Score
from innominate.detect.crf.features import Features
from innominate.detect.crf.folds import Fold
from innominate.detect.crf.tagger import CrfTagger
from innominate.detect.crf.training import Example, Progress, train
from innominate.detect.crf.weights import CrfWeights
from innominate.detect.dial.threshold import OUTSIDE, runs


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    """Strict counts of spans (place and label, in tokens) and binary counts of tokens."""

    spans: Score = field(default_factory=Score)
    tokens: Score = field(default_factory=Score)

    def __add__(self, other: TrialOutcome) -> TrialOutcome:
        return TrialOutcome(self.spans + other.spans, self.tokens + other.tokens)

    def as_dict(self) -> dict[str, float]:
        """For a row of a table."""
        spans, tokens = self.spans, self.tokens
        return {
            "span_precision": round(spans.precision, 5),
            "span_recall": round(spans.recall, 5),
            "span_f1": round(spans.f(), 5),
            "token_precision": round(tokens.precision, 5),
            "token_recall": round(tokens.recall, 5),
            "token_f1": round(tokens.f(), 5),
        }


def measure(weights: CrfWeights, features: Features, examples: Sequence[Example]) -> TrialOutcome:
    """Compare the best paths with the tags of the examples."""
    tagger = CrfTagger(features, weights)
    total = TrialOutcome()
    for example in examples:
        _, best = tagger.tag([example.note])
        total += _compare_tags(example.tags, [weights.tags[number] for number in best])
    return total


def _compare_tags(gold: Sequence[str], found: Sequence[str]) -> TrialOutcome:
    wanted, given = set(runs(gold)), set(runs(found))
    hits = len(wanted & given)
    binary = [(left != OUTSIDE, right != OUTSIDE) for left, right in zip(gold, found, strict=True)]
    tokens = Score(binary.count((True, True)), binary.count((False, True)), binary.count((True, False)))
    return TrialOutcome(Score(hits, len(given) - hits, len(wanted) - hits), tokens)


def try_fold(
    examples: Sequence[Example],
    fold: Fold,
    features: Features,
    parameters: Mapping[str, Any],
    *,
    progress: Progress | None = None,
) -> TrialOutcome:
    """Train on one part of a fold and test on the other."""
    train_on, test_on = fold
    weights = train([examples[index] for index in train_on], features, parameters, progress)
    return measure(weights, features, [examples[index] for index in test_on])
