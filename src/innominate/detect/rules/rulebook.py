"""A rule pack as the native engine wants it: labels and rules by number, and what each rule has to know."""

from __future__ import annotations

import functools
from array import array
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

from innominate.detect.rules.board import Found
from innominate.detect.rules.checks import check
from innominate.detect.rules.expressions.alternation import compiled
from innominate.detect.rules.expressions.automaton import automaton
from innominate.detect.rules.expressions.characters import seen
from innominate.detect.rules.expressions.lazy import Lazy
from innominate.detect.rules.kinds.beside import BesideRule
from innominate.detect.rules.kinds.keep import KeepRule, outside
from innominate.detect.rules.kinds.names import FIRST, LAST, TRIGGERS, NamesRule
from innominate.detect.rules.kinds.pattern import PatternRule
from innominate.detect.rules.kinds.relabel import RelabelRule
from innominate.detect.rules.kinds.word_list import CASES, ListRule
from innominate.detect.rules.native import native
from innominate.detect.rules.nearby import looking
from innominate.detect.rules.rule import LaterRule, Rule
from innominate.detect.rules.words import CHARACTERS, Words

BEFORE, AFTER = 0, 1
_EXTENTS = ("whole", "each", "parts")
_HOW = (*(trigger.strip(".") for trigger in TRIGGERS), "first_name", "again")  # a name is found


def rulebook(
    rules: Sequence[Rule], patterns: Sequence[PatternRule], words: Words[ListRule], later: Sequence[LaterRule], cache: Path
) -> Any:
    """Make rules ready to run in the native engine."""
    assert native is not None
    numbers = _Numbers(rules)
    return native.Rulebook(
        tuple(numbers.labels),
        tuple(numbers.rows),
        automaton({number: pattern.expression for number, pattern in enumerate(patterns)}, cache=cache),
        tuple(numbers.pattern(pattern) for pattern in patterns),
        numbers.words(words),
        numbers.nearby(later, cache),
        tuple(map(numbers.step, later)),
        seen,
        Found,
    )


def _expression(exact: Lazy | None, *groups: str | int) -> tuple[Lazy, tuple[str | int, ...]] | None:
    """An expression and the groups whose places are wanted, by name; 0 is the whole."""
    return (exact, groups) if exact else None


class _Numbers:
    """Labels and rules by number."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        given = {label for rule in rules for label in (*rule.gives, *rule.needs, *getattr(rule, "of", ()))}
        self.labels = {label: number for number, label in enumerate(sorted(given))}
        self.rules: dict[str, int] = {}
        self.rows: list[tuple[Any, ...]] = []
        for rule in rules:
            header = rule.header
            for name in _names(rule):
                self.rules[name] = len(self.rows)
                label = self.labels.get(header.label, -1)
                self.rows.append((name, label, header.score, header.priority))

    def pattern(self, rule: PatternRule) -> tuple[Any, ...]:
        """As `PatternRule.hit` does it; the first group is the whole match."""
        checking = partial(check, rule.check) if rule.check else None
        return self.rules[rule.header.name], _expression(Lazy(compiled, rule.expression), 0, *rule.groups), checking

    def words(self, words: Words[ListRule]) -> tuple[Any, ...]:
        """The words of lists, and the rules that want to know."""
        owners = [owner for several in words.owners for owner in several]
        return (
            partial(words.automaton.find_matches_as_indexes, overlapping=True),
            CHARACTERS,
            array("i", words.lengths).tobytes(),
            array("i", accumulate(map(len, words.owners), initial=0)).tobytes(),
            array("i", [self.rules[owner.header.name] for owner in owners]).tobytes(),
            bytes(CASES.index(owner.case) for owner in owners),
        )

    def nearby(self, later: Sequence[LaterRule], cache: Path) -> tuple[Any, ...]:
        """Which later rules look at each label, and what they want beside it: two automata a label, one reads to each side."""
        wanted = looking(later)

        @functools.cache
        def reading(numbers: tuple[int, ...], side: int) -> Any | None:
            sides = {number: expression for number in numbers if (expression := later[number].beside[side]) is not None}
            return automaton(sides, backwards=side == BEFORE, cache=cache) if sides else None

        def bits(numbers: Iterable[int]) -> bytes:
            return sum(1 << number for number in numbers).to_bytes(8 * ((len(later) + 63) // 64), "little")

        def always(side: int) -> bytes:
            return bits(number for number, rule in enumerate(later) if rule.beside[side] is None)

        by_label = [wanted.get(label, ()) for label in self.labels]
        return (
            b"".join(map(bits, by_label)),
            tuple(reading(numbers, BEFORE) for numbers in by_label),
            always(BEFORE),
            tuple(reading(numbers, AFTER) for numbers in by_label),
            always(AFTER),
        )

    def step(self, rule: LaterRule) -> tuple[str, tuple[Any, ...]]:
        """A later rule, as its `apply` does it."""
        number, label = self.rules.get(rule.header.name), self.labels.get(rule.header.label)
        if isinstance(rule, RelabelRule):
            return "relabel", (number, label, *map(_expression, (rule.before, rule.after, rule.itself)))
        if isinstance(rule, BesideRule):
            sides = (_expression(side, "span") for side in (rule.before, rule.after))
            return "beside", (number, label, *sides, rule.header.label in rule.of)
        if isinstance(rule, KeepRule):
            return "keep", (tuple(self.labels[label] for label in rule.against), outside)
        if isinstance(rule, NamesRule):
            return "names", self._names(rule)
        raise TypeError(f"the native engine knows no rules of the kind {type(rule).__name__}")

    def _names(self, rule: NamesRule) -> tuple[Any, ...]:
        shape, label = rule.shape, self.labels
        return (
            _expression(shape.forwards, 0, "word", "initials"),
            _expression(shape.backwards, 0, "word", "initials"),
            "".join(sorted(shape.begins)),
            rule.not_names,
            (label[rule.header.label], label[rule.staff_label], label[rule.unknown_label]),
            _EXTENTS.index(rule.extent),
            tuple(label[part] for part in rule.part_labels),
            tuple(label.get(mark) for mark in (*TRIGGERS, FIRST, LAST)),
            tuple(self.rules[name] for name in _names(rule)),
        )


def _names(rule: Rule) -> Iterable[str]:
    """The names under which a rule gives something."""
    name = rule.header.name
    return [f"{name}.{how}" for how in _HOW] if isinstance(rule, NamesRule) else [name]
