"""Annotated notes made ready for a CRF: once, to be learned from as often as wanted."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from innominate.core import Document, UsageError
from innominate.detect.crf.features import Features
from innominate.detect.crf.folds import Fold, group_into_folds, leave_one_out
from innominate.detect.crf.model import CrfModel
from innominate.detect.crf.tagger import CrfTagger
from innominate.detect.crf.training import PARAMETERS, Clock, Example, Progress, card_of, corpus_facts, prepare, train
from innominate.detect.crf.trial import TrialOutcome, measure, try_fold
from innominate.labels import for_language
from innominate.labels import taxonomy as labels_of


@dataclass(frozen=True)
class Lessons:
    """Notes, what a CRF sees of them, and where they come from."""

    notes: Sequence[Document] = field(repr=False)
    examples: Sequence[Example] = field(repr=False)
    features: Features
    taxonomy: str
    source: str
    clock: Clock = field(repr=False)

    @classmethod
    def of(
        cls,
        notes: Sequence[Document],
        features: Features,
        *,
        taxonomy: str = "",
        source: str = "notes",
        tick: Callable[[Example], Example] = lambda example: example,
    ) -> Lessons:
        """Make notes ready; their labels have to be those of the taxonomy, or else of the language."""
        clock = Clock()
        if not any(note.spans for note in notes):
            raise UsageError(f"{source}: no note here has an annotated span, so there is nothing to learn from")
        known = labels_of(taxonomy) if taxonomy else for_language(features.lang)
        if unknown := sorted({span.label for note in notes for span in note.spans} - known.labels.keys()):
            raise UsageError(
                f"labels that taxonomy {known.name!r} does not have: {', '.join(unknown)}; name another with --taxonomy"
            )
        return cls(notes, [tick(example) for example in prepare(notes, features)], features, known.name, source, clock)

    def folds(self, group: str, count: int, seed: int) -> dict[str, Fold]:
        """Folds by name that keep a group of notes together, such as those of a patient."""
        return {
            f"fold {number}": fold for number, fold in enumerate(group_into_folds(self.notes, group, count, seed), start=1)
        }

    def each_left_out(self, group: str) -> dict[str, Fold]:
        """A fold for each group, such as each clinical unit, in which it is what is tested on."""
        return leave_one_out(self.notes, group)

    def cross_validate(
        self, parts: Mapping[str, Fold], parameters: Mapping[str, Any]
    ) -> Iterator[tuple[str, int, TrialOutcome]]:
        """Learn from one part of each fold and test on the other: its name, how many notes were tested, and the outcome."""
        for name, fold in parts.items():
            yield name, len(fold[1]), try_fold(self.examples, fold, self.features, parameters)

    def learn(
        self,
        parameters: Mapping[str, Any],
        dev: Sequence[Document] = (),
        *,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> CrfModel:
        """Train on all of them, and score on other notes if there are any."""
        chosen = {**PARAMETERS, **parameters}
        weights = train(self.examples, self.features, chosen, progress)
        facts = {"corpus": corpus_facts(self.notes, self.source), "parameters": chosen, "seed": seed}
        card = card_of(weights, self.features, taxonomy=self.taxonomy, **facts)
        scores = measure(weights, self.features, list(prepare(dev, self.features))).as_dict() if dev else {}
        machine = {"python": platform.python_version(), "system": platform.platform(terse=True)}
        log = {
            "time": self.clock.as_dict(),
            "machine": {**machine, "processors": os.cpu_count() or 0},
            "scores": scores,
        }
        return CrfModel(card, CrfTagger(self.features, weights), log=log)
