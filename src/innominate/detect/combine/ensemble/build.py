"""Making an ensemble or a hybrid: members are loaded and asked, weights are chosen, the folder is written.

What the word of each member on each label is worth is decided on annotated notes. Three ways to weigh (precision, recall, F1
on the label) and a few thresholds are tried. Weights of one half of the notes are tried on the other half, so that no note
takes part in its own score; the weights that are kept come from all notes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from innominate.core import Document, Score, Span, UsageError
from innominate.core.protocols import Detector
from innominate.detect.combine.ensemble.detector import (
    KIND,
    WAYS,
    EnsembleBallot,
    EnsembleCard,
    EnsembleDetector,
    believes,
    combine_opinions,
    count_votes,
)
from innominate.detect.combine.ensemble.members import ask_all, clear, copy_model, find_shared_taxonomy, member_detector
from innominate.detect.combine.hybrid import KIND as HYBRID
from innominate.detect.combine.hybrid import HybridCard
from innominate.detect.models.cards import load_card
from innominate.detect.models.named import is_known, is_name

_AT_ONCE = 20  # notes between two steps of a progress bar


@dataclass(frozen=True, slots=True)
class Measured:
    """Members and the ensemble on the same notes: what each found, and strict counts; those of weights are held out."""

    found: dict[str, list[Sequence[Span]]]
    scores: dict[str, Score]


def language_of(members: Sequence[str], lang: str) -> str:
    """The language of all members: what is asked for, or what their cards say."""
    said = {str(load_card(Path(name)).get("lang", "")) for name in members if not is_name(name)} - {""}
    if lang:
        said.add(lang)
    if len(said) != 1:
        found = f"they read {', '.join(sorted(said))}" if said else "their cards name none"
        raise UsageError(f"the members must be of one language, and {found}; say which with --lang")
    return said.pop()


def check_members(how: str, members: Sequence[str], dev: Sequence[Document] | None) -> None:
    """Say what does not fit before any model is loaded."""
    if how not in WAYS:
        raise UsageError(f"--how is one of {', '.join(WAYS)}, not {how!r}")
    for name in members:
        if not is_known(name):
            raise UsageError(f"{name}: no model is here; name folders made by `innominate train`, or `rules`")
    if len(members) < 2:
        raise UsageError("an ensemble is made of two models or more")
    if how == "weighted" and not dev:
        raise UsageError("weights come from annotated notes that no member has learned from; name them with --dev")


def build(
    members: Sequence[str],
    how: str,
    folder: Path,
    *,
    lang: str = "",
    dev: Sequence[Document] | None = None,
    copy: bool = False,
    tick: Callable[[Document], Document] = lambda note: note,
) -> Measured | None:
    """Write the folder of an ensemble, and measure it and its members if there are annotated notes."""
    check_members(how, members, dev)
    lang = language_of(members, lang)
    detectors = [member_detector(name, lang) for name in members]
    taxonomy = find_shared_taxonomy(detectors, members, lang)
    clear(folder, KIND, members)
    if how == "average":
        for one in detectors:
            believes(one, [])
    labels = tuple(sorted({label for one in detectors for label in one.labels}))
    card = EnsembleCard(how, lang, taxonomy, place_members(members, folder, copy), labels)
    if not dev:
        card.write(folder)
        return None
    opinions = _ask_in_parts(detectors, dev, tick)
    weighing = choose_weighing(dev, opinions, [one.labels for one in detectors]) if how == "weighted" else None
    if weighing:
        card = replace(card, weighing=weighing.by, weights=weighing.weights, threshold=weighing.threshold)
    elif how == "union":
        card = replace(card, weighing="f1", weights=weigh_members(dev, opinions, "f1"))
    card.write(folder)
    return _measure_on_dev(card, folder, dev, (list(members), opinions, [one.labels for one in detectors]), weighing=weighing)


def _measure_on_dev(
    card: EnsembleCard,
    folder: Path,
    dev: Sequence[Document],
    asked: tuple[list[str], list[list[Sequence[Span]]], list[frozenset[str]]],
    *,
    weighing: Weighing | None,
) -> Measured:
    """Score everybody, and write the scores on the card."""
    members, opinions, knows = asked
    if card.how == "average":
        together = list(EnsembleDetector(card.lang, str(folder)).detect_many(dev))
    else:
        together = [combine_opinions(card, knows, note.text, [by[i] for by in opinions]) for i, note in enumerate(dev)]
    found = {f"{number} {name}": by for number, (name, by) in enumerate(zip(members, opinions, strict=True), start=1)}
    scores = {name: score_strictly(dev, by) for name, by in found.items()}
    scores[card.how] = weighing.held_out if weighing else score_strictly(dev, together)
    rates = {name: {"precision": s.precision, "recall": s.recall, "f1": s.f()} for name, s in scores.items()}
    facts = {name: {key: round(value, 4) for key, value in rate.items()} for name, rate in rates.items()}
    replace(card, dev={"notes": len(dev), **facts}).write(folder)
    return Measured({**found, card.how: together}, scores)


def _ask_in_parts(
    detectors: Sequence[Detector], dev: Sequence[Document], tick: Callable[[Document], Document]
) -> list[list[Sequence[Span]]]:
    opinions: list[list[Sequence[Span]]] = [[] for _ in detectors]
    for first in range(0, len(dev), _AT_ONCE):
        some = dev[first : first + _AT_ONCE]
        for mine, more in zip(opinions, ask_all(detectors, some), strict=True):
            mine += more
        for note in some:
            tick(note)
    return opinions


def place_members(members: Sequence[str], folder: Path, copy: bool) -> tuple[str, ...]:
    """Members as the card names them: copied in, or by the path from the folder of the ensemble, or as given if absolute."""
    places = []
    for number, name in enumerate(members, start=1):
        if is_name(name):
            places.append(name)
        elif copy:
            place = f"members/{number}-{Path(name).resolve().name}"
            copy_model(name, folder / place)
            places.append(place)
        else:
            places.append(name if Path(name).is_absolute() else os.path.relpath(name, folder))
    return tuple(places)


@dataclass(frozen=True, slots=True)
class HybridShares:
    """Who finds what in a hybrid, apart from what the rules were told to keep."""

    model: tuple[str, ...]
    rules_alone: tuple[str, ...]  # labels that the model does not know


def build_hybrid(
    model: str, folder: Path, rules_keep: tuple[str, ...], *, lang: str = "", copy: bool = False, decided: Mapping[str, Any]
) -> HybridShares:
    """Write the folder of a hybrid: the rules keep some labels, the model takes the rest; `decided` says why on the card."""
    lang = language_of([model], lang)
    rules, learner = member_detector("rules", lang), member_detector(model, lang)
    if unknown := sorted(set(rules_keep) - rules.labels):
        raise UsageError(f"labels that the rules of {lang!r} do not give: {', '.join(unknown)}")
    taxonomy = find_shared_taxonomy([rules, learner], ["rules", model], lang)
    clear(folder, HYBRID, [model])
    (place,) = place_members([model], folder, copy)
    HybridCard(lang, taxonomy, place, rules_keep, decided).write(folder)
    kept = frozenset(rules_keep)
    return HybridShares(tuple(sorted(learner.labels - kept)), tuple(sorted(rules.labels - learner.labels - kept)))


WEIGHINGS = ("precision", "recall", "f1")
THRESHOLDS = (0.3, 0.4, 0.5, 0.6)
Found = Sequence[Sequence[Span]]  # by note


@dataclass(frozen=True, slots=True)
class Weighing:
    """A way to weigh, its weights from all notes, and its score on notes that took no part in their own weights."""

    by: str
    threshold: float
    weights: Mapping[str, Sequence[float]]
    held_out: Score


def score_by_label(notes: Sequence[Document], found: Found) -> dict[str, Score]:
    """Strict counts of each label.

    >>> from innominate.core import annotated
    >>> note = annotated("[Eva](NAME) [Lind](NAME)")
    >>> score_by_label([note], [[Span(0, 3, "NAME"), Span(4, 8, "CITY")]])
    {'CITY': Score(tp=0, fp=1, fn=0), 'NAME': Score(tp=1, fp=0, fn=1)}
    """
    counts: dict[str, Score] = {}
    for note, spans in zip(notes, found, strict=True):
        gold, given = set(note.spans), set(spans)
        for span in gold | given:
            one = Score(int(span in gold and span in given), int(span not in gold), int(span not in given))
            counts[span.label] = counts.get(span.label, Score()) + one
    return dict(sorted(counts.items()))


def score_strictly(notes: Sequence[Document], found: Found) -> Score:
    """Strict counts of all labels together."""
    return sum(score_by_label(notes, found).values(), Score())


def weigh_members(notes: Sequence[Document], opinions: Sequence[Found], by: str) -> dict[str, list[float]]:
    """The weight of each member on each label that the notes or the members have."""
    counted = [score_by_label(notes, found) for found in opinions]
    labels = sorted({label for scores in counted for label in scores})
    return {label: [_worth(scores.get(label, Score()), by) for scores in counted] for label in labels}


def _worth(score: Score, by: str) -> float:
    """A rate with half a hit and half a miss added: a label seen twice says less than one seen a thousand times."""
    hits = score.tp + 0.5
    rates = {"precision": hits / (score.tp + score.fp + 1), "recall": hits / (score.tp + score.fn + 1)}
    rates["f1"] = 2 * rates["precision"] * rates["recall"] / (rates["precision"] + rates["recall"])
    return round(rates[by], 4)


def choose_weighing(notes: Sequence[Document], opinions: Sequence[Found], knows: Sequence[frozenset[str]]) -> Weighing:
    """The way to weigh with the best F1 on held-out halves; of equals the first, and the threshold nearest to a half."""
    tried = {
        (by, threshold): _score_held_out(notes, opinions, knows, (by, threshold))
        for by in WEIGHINGS
        for threshold in THRESHOLDS
    }
    by, threshold = max(tried, key=lambda way: (tried[way].f(), -abs(way[1] - 0.5)))
    return Weighing(by, threshold, weigh_members(notes, opinions, by), tried[by, threshold])


def _score_held_out(
    notes: Sequence[Document], opinions: Sequence[Found], knows: Sequence[frozenset[str]], way: tuple[str, float]
) -> Score:
    by, threshold = way
    total = Score()
    for part in (0, 1):
        learn, test = ([index for index in range(len(notes)) if (index % 2 == part) is own] for own in (False, True))
        weights = weigh_members([notes[i] for i in learn], [[found[i] for i in learn] for found in opinions], by)
        ballot = EnsembleBallot(knows, weights, threshold)
        answers = [count_votes(notes[i].text, [found[i] for found in opinions], ballot) for i in test]
        total += score_strictly([notes[i] for i in test], answers)
    return total
