"""Rules and a model together: whatever either finds is found, except for diseases that the rules know by their eponyms.

Where they overlap it is settled who decides, and what they tore between them is put together again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import accumulate
from pathlib import Path

from innominate.core import Document, Finder, Span, UsageError, resolve, trim_blanks
from innominate.core.protocols import ApartDetector, Detector
from innominate.detect.combine.ensemble.members import ask_after_rules
from innominate.detect.crf.detector import find_shipped_model
from innominate.detect.models.named import detector, taxonomy_of
from innominate.detect.rules.board import source_of
from innominate.detect.rules.engine import Engine, RulesDetector
from innominate.detect.rules.kinds.keep import KeepRule
from innominate.labels import for_language

# Under this the model is wrong about label and borders more often than the rules that it cuts. Strict F1 of the passages that
# neither has learned from (tools/score_passages.py), at 0, 0.4, 0.6 and 0.8: en 0.765 0.785 0.812 0.832, fr 0.912 0.915 0.915
# 0.914, sv 0.878 0.882 0.883 0.886, es 0.836 0.871 0.901 0.903; on MEDDOCAN dev 0.988 0.988 0.988 0.985.
UNSURE = 0.6
_PARTS = frozenset({"First_Name", "Last_Name"})  # of a name: each is an identifier of its own


def evidence_of(span: Span, own: frozenset[str]) -> tuple[float, ...]:
    """Who decides: a rule of the user's own, a model that is sure, the rules, a model that is not; then the surer, the longer.

    What loses keeps the characters that only it covers.
    """
    if span.source in own:
        tier = 3
    elif span.finder is Finder.RULES:
        tier = 1
    else:
        tier = 2 if span.score >= UNSURE else 0
    return (float(tier), span.score, float(len(span)))


def rank_rules_first(span: Span) -> tuple[float, ...]:
    """Where two overlap, a rule wins over what a model says; then the surer, the longer."""
    return (float(span.finder is Finder.RULES), span.score, float(len(span)))


@dataclass(frozen=True, slots=True)
class OverlapRule:
    """How the rules of a language and a model are combined; `own` are the sources of the user's own rules."""

    lang: str
    own: frozenset[str] = frozenset()

    def combine(self, text: str, rules: Sequence[Span], learned: Sequence[Span]) -> tuple[Span, ...]:
        """Settle overlaps, put pieces of one identifier together, and take blanks off the ends.

        >>> rules = [Span(0, 9, "DOCTOR", 0.9, "rules:names")]
        >>> model = [Span(0, 3, "DOCTOR", 0.9, "crf"), Span(4, 9, "DOCTOR", 0.9, "crf")]
        >>> OverlapRule("en").combine("Del Bagno", rules, model)
        (Span(start=0, end=9, label='DOCTOR', score=0.9, source='crf'),)
        """
        found = (*rules, *learned)
        pieces = resolve(found, lambda span: evidence_of(span, self.own))
        return tuple(self._join_pieces(text, pieces, _SpansByLabel(found)))

    def _join_pieces(self, text: str, pieces: Sequence[Span], extents: _SpansByLabel) -> Iterable[Span]:
        group: list[Span] = []
        for piece in pieces:
            if group and not self._belongs(text, group, piece, extents):
                yield from self._whole(text, group)
                group = []
            group.append(piece)
        yield from self._whole(text, group)

    def _belongs(self, text: str, group: Sequence[Span], piece: Span, extents: _SpansByLabel) -> bool:
        """Whether a piece is of the same identifier as those before it: somebody took them for one, or one was cut there."""
        last = group[-1]
        if not self._of_one_kind(last, piece) or piece.source in self.own or last.source in self.own:
            return False
        seam = last.end == piece.start and (text[last.end - 1].isspace() or text[piece.start].isspace())
        if not seam and not extents.hold(last, piece):
            return False
        return not self._stand_alone(text, group, piece)

    def _of_one_kind(self, one: Span, other: Span) -> bool:
        """Whether two have one label, or are both names of people: who it is may be in doubt, that it is one is not."""
        return one.label == other.label or {one.label, other.label} <= _names(self.lang) - _PARTS

    def _stand_alone(self, text: str, group: Sequence[Span], piece: Span) -> bool:
        """Whether a sure model saw two with a blank between: two places, two dates. A name in two parts is still one."""
        said = [one for one in group if _says_something(text, one)]
        if not said or not _says_something(text, piece) or piece.label in _names(self.lang):
            return False
        sure = all(one.finder is not Finder.RULES and one.score >= UNSURE for one in (said[-1], piece))
        return sure and text[said[-1].end : piece.start].isspace()

    def _whole(self, text: str, group: Sequence[Span]) -> Iterable[Span]:
        """Pieces as one span, with label, score and source of the longest; nothing if no letter and no digit is in it."""
        said = [one for one in group if _says_something(text, one)]
        if not said:
            return ()
        if len(group) == 1 and group[0].source in self.own:
            return group
        longest = max(said, key=len)
        whole = longest if len(group) == 1 else replace(longest, start=group[0].start, end=group[-1].end)
        return trim_blanks(text, [whole])


class _SpansByLabel:
    """What was found before overlaps were settled: whether one of them holds the seam between two pieces."""

    def __init__(self, found: Iterable[Span]) -> None:
        self._by_label: dict[str, tuple[list[int], list[int]]] = {}
        labels: dict[str, list[Span]] = {}
        for span in found:
            labels.setdefault(span.label, []).append(span)
        for label, spans in labels.items():
            spans.sort()
            self._by_label[label] = [span.start for span in spans], list(accumulate((span.end for span in spans), max))

    def hold(self, left: Span, right: Span) -> bool:
        """Whether one span with the label of either reaches into both."""
        return any(self._reach(label, left.end) > right.start for label in {left.label, right.label})

    def _reach(self, label: str, place: int) -> int:
        """How far spans reach that begin before a place."""
        starts, furthest = self._by_label[label]
        before = bisect_left(starts, place)
        return furthest[before - 1] if before else 0


@cache
def _names(lang: str) -> frozenset[str]:
    """The labels of names of people."""
    return frozenset(name for name, label in for_language(lang).labels.items() if label.kind.recall == "names")


def _says_something(text: str, span: Span) -> bool:
    return any(map(str.isalnum, text[span.start : span.end]))


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
        name = self.model or ("crf" if find_shipped_model(self.lang) else "")
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
        learned: Sequence[Sequence[Span]] = [()] * len(documents)
        if learner is not None:
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
    """What the rules find in each note, and what they protect: eponyms that none of their own spans touches."""
    engine, marks = rules_with_shields(lang, rules)
    found = []
    for board in engine.run_many([document.text for document in documents]):
        spans = engine.spans(board)
        shields = [(shield.start, shield.end) for shield in board.of(marks)]
        found.append((spans, [(a, b) for a, b in shields if not any(span.start < b and a < span.end for span in spans)]))
    return found


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
