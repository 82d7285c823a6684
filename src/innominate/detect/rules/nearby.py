"""Which later rules look at a candidate, by its label.

A pack has dozens of rules that look beside candidates (`Fax` before a telephone number), and almost none fits a given one. In
Python each of them looks; the native engine has, for each label, an automaton that reads to the left and one that reads to the
right, each for all rules at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from innominate.detect.rules.rule import LaterRule


def looking(rules: Sequence[LaterRule]) -> dict[str, tuple[int, ...]]:
    """The rules that look at each label, by number."""
    labels: Iterable[str] = dict.fromkeys(label for rule in rules for label in rule.of)
    return {label: tuple(number for number, rule in enumerate(rules) if label in rule.of) for label in labels}
