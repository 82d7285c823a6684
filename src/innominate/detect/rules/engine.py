"""The rule detector: one native pass for patterns, one for lists, then the rules in the order of what they need."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, cast

from innominate.core import Document, Span
from innominate.detect.rules.board import Found
from innominate.detect.rules.cache import cache_folder
from innominate.detect.rules.kinds.beside import BesideRule
from innominate.detect.rules.kinds.pattern import PatternRule
from innominate.detect.rules.kinds.relabel import RelabelRule
from innominate.detect.rules.kinds.word_list import CASES, ListRule
from innominate.detect.rules.native import native
from innominate.detect.rules.nearby import new_board
from innominate.detect.rules.pack import Pack, load_pack
from innominate.detect.rules.rule import LaterRule
from innominate.detect.rules.scanner import Scanner
from innominate.detect.rules.settled import settled
from innominate.detect.rules.words import Words

TOGETHER = 200_000  # characters


@dataclass(frozen=True)
class Engine:
    """A pack made ready to run."""

    pack: Pack
    scanner: Scanner
    words: Words[ListRule]
    owners: list[tuple[Any, ...]]  # of each word of a list: the rules that want to know, for the native board
    later: tuple[LaterRule, ...]
    steps: tuple[tuple[Any, ...], ...]  # of the later rules, for the native board
    board: Callable[[str, bool], Any]
    quick: bool  # in C

    @classmethod
    def of(cls, pack: Pack, *, quick: bool = True) -> Engine:
        """Compile a pack."""
        quick = quick and native is not None
        by_name = {rule.header.name: rule for rule in pack.rules if isinstance(rule, PatternRule)}
        scanner = Scanner([by_name[name] for name in pack.expressions], quick=quick, cache=cache_folder())
        words = Words((rule, rule.words) for rule in pack.rules if isinstance(rule, ListRule))
        owners = [tuple((CASES.index(rule.case), rule.rest) for rule in rules) for rules in words.owners]
        later = tuple(cast(LaterRule, rule) for rule in pack.rules if not isinstance(rule, PatternRule | ListRule))
        board = new_board([(rule.of, *rule.beside) for rule in later], quick=quick, cache=cache_folder())
        return cls(pack, scanner, words, owners, later, tuple(map(_step, later)), board, quick)

    def run(self, text: str, *, explain: bool = False) -> Any:
        """Run all rules over a text and return the board."""
        return self.run_all([text], explain=explain)[0]

    def run_all(self, texts: Sequence[str], *, explain: bool = False) -> list[Any]:
        """Run all rules over many texts, each rule over all of them: what it works with stays in the processor's cache."""
        boards = [self.board(text, explain) for text in texts]
        self.scanner.hits(boards)
        for board in boards:
            self._words(board)
        if self.quick:
            assert native is not None
            native.later_rules(Found, boards, self.steps)
            return boards
        for number, rule in enumerate(self.later):
            for board in boards:
                if candidates := board.asked(number):
                    rule.apply(board, candidates)
        return boards

    def _words(self, board: Any) -> None:
        """Put the words of lists on a board."""
        if self.quick and not board.explain:
            assert native is not None
            native.word_hits(Found, board, self.words.matches(board.text), self.words.lengths, self.owners)
            return
        for start, end, owners in self.words.hits(board.text):
            for owner in owners:
                owner.hit(board, start, end)

    def boards(self, texts: Sequence[str]) -> Iterator[Any]:
        """The boards of many texts, so many at a time as are quick together."""
        return (board for some in together(texts) for board in self.run_all(some))

    def candidates(self, board: Any) -> list[Found]:
        """What leaves the engine: candidates with a label, not a mark, from left to right."""
        found: list[Found] = board.of([label for label in board.by_label if not label.startswith(".")])
        return found


def _step(rule: LaterRule) -> tuple[Any, ...]:
    """What the native board has to know of a rule: as its `apply` does it."""
    if isinstance(rule, RelabelRule):
        header = rule.header
        return "relabel", rule.before, rule.after, rule.itself, header.label, header.name, header.priority
    if isinstance(rule, BesideRule):
        return "beside", rule.before, rule.after, rule.header.rest, rule.header.label in rule.of
    return "other", rule.apply


@cache
def _engine(lang: str, extra: tuple[Path, ...], quick: bool) -> Engine:
    return Engine.of(load_pack(lang, extra), quick=quick)


@dataclass(frozen=True, slots=True)
class RulesDetector:
    """Finds identifiers by the rules of a language, and those a user adds in TOML files of their own.

    >>> [span.label for span in RulesDetector("fr").detect(Document("n", "Vu par le Dr Rochat le 18.03.2022"))]
    ['PERSONNEL_MÉDICAL', 'DATE']
    """

    lang: str = "en"
    rules: tuple[Path, ...] = field(default=())
    quick: bool = True  # in Python alone the spans are the same, and slower to find

    name = "rules"
    needs = ()
    apart = True  # what is found in a note does not depend on those beside it

    @property
    def engine(self) -> Engine:
        """The compiled pack, shared by all detectors of the same rules."""
        return _engine(self.lang, tuple(self.rules), self.quick)

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

    >>> [len(group) for group in together(["a" * 120_000, "b" * 120_000, "c"])]
    [2, 1]
    """
    first = size = 0
    for number, text in enumerate(texts, start=1):
        size += len(text)
        if size >= TOGETHER or number == len(texts):
            yield texts[first:number]
            first, size = number, 0
