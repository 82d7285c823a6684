"""Rules and a model together: whatever either finds is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from innominate.core import Document, Span, UsageError, resolve
from innominate.detect.crf.detector import CrfDetector, shipped
from innominate.detect.rules.engine import RulesDetector
from innominate.labels import for_language


def by_learner(span: Span) -> tuple[float, ...]:
    """Where the two overlap, the model decides label and borders; what only the rules cover stays covered."""
    return (float(not span.source.startswith("rules")), span.score, float(len(span)))


@dataclass(frozen=True, slots=True)
class UnionDetector:
    """The rules of the language, and the model that comes with it or is named.

    A failure of either withholds the note; nothing is ever passed on with half an opinion. A language that has no model
    is left to its rules.
    """

    lang: str = "en"
    model: str = ""
    recall: str = ""
    rules: tuple[Path, ...] = field(default=())

    name = "union"
    needs = ()

    @property
    def learner(self) -> CrfDetector | None:
        """The model, if there is one."""
        if not self.model and shipped(self.lang) is None:
            return None
        return CrfDetector(self.lang, self.model, self.recall)

    @property
    def labels(self) -> frozenset[str]:
        """Labels that either can give."""
        learner, rules = self.learner, RulesDetector(self.lang, self.rules)
        if learner is None:
            return rules.labels
        if learner.taxonomy != for_language(self.lang).name:
            raise UsageError(f"{learner.folder}: this model speaks {learner.taxonomy!r} and the rules do not; use it alone")
        return rules.labels | learner.labels

    def detect(self, document: Document) -> Sequence[Span]:
        """Find spans."""
        return self.detect_many([document])[0]

    def detect_many(self, documents: Sequence[Document]) -> list[Sequence[Span]]:
        """Find spans in many notes at once; the rules run once and are also features of the model."""
        rules = RulesDetector(self.lang, self.rules)
        learner = self.learner
        by_rules = [rules.detect(document) for document in documents]
        if learner is None:
            return list(by_rules)
        learned = learner.after_rules(documents, by_rules)
        return [resolve([*ruled, *found], by_learner) for ruled, found in zip(by_rules, learned, strict=True)]
