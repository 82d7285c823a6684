"""Making an ensemble: members are loaded and asked, weights are chosen, the folder is written."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from innominate.core import Document, Score, Span, UsageError
from innominate.core.protocols import Detector
from innominate.detect.combine.ensemble.card import KIND, WAYS, EnsembleCard
from innominate.detect.combine.ensemble.detector import Combination, EnsembleDetector, believes
from innominate.detect.combine.ensemble.members import ask_all, clear, copy_model, find_shared_taxonomy, member_detector
from innominate.detect.combine.ensemble.weighing import Weighing, choose, strict, weights_of
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


def check(how: str, members: Sequence[str], dev: Sequence[Document] | None) -> None:
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
    check(how, members, dev)
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
    weighing = choose(dev, opinions, [one.labels for one in detectors]) if how == "weighted" else None
    if weighing:
        card = replace(card, weighing=weighing.by, weights=weighing.weights, threshold=weighing.threshold)
    elif how == "union":
        card = replace(card, weighing="f1", weights=weights_of(dev, opinions, "f1"))
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
        combine = Combination.of(card, knows)
        together = [combine.spans(note.text, [by[i] for by in opinions]) for i, note in enumerate(dev)]
    found = {f"{number} {name}": by for number, (name, by) in enumerate(zip(members, opinions, strict=True), start=1)}
    scores = {name: strict(dev, by) for name, by in found.items()}
    scores[card.how] = weighing.held_out if weighing else strict(dev, together)
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
