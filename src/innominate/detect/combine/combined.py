"""The default detector: rules that are certain, and for the rest the model with the rules as evidence.

What rules, shields and the model say of each word is weighed by a few calibrated numbers.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from innominate.core import Document, Span, UsageError, resolve
from innominate.detect.combine.union import rank_rules_first, rules_with_shields, run_rules_on_notes, sources_of_user
from innominate.detect.contextual.detector import STUDENT, TEACHER, ContextualDetector
from innominate.detect.contextual.reading import average_beliefs, choose_tags
from innominate.detect.dial.dial import Dial, current_dial
from innominate.detect.dial.threshold import Marginals
from innominate.detect.models.cards import as_toml
from innominate.labels import for_language, mapping, taxonomy

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


@dataclass(frozen=True)
class CombinedDetector:
    """Rules and the small contextual model. A failure of either withholds the note."""

    lang: str = "en"
    model: str | Path = STUDENT
    recall: str = ""
    rules: tuple[Path, ...] = field(default=())
    threads: int = 1
    device: str = "cpu"

    name = "combined"
    taxonomy = "innominate"
    apart = True

    @property
    def learner(self) -> ContextualDetector:
        """The model."""
        return ContextualDetector(self.model, self.lang, "", self.threads, self.device)

    @property
    def labels(self) -> frozenset[str]:
        """Labels this detector can give."""
        _ = rules_with_shields(self.lang, self.rules)  # a rule that is wrong is said before the first note
        self._dial.choose(self.recall, sorted(self.learner.labels), self.taxonomy)
        return self.learner.labels | _certain_labels()

    def detect(self, document: Document) -> Sequence[Span]:
        """Find spans."""
        return self.detect_many([document])[0]

    def detect_many(self, documents: Sequence[Document]) -> list[Sequence[Span]]:
        """Find spans in many notes, faster than one by one."""
        dial = self._dial
        points = dial.choose(self.recall, sorted(self.learner.labels), self.taxonomy)
        return [
            resolve(
                [*certain, *join_touching(found.text, dial.spans(found, points, self.name))],
                rank_rules_first,
            )
            for found, certain in self._weigh_notes(documents)
        ]

    def marginals(self, documents: Sequence[Document]) -> list[Marginals]:
        """What is believed of each word when all evidence is weighed."""
        return [found for found, _ in self._weigh_notes(documents)]

    def believe(self, documents: Sequence[Document]) -> list[Marginals]:
        """What the model believes of each word, before any rule is heard."""
        return self.learner.marginals(documents)

    def _weigh_notes(self, documents: Sequence[Document]) -> list[tuple[Marginals, list[Span]]]:
        learner = self.learner
        weights, labels = read_weights(learner.folder), list(learner.model_labels)
        ours = mapping(for_language(self.lang).name, self.taxonomy)
        own_rules = sources_of_user(self.lang, self.rules)
        weighed = []
        ruled = run_rules_on_notes(self.lang, self.rules, documents)
        for believed, (spans, shields) in zip(self.believe(documents), ruled, strict=True):
            named = [replace(span, label=ours[span.label] or "ID_OTHER") for span in spans]
            evidence = gather_evidence(believed, [span for span in named if span.label in labels], shields, labels)
            certain = [span for span in named if span.label in _certain_labels() or span.source in own_rules]
            weighed.append((weigh_evidence(believed, evidence, weights, labels), certain))
        return weighed

    @property
    def _dial(self) -> Dial:
        return current_dial(self.learner.folder / "combined" / self.lang)


class BestDetector(CombinedDetector):
    """The same with the large model and the small one, which miss different things: better, and slower."""

    name = "best"

    @property
    def learner(self) -> ContextualDetector:
        """The large model, or the one that was named."""
        return ContextualDetector(TEACHER if self.model == STUDENT else self.model, self.lang, "", self.threads, self.device)

    def believe(self, documents: Sequence[Document]) -> list[Marginals]:
        """The mean of what both believe; the model alone if one was named."""
        large = self.learner.marginals(documents)
        if self.model != STUDENT:
            return large
        small = ContextualDetector(STUDENT, self.lang, "", self.threads, self.device).marginals(documents)
        return [average_beliefs(one, other) for one, other in zip(large, small, strict=True)]


def join_touching(text: str, spans: Sequence[Span]) -> list[Span]:
    """Neighbours of one label that only a blank or a hyphen parts are one identifier.

    >>> text = "BERG Eva-Lis, mardi 3 mai"
    >>> found = [Span(0, 4, "NAME"), Span(5, 8, "NAME"), Span(9, 12, "NAME"), Span(14, 19, "DATE"), Span(20, 25, "DATE")]
    >>> [span.of(text) for span in join_touching(text, found)]
    ['BERG Eva-Lis', 'mardi 3 mai']
    """
    joined: list[Span] = []
    for span in spans:
        last = joined[-1] if joined else None
        if last and last.label == span.label and text[last.end : span.start] in (" ", "-", "\u00a0"):
            joined[-1] = replace(last, end=span.end, score=min(last.score, span.score))
        else:
            joined.append(span)
    return joined


@cache
def _certain_labels() -> frozenset[str]:
    """The labels whose form tells them: the rules decide, whether the model knows them or not."""
    return frozenset(name for name, label in taxonomy(CombinedDetector.taxonomy).labels.items() if label.kind.certain)
