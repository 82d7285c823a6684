"""What rules, shields and the model say of each word, and how much each of them counts."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from innominate.core import Span, UsageError
from innominate.detect.contextual.reading import choose_tags
from innominate.detect.dial.threshold import Marginals
from innominate.detect.models.cards import as_toml

FILE = "evidence.toml"
_SUREST = 8.0  # beyond it, odds of the model say nothing more
_SHORTEST = 3  # letters of a word that is looked for elsewhere in the note

Floats = NDArray[np.float32]
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class EvidenceWeights:
    """How much each piece of evidence counts, in log odds that a word identifies somebody."""

    bias: float = 0.0
    model: float = 1.0
    model_beside_rule: float = 0.0  # added to `model` where a rule speaks too
    shield: float = -2.0  # the rules know the word as part of an eponym, a drug, a scale
    elsewhere: float = 0.5  # for each log odds by which the same word is surer elsewhere in the note
    rules: Mapping[str, float] = field(default_factory=dict)  # by the label that a rule gives

    def rule(self, label: str) -> float:
        """What a rule of a label counts; one that was never measured counts as the median."""
        return self.rules.get(label, float(np.median(list(self.rules.values()))) if self.rules else 2.0)


@dataclass(frozen=True, slots=True)
class WordEvidence:
    """What is known of the words of a note: one row a word."""

    model: Floats  # log odds
    rule: NDArray[np.int64]  # number of the label that a rule gives, 0 for none
    begins: NDArray[np.bool_]  # whether a rule's span begins here
    shield: NDArray[np.bool_]
    elsewhere: Floats


def gather_evidence(
    believed: Marginals, spans: Sequence[Span], shields: Sequence[Place], labels: Sequence[str]
) -> WordEvidence:
    """Put what was found beside the words; the labels of `spans` are ours."""
    starts, ends = np.asarray(believed.starts), np.asarray(believed.ends)
    rule = np.zeros(len(starts), np.int64)
    begins = np.zeros(len(starts), bool)
    for span in spans:
        first, last = np.searchsorted(ends, span.start, "right"), np.searchsorted(starts, span.end, "left")
        rule[first:last] = labels.index(span.label) + 1
        begins[first : first + 1] = True
    shield = np.zeros(len(starts), bool)
    for begin, end in shields:
        shield[np.searchsorted(ends, begin, "right") : np.searchsorted(starts, end, "left")] = True
    outside = np.clip(believed.outside, 1e-6, 1 - 1e-6) if len(starts) else believed.outside
    odds = np.clip(np.log1p(-outside) - np.log(outside), -_SUREST, _SUREST).astype(np.float32)
    return WordEvidence(odds, rule, begins, shield, surer_elsewhere(believed, odds))


def surer_elsewhere(believed: Marginals, odds: Floats) -> Floats:
    """By how much the same word is surer elsewhere in the note: a name is decided once."""
    highest: dict[str, list[float]] = {}
    words = [believed.text[start:end].casefold() for start, end in zip(believed.starts, believed.ends, strict=True)]
    for word, value in zip(words, odds.tolist(), strict=True):
        if len(word) >= _SHORTEST and word.isalpha():
            highest.setdefault(word, []).append(value)
    often = {word: max(values) for word, values in highest.items() if len(values) > 1}
    return np.array(
        [max(0.0, often.get(word, value) - value) for word, value in zip(words, odds.tolist(), strict=True)], np.float32
    )


def weigh_evidence(believed: Marginals, evidence: WordEvidence, weights: EvidenceWeights, labels: Sequence[str]) -> Marginals:
    """The model's beliefs after the other evidence: likelier or less likely to identify, and as what."""
    if not len(evidence.model):
        return believed
    table = np.array([0.0, *(weights.rule(label) for label in labels)], np.float32)
    ruled = evidence.rule > 0
    odds = (
        weights.bias
        + (weights.model + weights.model_beside_rule * ruled) * evidence.model
        + table[evidence.rule]
        + weights.shield * evidence.shield
        + weights.elsewhere * evidence.elsewhere
    )
    identifies = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    probabilities = believed.probabilities.copy()
    probabilities[:, 0] = 0
    mass = probabilities.sum(axis=1, keepdims=True)
    probabilities /= np.maximum(mass, 1e-9)
    trust = (ruled & (mass[:, 0] < 0.5))[:, None]  # a model that is sure names it, else the rule
    rows = np.flatnonzero(ruled)
    said = np.zeros_like(probabilities)
    said[rows, 2 * evidence.rule[rows] - evidence.begins[rows]] = 1
    probabilities = np.where(trust, said, probabilities).astype(np.float32) * identifies[:, None].astype(np.float32)
    name_ruled_spans(probabilities, evidence)
    probabilities[:, 0] = 1 - identifies
    return Marginals(
        believed.text,
        believed.starts,
        believed.ends,
        believed.tags,
        probabilities.astype(np.float32),
        choose_tags(probabilities),
    )


def name_ruled_spans(probabilities: Floats, evidence: WordEvidence) -> None:
    """Give all words of a rule's span one label, in place: the one that words and rule make likeliest together.

    A number in groups such as `021 314 00 00` is otherwise torn where the model hesitates between kinds of numbers.
    """
    for begin in np.flatnonzero(evidence.begins):
        end = begin + 1
        while end < len(evidence.rule) and evidence.rule[end] == evidence.rule[begin] and not evidence.begins[end]:
            end += 1
        if end - begin < 2:
            continue
        words = probabilities[begin:end]
        mass = words[:, 1:].sum(axis=1)
        likely = words[:, 1::2].sum(axis=0) + words[:, 2::2].sum(axis=0)
        likely[evidence.rule[begin] - 1] += mass.sum() / 2
        label = int(likely.argmax())
        words[:, 1:] = 0
        words[0, 1 + 2 * label] = mass[0]
        words[1:, 2 + 2 * label] = mass[1:]


@cache
def read_weights(folder: Path) -> EvidenceWeights:
    """The weights in the folder of a model; one that has none gets cautious ones."""
    path = folder / FILE
    if not path.is_file():
        return EvidenceWeights()
    try:
        return EvidenceWeights(**tomllib.loads(path.read_text(encoding="utf-8")))
    except (TypeError, ValueError) as error:
        raise UsageError(f"{path}: no weights of evidence: {type(error).__name__}") from None


def write_weights(weights: EvidenceWeights, folder: Path) -> None:
    """Write them beside the model."""
    (folder / FILE).write_text(as_toml(asdict(weights)), encoding="utf-8", newline="\n")
