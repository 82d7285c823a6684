"""Votes that weigh more or less: by the quality of each annotator, or by a model of their errors.

Dawid and Skene 1979: every annotator has a table of how often a true category is called what; categories and tables are
estimated in turn. With a handful of annotators it orders a manager's queue well; it should not overrule people by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from typing import Literal

from innominate.campaign.reference.verdicts import (
    Aligned,
    Record,
    Segment,
    Verdict,
    count_votes,
    judge_records,
    measure_qualities,
)

Scheme = Literal["equal", "index", "dawid-skene"]
Chances = Mapping[tuple[str, Segment], float]  # (sample, place) -> how probable it is that something is there
Answers = Sequence[tuple[str, str | None]]  # who said what
ByLabel = dict[str | None, float]  # None: nothing is there
Tables = dict[str, dict[str | None, ByLabel]]  # annotator -> true label -> what it is called
ROUNDS = 50
_SETTLED = 1e-6
_PRIOR = 0.01  # added to every count, so that what has not happened yet is not impossible
_TRUST = 1.0  # added to the right answer of everybody: a category that one person alone uses says nothing by itself


def weights_by_quality(records: Iterable[Record]) -> dict[str, float]:
    """The quality index of each annotator under equal votes; 1 for those who cannot be judged."""
    return {
        who: quality.index or 0.0
        for who, quality in measure_qualities(judge_records(records)).items()
        if quality.index is not None
    }


@dataclass(frozen=True, slots=True)
class AnnotatorEstimate:
    """For each item the probabilities of its categories, and for each annotator how often the category is right."""

    categories: tuple[Mapping[str | None, float], ...]
    accuracy: Mapping[str, float]


def estimate_by_dawid_skene(items: Sequence[Answers], rounds: int = ROUNDS) -> AnnotatorEstimate:
    """Estimate categories and annotators together.

    >>> careful = [[("eva", "NAME"), ("ola", "NAME"), ("bot", None)]] * 9 + [[("eva", None), ("ola", "NAME"), ("bot", "NAME")]]
    >>> found = estimate_by_dawid_skene(careful)
    >>> found.accuracy["eva"] > found.accuracy["bot"]
    True
    """
    labels: list[str | None] = sorted({label for item in items for _, label in item}, key=str)
    guesses: list[ByLabel] = [
        {label: count / len(item) for label, count in Counter(label for _, label in item).items()} for item in items
    ]
    tables: Tables = {}
    for _ in range(rounds):
        prior, tables = _maximise(items, guesses, labels)
        following = [_expect(item, prior, tables) for item in items]
        moved = max(
            (abs(new[label] - old.get(label, 0.0)) for new, old in zip(following, guesses, strict=True) for label in new),
            default=0.0,
        )
        guesses = following
        if moved < _SETTLED:
            break
    return AnnotatorEstimate(tuple(guesses), _accuracy(items, guesses))


def _maximise(
    items: Sequence[Answers], guesses: Sequence[Mapping[str | None, float]], labels: Sequence[str | None]
) -> tuple[ByLabel, Tables]:
    """How frequent categories are, and the log of how often each annotator calls one what."""
    prior: ByLabel = dict.fromkeys(labels, _PRIOR)
    counts: Tables = {}
    for item, guess in zip(items, guesses, strict=True):
        for truth, chance in guess.items():
            prior[truth] += chance
            for who, said in item:
                table = counts.setdefault(who, {})
                if truth not in table:
                    table[truth] = {**dict.fromkeys(labels, _PRIOR), truth: _PRIOR + _TRUST}
                table[truth][said] += chance
    whole = sum(prior.values())
    tables = {
        who: {truth: {said: log(count / sum(row.values())) for said, count in row.items()} for truth, row in table.items()}
        for who, table in counts.items()
    }
    return {label: log(count / whole) for label, count in prior.items()}, tables


def _expect(item: Answers, prior: ByLabel, tables: Tables) -> ByLabel:
    """The probabilities of the categories that somebody gave to an item."""
    named = {label for _, label in item}
    unknown = -log(len(prior))
    logs = {
        truth: prior[truth] + sum(tables[who][truth][said] if truth in tables[who] else unknown for who, said in item)
        for truth in named
    }
    highest = max(logs.values())
    weights = {truth: exp(value - highest) for truth, value in logs.items()}
    total = sum(weights.values())
    return {truth: weight / total for truth, weight in weights.items()}


def _accuracy(items: Sequence[Answers], guesses: Sequence[Mapping[str | None, float]]) -> dict[str, float]:
    right: dict[str, float] = {}
    done: dict[str, int] = {}
    for item, guess in zip(items, guesses, strict=True):
        for who, said in item:
            right[who] = right.get(who, 0.0) + guess.get(said, 0.0)
            done[who] = done.get(who, 0) + 1
    return {who: right[who] / done[who] for who in sorted(done)}


def weigh_votes(records: Sequence[Record], scheme: Scheme) -> tuple[list[Record], Chances]:
    """Decide all votes again with weights, and say how probable it is that anything is there.

    By index, a vote weighs what its annotator's quality index is. By Dawid and Skene, the category is the one that is more
    probable than all others together, and votes on limits weigh what the model thinks of the annotator.
    """
    if scheme == "equal":
        return list(records), {}
    if scheme == "index":
        weights = weights_by_quality(records)
        return [_with_weights(record, weights) for record in records], {}
    several = [aligned for record in records for aligned in record.aligned if len(aligned.annotators) > 1]
    estimate = estimate_by_dawid_skene([answers_on_alignment(aligned) for aligned in several])
    posterior = {id(aligned): guess for aligned, guess in zip(several, estimate.categories, strict=True)}
    chances = {(aligned.sample, aligned.place): 1 - posterior[id(aligned)].get(None, 0.0) for aligned in several}
    found = []
    for record in records:
        decided = _with_weights(record, estimate.accuracy)
        aligned = [
            replace(new, category=_probable(new.category, posterior[id(old)])) if id(old) in posterior else new
            for old, new in zip(record.aligned, decided.aligned, strict=True)
        ]
        found.append(replace(decided, aligned=tuple(aligned)))
    return found, chances


def _with_weights(record: Record, weights: Mapping[str, float]) -> Record:
    aligned = []
    for one in record.aligned:
        weighed = count_votes(one.units, one.annotators, weights)
        segment, category = Verdict.of(one.segment.vote, weighed.segment), Verdict.of(one.category.vote, weighed.category)
        aligned.append(replace(one, segment=segment, category=category))
    return replace(record, aligned=tuple(aligned))


def _probable(verdict: Verdict[str], chances: Mapping[str | None, float]) -> Verdict[str]:
    label, chance = max(chances.items(), key=lambda item: item[1])
    return Verdict(verdict.vote, chance > 0.5, label if chance > 0.5 else None)


def answers_on_alignment(aligned: Aligned) -> Answers:
    """What each annotator of the sample called this alignment."""
    return [(who, aligned.own(who)[1]) for who in aligned.annotators]
