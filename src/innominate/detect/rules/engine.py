"""The rule detector: one native pass for patterns, one for lists, then the rules in the order of what they need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any, cast

from innominate.core import Document, Span, resolve
from innominate.detect.rules.board import Board, Found, span_of
from innominate.detect.rules.cache import cache_folder
from innominate.detect.rules.kinds.pattern import PatternRule
from innominate.detect.rules.kinds.word_list import ListRule
from innominate.detect.rules.nearby import Nearby
from innominate.detect.rules.pack import Pack, load_pack
from innominate.detect.rules.rule import LaterRule
from innominate.detect.rules.scanner import Scanner
from innominate.detect.rules.words import Words


@dataclass(frozen=True)
class Engine:
    """A pack made ready to run."""

    pack: Pack
    scanner: Scanner
    words: Words[ListRule]
    patterns: dict[str, PatternRule]
    later: tuple[LaterRule, ...]
    nearby: Nearby

    @classmethod
    def of(cls, pack: Pack, *, native: bool = True) -> Engine:
        """Compile a pack."""
        patterns = {rule.header.name: rule for rule in pack.rules if isinstance(rule, PatternRule)}
        words = Words((rule, rule.words) for rule in pack.rules if isinstance(rule, ListRule))
        scanner = Scanner(dict(pack.expressions), native=native, cache=cache_folder(), sample=pack.examples)
        later = tuple(cast(LaterRule, rule) for rule in pack.rules if not isinstance(rule, PatternRule | ListRule))
        return cls(pack, scanner, words, patterns, later, Nearby([(rule.of, *rule.beside) for rule in later]))

    def run(self, text: str, *, explain: bool = False) -> Board:
        """Run all rules over a text and return the board."""
        board = Board(text, explain, self.nearby)
        for name, match in self.scanner.matches(text, board.data):
            self.patterns[name].hit(board, match)
        for start, end, owners in self.words.hits(text):
            small = not text[start].isupper() and not explain
            for owner in owners:
                if not small or owner.case == "any":
                    owner.hit(board, start, end)
        for number, rule in enumerate(self.later):
            if board.wanted >> number & 1:
                rule.apply(board)
        return board

    def candidates(self, board: Board) -> list[Found]:
        """What leaves the engine: candidates with a label, not a mark."""
        return [found for label, all_ in board.by_label.items() if not label.startswith(".") for found in all_]


def settled(candidates: Sequence[Found]) -> tuple[Span, ...]:
    """Settle overlaps: by priority, then score, then length."""
    spans: list[Span] = []
    cluster: list[Found] = []
    end = 0
    for found in sorted(candidates, key=itemgetter(0, 1)):
        if found[0] >= end and cluster:
            spans += _settled(cluster)
            cluster = []
        cluster.append(found)
        end = max(end, found[1])
    return (*spans, *_settled(cluster)) if cluster else ()


def _settled(cluster: list[Found]) -> Iterable[Span]:
    """Settle candidates that overlap one another."""
    if len(cluster) == 1:
        return (span_of(cluster[0]),)
    merged: dict[tuple[Any, ...], Found] = {}  # the same span found twice is as sure and as important as the better one
    for found in cluster:
        known = merged.get(found[:3])
        if known is None:
            merged[found[:3]] = found
        else:
            better = found if found.score > known.score else known
            merged[found[:3]] = better._replace(priority=max(found.priority, known.priority))
    if len(merged) == 1:
        return (span_of(*merged.values()),)
    best = max(sorted(merged.values(), key=itemgetter(0, 1, 2)), key=_rank)  # of equals the first, as `resolve` does
    if best.start == cluster[0].start and all(found.end <= best.end for found in cluster):
        return (span_of(best),)
    ranks = {span_of(found): _rank(found) for found in merged.values()}
    return resolve(ranks, ranks.__getitem__)


def _rank(found: Found) -> tuple[int, float, int]:
    return found.priority, found.score, found.end - found.start


@cache
def _engine(lang: str, extra: tuple[Path, ...], native: bool) -> Engine:
    return Engine.of(load_pack(lang, extra), native=native)


@dataclass(frozen=True, slots=True)
class RulesDetector:
    """Finds identifiers by the rules of a language, and those a user adds in TOML files of their own.

    >>> [span.label for span in RulesDetector("fr").detect(Document("n", "Vu par le Dr Rochat le 18.03.2022"))]
    ['PERSONNEL_MÉDICAL', 'DATE']
    """

    lang: str = "en"
    rules: tuple[Path, ...] = field(default=())
    native: bool = True  # without Hyperscan the spans are the same, and slower to find

    name = "rules"
    needs = ()

    @property
    def engine(self) -> Engine:
        """The compiled pack, shared by all detectors of the same rules."""
        return _engine(self.lang, tuple(self.rules), self.native)

    @property
    def labels(self) -> frozenset[str]:
        """Labels this detector can give."""
        return self.engine.pack.labels

    def detect(self, document: Document) -> Sequence[Span]:
        """Find spans."""
        engine = self.engine
        return settled(engine.candidates(engine.run(document.text)))
