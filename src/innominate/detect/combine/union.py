"""Rules and a model together: whatever either finds is found, except for diseases that the rules know by their eponyms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from innominate.core import Document, Span, UsageError
from innominate.core.protocols import ApartDetector, Detector
from innominate.detect.combine.ensemble.members import ask_after_rules
from innominate.detect.combine.overlaps import OverlapRule
from innominate.detect.crf.detector import shipped_model
from innominate.detect.models.named import detector, taxonomy_of
from innominate.detect.rules.board import source_of
from innominate.detect.rules.engine import Engine, RulesDetector
from innominate.detect.rules.kinds.keep import KeepRule
from innominate.labels import for_language

Place = tuple[int, int]


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

    @property
    def learner(self) -> Detector | None:
        """The model of whatever kind, if there is one."""
        name = self.model or ("crf" if shipped_model(self.lang) else "")
        return _make_learner(name, self.lang, self.recall) if name else None

    @property
    def labels(self) -> frozenset[str]:
        """Labels that either can give."""
        learner, rules = self.learner, RulesDetector(self.lang, self.rules)
        if learner is None:
            return rules.labels
        spoken = taxonomy_of(learner, self.lang)
        if spoken != for_language(self.lang).name:
            raise UsageError(f"{self.model or 'the model'}: it speaks {spoken!r} and the rules do not; use it alone")
        return rules.labels | learner.labels

    @property
    def apart(self) -> bool:
        """Whether what is found in a note does not depend on those beside it: so it is with rules, and with some models."""
        learner = self.learner
        return learner is None or (isinstance(learner, ApartDetector) and learner.apart)

    def detect(self, document: Document) -> Sequence[Span]:
        """Find spans."""
        return self.detect_many([document])[0]

    def detect_many(self, documents: Sequence[Document]) -> list[Sequence[Span]]:
        """Find spans in many notes at once; the rules run once and are also features of the model."""
        by_rules = run_rules_on_notes(self.lang, self.rules, documents)
        learner = self.learner
        combining = OverlapRule(self.lang, sources_of_user(self.lang, self.rules))
        if learner is None:
            return [
                combining.combine(document.text, spans, ()) for document, (spans, _) in zip(documents, by_rules, strict=True)
            ]
        learned = ask_after_rules(learner, documents, [spans for spans, _ in by_rules])
        return [
            combining.combine(
                document.text,
                spans,
                [part for span in found for part in spans_outside_shields(document.text, span, protected)],
            )
            for document, (spans, protected), found in zip(documents, by_rules, learned, strict=True)
        ]


@cache
def _make_learner(name: str, lang: str, recall: str) -> Detector:
    return detector(name, lang, recall=recall)


@cache
def rules_with_shields(lang: str, rules: tuple[Path, ...]) -> tuple[Engine, frozenset[str]]:
    """The rules of a language, and the marks of what they keep."""
    engine = RulesDetector(lang, rules).engine
    return engine, frozenset().union(*(rule.of for rule in engine.later if isinstance(rule, KeepRule)))


def sources_of_user(lang: str, rules: tuple[Path, ...]) -> frozenset[str]:
    """The sources of spans that a user's own rules give."""
    return frozenset(map(source_of, rules_with_shields(lang, rules)[0].pack.own))


def run_rules_on_notes(
    lang: str, rules: tuple[Path, ...], documents: Sequence[Document]
) -> list[tuple[tuple[Span, ...], list[Place]]]:
    """The same of many notes, read together."""
    engine, marks = rules_with_shields(lang, rules)
    return [_kept(engine, marks, board) for board in engine.run_many([document.text for document in documents])]


def run_rules(engine: Engine, marks: frozenset[str], text: str) -> tuple[tuple[Span, ...], list[Place]]:
    """What the rules find, and what they protect: eponyms that none of their own spans touches."""
    return _kept(engine, marks, engine.run(text))


def _kept(engine: Engine, marks: frozenset[str], board: Any) -> tuple[tuple[Span, ...], list[Place]]:
    spans = engine.spans(board)
    shields = [(shield.start, shield.end) for shield in board.of(marks)]
    return spans, [(a, b) for a, b in shields if not any(span.start < b and a < span.end for span in spans)]


def spans_outside_shields(text: str, span: Span, protected: Sequence[Place]) -> Iterator[Span]:
    """What is left of a span of the model outside protected places: all of it, or parts that still say something.

    >>> text = "Anna Ek, Parkinsons sjukdom"
    >>> [part.of(text) for part in spans_outside_shields(text, Span(0, 19, "NAME"), [(9, 19)])]
    ['Anna Ek']
    """
    touching = sorted((a, b) for a, b in protected if a < span.end and span.start < b)
    if not touching:
        yield span
        return
    start = span.start
    for first, last in (*touching, (span.end, span.end)):
        left = text[start:first].strip(" \n\t,;:'’-")
        if any(letter.isupper() or letter.isdigit() for letter in left):
            begin = text.index(left, start)
            yield replace(span, start=begin, end=begin + len(left))
        start = max(start, last)
