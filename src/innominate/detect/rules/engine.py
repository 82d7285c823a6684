"""The rule detector: one native pass for patterns, one for lists, then the rules in the order of what they need."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any

from innominate.core import Document, Span, resolve
from innominate.detect.rules.board import Board, Found, LaterRule, Looker, span_of
from innominate.detect.rules.cache import cache_folder
from innominate.detect.rules.expressions.automaton import automaton
from innominate.detect.rules.expressions.matching import Lazy
from innominate.detect.rules.kinds.text_alone import ListRule, PatternRule, case_of
from innominate.detect.rules.native import warn_if_missing
from innominate.detect.rules.pack import Pack, load_pack
from innominate.detect.rules.words import Words

_position = itemgetter(0, 1)
_span = itemgetter(0, 1, 2)


def settle_overlaps(candidates: Iterable[Found]) -> tuple[Span, ...]:
    """Settle overlaps.

    >>> settle_overlaps([Found(0, 9, "PHONE", 0.9, "phone"), Found(0, 9, "FAX", 0.8, "fax", priority=1)])
    (Span(start=0, end=9, label='FAX', score=0.8, source='rules:fax'),)
    """
    spans: list[Span] = []
    cluster: list[Found] = []  # each of them overlaps one before it
    end = 0
    for found in sorted(candidates, key=_position):
        if found[0] < end:
            cluster.append(found)
            end = max(end, found[1])
            continue
        if len(cluster) == 1:
            spans.append(span_of(cluster[0]))
        elif cluster:
            spans += settle_cluster(cluster)
        cluster, end = [found], found[1]
    return (*spans, *settle_cluster(cluster)) if cluster else ()


def settle_cluster(cluster: list[Found]) -> Iterable[Span]:
    """Settle candidates that overlap one another."""
    merged: dict[tuple[Any, ...], Found] = {}  # the same span found twice is as sure and as important as the better one
    for found in cluster:
        place = found[:3]
        known = merged.setdefault(place, found)
        if known is not found:
            better, other = (found, known) if found[3] > known[3] else (known, found)
            merged[place] = better if better[5] >= other[5] else better._replace(priority=other[5])
    if len(merged) == 1:
        return (span_of(*merged.values()),)
    best = max(sorted(merged.values(), key=_span), key=_rank)  # of equals the first, as `resolve` does
    if best[0] == cluster[0][0] and best[1] >= max(found[1] for found in cluster):
        return (span_of(best),)
    ranks = {span_of(found): _rank(found) for found in merged.values()}
    return resolve(ranks, ranks.__getitem__)


def _rank(found: Found) -> tuple[int, float, int]:
    return found[5], found[3], found[1] - found[0]


BEFORE, AFTER = 0, 1
Numbers = tuple[int, ...]  # of later rules


class Lookers:
    """The later rules that look at the candidates of a label."""

    def __init__(self, rules: Mapping[int, LaterRule], folder: Path) -> None:
        self.wants = {number: rule.beside for number, rule in rules.items()}
        self.before, self.after = (
            automaton(expressions, backwards=side == BEFORE, cache=folder)
            if (expressions := {number: wanted for number, both in self.wants.items() if (wanted := both[side]) is not None})
            else None
            for side in (BEFORE, AFTER)
        )
        self._known: dict[tuple[Numbers | None, Numbers | None], Numbers] = {}  # by what was read on both sides

    def at(self, data: bytes, start: int, end: int) -> Numbers:
        """Those that may have something to do at a candidate; all of them where there is no native automaton."""
        read = self.before and self.before.at(data, start), self.after and self.after.at(data, end)
        found = self._known.get(read)
        return self._those_with(read) if found is None else found

    def _those_with(self, read: tuple[Numbers | None, Numbers | None]) -> Numbers:
        self._known[read] = tuple(
            number
            for number, wants in self.wants.items()
            if all(here is None or want is None or number in here for want, here in zip(wants, read, strict=True))
        )
        return self._known[read]


def lookers_by_label(rules: Sequence[LaterRule], folder: Path) -> dict[str, Looker]:
    """Who looks at each label."""

    @cache  # many labels are looked at by the same rules
    def lookers(numbers: Numbers) -> Looker:
        return Lookers({number: rules[number] for number in numbers}, folder).at

    labels = dict.fromkeys(label for rule in rules for label in rule.of)
    return {label: lookers(tuple(n for n, rule in enumerate(rules) if label in rule.of)) for label in labels}


class Scanner:
    """Finds the matches of many patterns, and puts them on a board."""

    def __init__(self, patterns: Sequence[PatternRule], folder: Path) -> None:
        self.patterns = patterns
        self.exact = [Lazy(re.compile, pattern.expression) for pattern in patterns]
        self.automaton = automaton({n: pattern.expression for n, pattern in enumerate(patterns)}, cache=folder)

    def put_matches(self, boards: Sequence[Board]) -> None:
        """Put what is found on the boards; one pattern after the other, so it stays in the processor's cache."""
        if self.automaton is None:
            for pattern, exact in zip(self.patterns, self.exact, strict=True):
                for board in boards:
                    for match in exact.finditer(board.text):
                        pattern.put_match(board, match)
            return
        places: defaultdict[int, list[tuple[Board, int]]] = defaultdict(list)
        for board in boards:
            for start, numbers in self.automaton.starts(board.data):
                for number in numbers:
                    places[number].append((board, start))
        for number in sorted(places):
            pattern, match_at, last, free = self.patterns[number], self.exact[number].match, None, 0
            for board, start in places[number]:
                if (board is not last or start >= free) and (match := match_at(board.text, start)):
                    last, free = board, match.end()
                    pattern.put_match(board, match)


TOGETHER = 50  # texts


@dataclass(frozen=True)
class Engine:
    """A pack made ready to run."""

    pack: Pack
    scanner: Scanner
    words: Words[ListRule]
    later: tuple[LaterRule, ...]
    lookers: Mapping[str, Looker]  # at each label

    @classmethod
    def of(cls, pack: Pack) -> Engine:
        """Compile a pack."""
        warn_if_missing()
        by_name = {rule.header.name: rule for rule in pack.rules if isinstance(rule, PatternRule)}
        scanner = Scanner([by_name[name] for name in pack.expressions], cache_folder())
        words = Words((rule, rule.words) for rule in pack.rules if isinstance(rule, ListRule))
        later = tuple(rule for rule in pack.rules if isinstance(rule, LaterRule))
        return cls(pack, scanner, words, later, lookers_by_label(later, cache_folder()))

    def run(self, text: str, *, explain: bool = False) -> Board:
        """Run all rules over a text and return the board, with what was refused if it is to explain that."""
        return self._run_together([text], explain=explain)[0]

    def run_many(self, texts: Sequence[str]) -> Iterator[Board]:
        """The boards of many texts."""
        for first in range(0, len(texts), TOGETHER):
            yield from self._run_together(texts[first : first + TOGETHER])

    def _run_together(self, texts: Sequence[str], *, explain: bool = False) -> list[Board]:
        """Each rule runs over all texts before the next does, so that it stays in the processor's cache: a fifth quicker."""
        boards = [Board(text, self.lookers, explain) for text in texts]
        self.scanner.put_matches(boards)
        for board in boards:
            for start, end, owners in self.words.hits(board.text):
                case = case_of(board.text, start, end)
                for owner in owners:
                    owner.put_word(board, start, end, case)
        for number, rule in enumerate(self.later):
            for board in boards:
                if number in board.near and (candidates := board.near_rule(number)):
                    rule.apply(board, candidates)
        return boards

    def spans(self, board: Board) -> tuple[Span, ...]:
        """What is left of the candidates on a board when overlaps are settled."""
        return settle_overlaps(board.candidates())


@cache
def _engine(lang: str, extra: tuple[Path, ...]) -> Engine:
    return Engine.of(load_pack(lang, extra))


@dataclass(frozen=True, slots=True)
class RulesDetector:
    """Finds identifiers by the rules of a language, and those a user adds in TOML files of their own.

    >>> [span.label for span in RulesDetector("fr").detect(Document("n", "Vu par le Dr Rochat le 18.03.2022"))]
    ['PERSONNEL_MÉDICAL', 'DATE']
    """

    lang: str = "en"
    rules: tuple[Path, ...] = field(default=())

    name = "rules"
    apart = True  # what is found in a note does not depend on those beside it

    @property
    def engine(self) -> Engine:
        """The compiled pack, shared by all detectors of the same rules."""
        return _engine(self.lang, tuple(self.rules))

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
        return [engine.spans(board) for board in engine.run_many([document.text for document in documents])]
