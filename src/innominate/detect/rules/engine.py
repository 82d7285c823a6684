"""The rule detector: one native pass for patterns, one for lists, then the rules in the order of what they need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import cast

from innominate.core import Document, Span
from innominate.detect.rules.board import Board, Found
from innominate.detect.rules.cache import cache_folder
from innominate.detect.rules.kinds.pattern import PatternRule
from innominate.detect.rules.kinds.word_list import ListRule
from innominate.detect.rules.nearby import Nearby
from innominate.detect.rules.pack import Pack, load_pack
from innominate.detect.rules.rule import LaterRule
from innominate.detect.rules.scanner import Scanner
from innominate.detect.rules.settled import settled
from innominate.detect.rules.words import Words

TOGETHER = 100_000  # characters


@dataclass(frozen=True)
class Engine:
    """A pack made ready to run."""

    pack: Pack
    scanner: Scanner
    words: Words[ListRule]
    patterns: tuple[PatternRule, ...]  # in the order of the scanner
    later: tuple[LaterRule, ...]
    nearby: Nearby

    @classmethod
    def of(cls, pack: Pack, *, native: bool = True) -> Engine:
        """Compile a pack."""
        by_name = {rule.header.name: rule for rule in pack.rules if isinstance(rule, PatternRule)}
        patterns = tuple(by_name[name] for name in pack.expressions)
        words = Words((rule, rule.words) for rule in pack.rules if isinstance(rule, ListRule))
        scanner = Scanner(dict(pack.expressions), native=native, cache=cache_folder(), sample=pack.examples)
        later = tuple(cast(LaterRule, rule) for rule in pack.rules if not isinstance(rule, PatternRule | ListRule))
        return cls(pack, scanner, words, patterns, later, Nearby([(rule.of, *rule.beside) for rule in later]))

    def run(self, text: str, *, explain: bool = False) -> Board:
        """Run all rules over a text and return the board."""
        return self.run_all([text], explain=explain)[0]

    def run_all(self, texts: Sequence[str], *, explain: bool = False) -> list[Board]:
        """Run all rules over many texts, each rule over all of them: what it works with stays in the processor's cache."""
        boards = [Board(text, explain, self.nearby) for text in texts]
        for index, matches in self.scanner.in_all([(board.text, board.data) for board in boards]):
            hit = self.patterns[index].hit
            for number, match in matches:
                hit(boards[number], match)
        for board in boards:
            for start, end, owners in self.words.hits(board.text):
                small = not board.text[start].isupper() and not explain
                for owner in owners:
                    if not small or owner.case == "any":
                        owner.hit(board, start, end)
        for number, rule in enumerate(self.later):
            for board in boards:
                if number in board.near and (candidates := board.asked(number)):
                    rule.apply(board, candidates)
        return boards

    def boards(self, texts: Sequence[str]) -> Iterator[Board]:
        """The boards of many texts, so many at a time as are quick together."""
        return (board for some in together(texts) for board in self.run_all(some))

    def candidates(self, board: Board) -> list[Found]:
        """What leaves the engine: candidates with a label, not a mark."""
        return [found for label, all_ in board.by_label.items() if not label.startswith(".") for found in all_]


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
    apart = True  # what is found in a note does not depend on those beside it

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
        return self.detect_many([document])[0]

    def detect_many(self, documents: Sequence[Document]) -> list[Sequence[Span]]:
        """Find spans in many notes."""
        engine = self.engine
        return [settled(engine.candidates(board)) for board in engine.boards([document.text for document in documents])]


def together(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Texts in groups: some for each step to be warm when it comes to the next, few enough to stay in the memory next door.

    >>> [len(group) for group in together(["a" * 60_000, "b" * 60_000, "c"])]
    [2, 1]
    """
    first = size = 0
    for number, text in enumerate(texts, start=1):
        size += len(text)
        if size >= TOGETHER or number == len(texts):
            yield texts[first:number]
            first, size = number, 0
