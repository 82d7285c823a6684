"""SemEval-2013 task 9.1: strict, exact, partial and type, with correct, incorrect, partial, missed and spurious.

Rule: Segura-Bedmar et al. 2013, as nervaluate 1.2.1 applies it: one prediction answers at most one gold entity, in
the order given; the first gold entity that it answers rightly, else the first that it overlaps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple

from innominate.core import Document
from innominate.evaluate.counts import Pair

LEAST_OVERLAP = 0.01  # of the gold entity; less does not count as an answer to it


class Entity(NamedTuple):
    """A label and its first and last position. The last is part of it, as nervaluate has it."""

    label: str
    start: int
    last: int


class Outcome(NamedTuple):
    """How the predictions answered, in the five words of the task."""

    correct: int = 0
    incorrect: int = 0
    partial: int = 0
    missed: int = 0
    spurious: int = 0

    @classmethod
    def total(cls, outcomes: Iterable[Outcome]) -> Outcome:
        """Pool the outcomes of several documents."""
        return cls(*map(sum, zip(*outcomes, strict=True)))

    def as_dict(self) -> dict[str, Any]:
        """Counts and rates; a partial answer is worth a half."""
        answered = self.correct + self.incorrect + self.partial
        actual, possible = answered + self.spurious, answered + self.missed
        worth = self.correct + 0.5 * self.partial
        p, r = worth / actual if actual else 0.0, worth / possible if possible else 0.0
        f1 = 2 * p * r / (p + r) if p + r else 0.0
        return {**self._asdict(), "actual": actual, "possible": possible, "precision": p, "recall": r, "f1": f1}


def _same_place(gold: Entity, found: Entity) -> bool:
    return gold.start == found.start and gold.last == found.last


class MatchRule(NamedTuple):
    """When an overlapping answer is right, and what it is otherwise."""

    right: Callable[[Entity, Entity], bool]
    otherwise: Literal["incorrect", "partial"]
    nearest: bool = False  # of several right ones take the nearest, not the first


RULES = {
    "strict": MatchRule(lambda gold, found: gold == found, "incorrect"),
    "partial": MatchRule(_same_place, "partial"),
    "ent_type": MatchRule(lambda gold, found: gold.label == found.label, "incorrect", nearest=True),
    "exact": MatchRule(_same_place, "incorrect"),
}


def score(pairs: Iterable[Pair]) -> dict[str, Any]:
    """All four measures for (gold, system) documents, pooled and by label.

    >>> from innominate.core import annotated
    >>> gold, system = annotated("[Eva Ek](NAME) slept.", "n1"), annotated("[Eva](NAME) Ek slept.", "n1")
    >>> score([(gold, system)])["overall"]["partial"]["f1"]
    0.5
    """
    return score_entities([(entities(gold), entities(system)) for gold, system in pairs])


def entities(document: Document) -> list[Entity]:
    """The spans of a document, each once; half-open ends become inclusive ones."""
    return [Entity(span.label, span.start, span.end - 1) for span in dict.fromkeys(document.spans)]


def score_entities(pairs: Sequence[tuple[Sequence[Entity], Sequence[Entity]]]) -> dict[str, Any]:
    """The same for entities. By label, only entities of that label take part, so a wrong label is missed and spurious."""
    labels = sorted({entity.label for pair in pairs for side in pair for entity in side})
    by_label = {
        label: [([e for e in gold if e.label == label], [e for e in found if e.label == label]) for gold, found in pairs]
        for label in labels
    }
    return {"overall": _measures(pairs), "per_type": {label: _measures(some) for label, some in by_label.items()}}


def _measures(pairs: Iterable[tuple[Sequence[Entity], Sequence[Entity]]]) -> dict[str, Any]:
    outcomes: dict[str, list[Outcome]] = {name: [] for name in RULES}
    for gold, found in pairs:
        if not gold and not found:
            continue
        near = [[i for i, entity in enumerate(gold) if _overlap(entity, one)] for one in found]
        for name, rule in RULES.items():
            outcomes[name].append(outcome(gold, found, near, rule))
    return {name: Outcome.total(some).as_dict() for name, some in outcomes.items()}


def outcome(gold: Sequence[Entity], found: Sequence[Entity], near: Sequence[Sequence[int]], rule: MatchRule) -> Outcome:
    """Let each prediction in turn answer one of the gold entities near it that nobody has answered yet."""
    answered: set[int] = set()
    counts = {"correct": 0, "incorrect": 0, "partial": 0, "spurious": 0}
    for one, candidates in zip(found, near, strict=True):
        free = [i for i in candidates if i not in answered]
        right = [i for i in free if rule.right(gold[i], one)]
        if right and rule.nearest:
            right.sort(key=lambda i: abs(gold[i].start - one.start) + abs(gold[i].last - one.last))
        counts["correct" if right else rule.otherwise if free else "spurious"] += 1
        answered.update((right or free)[:1])
    return Outcome(missed=len(gold) - len(answered), **counts)


def _overlap(gold: Entity, found: Entity) -> bool:
    shared = min(gold.last, found.last) - max(gold.start, found.start) + 1
    return shared > 0 and shared / (gold.last - gold.start + 1) >= LEAST_OVERLAP
