"""Which later rules have something to do at a candidate, by its label and by what stands beside it.

A pack has dozens of rules that look beside candidates (`Fax` before a telephone number), and almost none fits a given one. So
there is, for each label, an automaton that reads to the left and one that reads to the right, each for all rules at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from innominate.detect.rules.expressions.automaton import automaton
from innominate.detect.rules.rule import LaterRule

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


def lookers_by_label(rules: Sequence[LaterRule], folder: Path) -> dict[str, Lookers]:
    """Who looks at each label."""

    @cache  # many labels are looked at by the same rules
    def lookers(numbers: Numbers) -> Lookers:
        return Lookers({number: rules[number] for number in numbers}, folder)

    labels = dict.fromkeys(label for rule in rules for label in rule.of)
    return {label: lookers(tuple(n for n, rule in enumerate(rules) if label in rule.of)) for label in labels}
