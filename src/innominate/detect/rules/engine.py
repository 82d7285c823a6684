"""The rule detector: one native pass for patterns, one for lists, then the rules in the order of what they need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, cast

from innominate.core import Document, Span
from innominate.detect.rules.board import Board
from innominate.detect.rules.cache import cache_folder
from innominate.detect.rules.kinds.pattern import PatternRule
from innominate.detect.rules.kinds.word_list import ListRule
from innominate.detect.rules.native import native, warn_if_missing
from innominate.detect.rules.nearby import looking
from innominate.detect.rules.pack import Pack, load_pack
from innominate.detect.rules.rule import LaterRule
from innominate.detect.rules.rulebook import rulebook
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
    later: tuple[LaterRule, ...]
    looking: Mapping[str, Sequence[int]]  # at each label: the later rules, by number
    book: Any | None  # the same in C; None if that was not built, or is not wanted

    @classmethod
    def of(cls, pack: Pack, *, quick: bool = True) -> Engine:
        """Compile a pack."""
        by_name = {rule.header.name: rule for rule in pack.rules if isinstance(rule, PatternRule)}
        patterns = [by_name[name] for name in pack.expressions]
        words = Words((rule, rule.words) for rule in pack.rules if isinstance(rule, ListRule))
        later = tuple(cast(LaterRule, rule) for rule in pack.rules if not isinstance(rule, PatternRule | ListRule))
        if quick:
            warn_if_missing()
        book = rulebook(pack.rules, patterns, words, later, cache_folder()) if quick and native else None
        return cls(pack, Scanner(patterns), words, later, looking(later), book)

    def run(self, text: str, *, explain: bool = False) -> Any:
        """Run all rules over a text and return the board; one that explains is filled in Python."""
        return self._board(text, explain) if explain or self.book is None else self.book.boards([text])[0]

    def boards(self, texts: Sequence[str]) -> Iterator[Any]:
        """The boards of many texts. Each rule runs over some of them before the next, so it stays in the processor's cache."""
        if self.book is None:
            return (self._board(text, explain=False) for text in texts)
        run = self.book.boards
        return (board for some in together(texts) for board in run(some))

    def spans(self, board: Any) -> tuple[Span, ...]:
        """What is left of the candidates on a board when overlaps are settled."""
        return settled(board.candidates())

    def _board(self, text: str, explain: bool) -> Board:
        board = Board(text, explain, self.looking)
        self.scanner.hits(board)
        for start, end, owners in self.words.hits(text):
            for owner in owners:
                owner.hit(board, start, end)
        for number, rule in enumerate(self.later):
            if candidates := board.asked(number):
                rule.apply(board, candidates)
        return board


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
        return [engine.spans(board) for board in engine.boards([document.text for document in documents])]


def together(texts: Sequence[str]) -> Iterator[list[str]]:
    """Texts in groups: some for each step to be warm when it comes to the next, few enough to stay in the memory next door.

    >>> [len(group) for group in together(["a" * 120_000, "b" * 120_000, "c"])]
    [2, 1]
    """
    first = size = 0
    for number, text in enumerate(texts, start=1):
        size += len(text)
        if size >= TOGETHER or number == len(texts):
            yield list(texts[first:number])
            first, size = number, 0
