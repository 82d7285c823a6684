"""Names of people: after a title or a field, around a listed first name, spread to neighbours, and found again elsewhere.

A name is words with a capital, initials and particles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from ahocorasick_rs import AhoCorasick

from innominate.detect.rules.board import Board, Found, Header, LaterRule, made
from innominate.detect.rules.expressions.expand import LOWER, UPPER, alternatives
from innominate.detect.rules.expressions.matching import Lazy

_POSSESSIVE = rf"[sS](?![{UPPER}{LOWER}])"  # `Miller's` is the name Miller; O'Shea is one name
_WORD = rf"[{UPPER}](?:[{UPPER}{LOWER}]|['’](?!{_POSSESSIVE})(?=[{UPPER}{LOWER}]))+(?:-[{UPPER}]?[{UPPER}{LOWER}]*)*"
_INITIAL = rf"[{UPPER}]\.(?:(?:[ ]?-[ ]?|[ ]{{0,2}})[{UPPER}]\.)*"  # one way to read each: a choice would double the time
_GAP = r"[ \u00a0]{1,2}"  # a tab begins another cell


class Token(NamedTuple):  # a dataclass costs three times as much to make
    """One part of a name in the text: a word with the particles before it, or initials."""

    start: int
    end: int
    word: str  # without particles
    initials: bool = False


_made = partial(tuple.__new__, Token)


@dataclass(frozen=True, slots=True)
class NameShape:
    """Reads name tokens at a position, forwards or backwards."""

    forwards: Lazy
    backwards: Lazy
    begins: frozenset[str]  # letters with which a particle begins, as capitals

    @classmethod
    def with_particles(cls, particles: frozenset[str]) -> NameShape:
        """A shape for a language with these particles (`de la`, `von`)."""
        particle = rf"(?i:{alternatives(particles)})(?:{_GAP}|(?<=['’]))" if particles else r"(?!)"
        token = rf"(?:(?:{particle}){{0,3}}(?P<word>{_WORD})|(?P<initials>{_INITIAL}))"
        end = rf"(?![{UPPER}{LOWER}])"
        begins = frozenset(particle[0].upper() for particle in particles)
        backwards = rf"(?<![{UPPER}{LOWER}'’-]){token}\Z"
        return cls(Lazy(re.compile, token + end), Lazy(re.compile, backwards), begins)

    def at(self, text: str, position: int) -> Token | None:
        """The token that begins at a position."""
        first = text[position : position + 1]
        if first.islower() and first.upper() not in self.begins:  # most words that follow a name: no need to look closer
            return None
        return _token(self.forwards.match(text, position, position + 80))

    def after(self, text: str, position: int) -> Token | None:
        """The token that follows a position after a small gap on the same line."""
        gap = _AFTER.match(text, position)
        return self.at(text, gap.end()) if gap else None

    def before(self, text: str, position: int) -> Token | None:
        """The token that ends before a position, a small gap apart, on the same line."""
        gap = _BEFORE.search(text, max(0, position - 3), position)
        if not gap or gap.start() == position:
            return None
        end = gap.start()
        near = text[max(0, end - 60) : end]
        word = near[near.rfind(" ") + 1 :]
        if word == word.lower():  # no capital: the search would only take longer to say no
            return None
        return _token(self.backwards.search(text, max(0, end - 60), end))

    def run(self, text: str, position: int) -> Iterator[Token]:
        """Tokens one after the other from a position."""
        token = self.at(text, position)
        while token:
            yield token
            token = self.after(text, token.end)


_AFTER = re.compile(_GAP)
_BEFORE = re.compile(rf"{_GAP}\Z")


def _token(match: re.Match[str] | None) -> Token | None:
    if match is None:
        return None
    word, initials = match.group("word", "initials")
    return _made((*match.span(), initials or word, initials is not None))


TITLE, STAFF_TITLE, FIELD, STAFF_FIELD = ".title", ".staff_title", ".name_field", ".staff_field"
FIRST, LAST = ".first_name", ".last_name"
TRIGGERS = (STAFF_TITLE, TITLE, STAFF_FIELD, FIELD)  # from the surest to the weakest
LONGEST = 6  # tokens in one name
_AFTER_TITLE = re.compile(r"\.?[ \t\u00a0]{0,3}")
_AFTER_FIELD = re.compile(r"\.?[ \t\u00a0]{0,4}[:=|]?[ \t\u00a0]{0,6}|\t{1,3}")


@dataclass(frozen=True, slots=True)
class NamesRule(LaterRule):
    """The rule that finds names. Lists and labels come from its table; the marks it needs are given by list rules."""

    staff_label: str
    unknown_label: str  # of a name without a trigger that shares no surname with a name found before
    extent: str  # "each": every name apart; "whole": one span; "parts": first and last names by label
    part_labels: tuple[str, str]  # of first and last names, for "parts"
    not_names: frozenset[str]  # words in lower case that are never part of a name by themselves
    shape: NameShape

    @classmethod
    def from_table(
        cls,
        header: Header,
        table: dict[str, Any],
        words: Callable[[str], Iterable[str]],
    ) -> NamesRule:
        """Read the rule from its table."""
        particles = frozenset(words(table["particles"]))

        def folded(key: str) -> frozenset[str]:
            return frozenset(word.casefold() for name in table.get(key, []) for word in words(name))

        excluded = folded("not_names") - folded("but_names") | folded("name_words")
        parts = tuple(table.get("part_labels", (header.label, header.label)))
        return cls(
            header,
            frozenset(table.get("needs", (TITLE, STAFF_TITLE, FIELD, STAFF_FIELD, FIRST, LAST))),
            table.get("staff_label", header.label),
            table.get("unknown_label", header.label),
            table.get("extent", "whole"),
            (parts[0], parts[1]),
            excluded,
            NameShape.with_particles(particles),
        )

    @property
    def gives(self) -> frozenset[str]:
        """The labels of names."""
        return frozenset({self.header.label, self.staff_label, self.unknown_label, *self.part_labels})

    def apply(self, board: Board, _candidates: Sequence[Found]) -> None:
        """Find names from the surest evidence to the weakest, then every other place where they stand."""
        finder = _Finder(self, board)
        finder.after_triggers(STAFF_TITLE, _AFTER_TITLE, self.staff_label, 0.97)
        finder.after_triggers(TITLE, _AFTER_TITLE, self.header.label, 0.96)
        finder.after_triggers(STAFF_FIELD, _AFTER_FIELD, self.staff_label, 0.93)
        finder.after_triggers(FIELD, _AFTER_FIELD, self.header.label, 0.93)
        finder.around_first_names()
        finder.elsewhere()
        for name in finder.names:
            for found in self._spans(name):
                board.put(found)

    def _spans(self, name: _Name) -> Iterator[Found]:
        """Cut a name into spans as the taxonomy wants them."""
        header = self.header

        rule = f"{header.name}.{name.how}"

        def found(start: int, end: int, label: str) -> Found:
            return made((start, end, label, name.score, rule, header.priority, name.because, None))

        if self.extent == "whole":
            yield found(name.tokens[0].start, name.tokens[-1].end, name.label)
        elif self.extent == "each":
            for start, end in _each(name.tokens):
                yield found(start, end, name.label)
        else:
            first, last = self.part_labels
            for is_first, pairs in groupby(zip(name.firsts(), name.tokens, strict=True), key=itemgetter(0)):
                tokens = [token for _, token in pairs]
                yield found(tokens[0].start, tokens[-1].end, first if is_first else last)


class _Name(NamedTuple):
    """A run of tokens that is a name."""

    tokens: tuple[Token, ...]
    label: str
    score: float
    how: str
    because: tuple[Found, ...]
    listed_first: frozenset[int]  # starts of tokens that are listed first names
    initials: frozenset[str]
    words: frozenset[str]  # in small letters, as the initials

    def firsts(self) -> list[bool]:
        """Which tokens are first names: those listed as such, and all but the last of several."""
        several = len(self.tokens) > 1
        flags = [token.start in self.listed_first or (several and token.initials) for token in self.tokens]
        if several and not any(flags):
            flags = [True] * (len(flags) - 1) + [False]
        if several and all(flags):
            flags[-1] = False
        return flags


def _each(tokens: tuple[Token, ...]) -> Iterator[tuple[int, int]]:
    """Every name apart; initials go with the name after them, or else with the one before."""
    spans: list[list[int]] = []
    pending: int | None = None
    for token in tokens:
        if token.initials:
            pending = token.start if pending is None else pending
            continue
        spans.append([pending if pending is not None else token.start, token.end])
        pending = None
    if pending is not None and spans:
        spans[-1][1] = tokens[-1].end
    yield from ((start, end) for start, end in spans)


class _Finder:
    """Finds the names of one text."""

    def __init__(self, rule: NamesRule, board: Board) -> None:
        self.rule, self.board, self.text = rule, board, board.text
        self.first = {found[0]: found for found in board.of_label(FIRST)}
        self.last = {found[0] for found in board.of_label(LAST)}
        self.triggers = {found[0] for mark in TRIGGERS for found in board.of_label(mark) if found[0] < found[1]}
        self.names: list[_Name] = []
        self.different: set[tuple[Any, ...]] = set()  # names as they are written, with their labels: a long text has few
        self.by_word: dict[str, list[int]] = {}  # of each of their words and initials: their numbers
        self.taken: set[int] = set()  # starts of tokens that belong to a name

    def after_triggers(self, mark: str, gap: re.Pattern[str], label: str, score: float) -> None:
        """A name right after each trigger."""
        for trigger in self.board.of((mark,)):
            match = gap.match(self.text, trigger.end)
            position = match.end() if match else trigger.end
            tokens = self._run(position)
            if tokens and not (len(tokens) == 1 and tokens[0].initials):
                self._take(tokens, label, score, how=trigger.label.strip("."), because=(trigger,))

    def around_first_names(self) -> None:
        """A listed first name with a neighbour that looks like a name."""
        for found in sorted(self.first.values(), key=lambda f: f.start):
            if found.start in self.taken or self._is_ordinary(self.text[found.start : found.end]):
                continue
            tokens = self._run(found.start)
            before = self.rule.shape.before(self.text, found.start)
            if before and before.start not in self.taken and self._may_be_name(before):
                tokens = (before, *tokens)
            if len(tokens) > 1 and not all(token.initials for token in tokens[1:] or tokens):
                self._take(tokens, self._find_label(tokens), 0.85, how="first_name", because=(found,))

    def _find_label(self, tokens: tuple[Token, ...]) -> str:
        """The label of a name found before with the same words, of a lone surname that is the last here, or of a relative."""
        words = {token.word.casefold() for token in tokens if not token.initials}
        last = tokens[-1].word.casefold()
        for number in sorted({number for word in (*words, last) for number in self.by_word.get(word, ())}):
            name = self.names[number]
            if len(words & name.words) > 1 or name.words == {last}:
                return name.label
        label = self.rule.header.label
        related = any(self.names[number].label == label for number in self.by_word.get(last, ()))
        return label if related else self.rule.unknown_label

    def elsewhere(self) -> None:
        """The words of names found so far, wherever else they stand; several of them in a row are one name."""
        known: dict[str, _Name] = {}
        spelled: set[str] = set()  # as they are looked for: with their particles too
        for name in self.names:
            for token in name.tokens:
                if len(token.word) >= 3 and not token.initials and not self._is_ordinary(token.word):
                    for word in (token.word, token.word.upper(), token.word.title()):
                        known.setdefault(word, name)
                        spelled.add(word)
                    spelled.add(self.text[token.start : token.end])
        for start in sorted(_places(self.text, spelled) - self.taken):
            tokens: list[Token] = []
            for token in self.rule.shape.run(self.text, start):
                if token.start in self.taken or not (token.word in known or (token.initials and tokens)):
                    break
                tokens.append(token)
            if not tokens:
                continue
            name = known[tokens[0].word]
            before = self.rule.shape.before(self.text, start)
            if before and before.initials and before.start not in self.taken:
                tokens.insert(0, before)
            self._take(tuple(tokens), name.label, min(name.score, 0.9), how="again", because=name.because)

    def _run(self, position: int) -> tuple[Token, ...]:
        """The tokens of a name from a position on, of which the first is sure."""
        tokens: list[Token] = []
        for token in self.rule.shape.run(self.text, position):
            if len(tokens) >= LONGEST or token.start in self.taken:
                break
            if not (self._may_be_name(token) if tokens else not self._is_trigger(token)):
                break
            tokens.append(token)
        while len(tokens) > 1 and tokens[-1].initials and not tokens[-1].word.endswith("."):
            tokens.pop()
        return tuple(tokens)

    def _may_be_name(self, token: Token) -> bool:
        """Listed as a name, or at least no ordinary word."""
        if token.initials:
            return True
        start = token.end - len(token.word)  # behind its particles
        listed = start in self.first or start in self.last
        return listed or not (self._is_ordinary(token.word) or self._is_trigger(token))

    def _is_ordinary(self, word: str) -> bool:
        return word.casefold() in self.rule.not_names

    def _is_trigger(self, token: Token) -> bool:
        """Whether it is another title or field."""
        return not token.initials and token.start in self.triggers

    def _take(self, tokens: tuple[Token, ...], label: str, score: float, *, how: str, because: tuple[Found, ...]) -> None:
        starts = frozenset([token[0] for token in tokens])
        self.taken |= starts
        initials = frozenset([token[2].casefold() for token in tokens if token[3]])
        words = frozenset([token[2].casefold() for token in tokens if not token[3]])
        name = _Name(tokens, label, score, how, because, starts & self.first.keys(), initials, words)
        if (written := (label, *(token[2].casefold() for token in tokens))) not in self.different:
            self.different.add(written)
            for word in words | initials:
                self.by_word.setdefault(word, []).append(len(self.names))
        self.names.append(name)


def _places(text: str, words: set[str]) -> set[int]:
    """Where any of the words stands by itself."""
    found = AhoCorasick(list(words)).find_matches_as_indexes(text, overlapping=True)
    length = len(text)
    return {a for _, a, b in found if not (a and text[a - 1].isalnum()) and not (b < length and text[b].isalnum())}
