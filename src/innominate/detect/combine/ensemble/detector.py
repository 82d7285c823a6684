"""An ensemble as a detector: any saved models, together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from innominate.core import Document, Span, UsageError
from innominate.core.protocols import Detector
from innominate.detect.combine.ensemble.average import average_marginals
from innominate.detect.combine.ensemble.card import EnsembleCard, read_card
from innominate.detect.combine.ensemble.members import ask_all, listens, member_detector, where
from innominate.detect.combine.ensemble.votes import SOURCE, EnsembleBallot, count_votes, unite_opinions
from innominate.detect.dial.dial import current_dial
from innominate.detect.dial.threshold import Marginals, MarginalsDetector, Point
from innominate.detect.models.cards import current_card
from innominate.detect.models.named import refuse_other_language


@dataclass(frozen=True, slots=True)
class EnsembleDetector:
    """Finds what its members find together, by union, by votes or by the mean of their probabilities.

    A failure of any member withholds the note. `recall` goes to the members; with `average` it is the ensemble's own dial.
    """

    lang: str = ""
    model: str = ""
    recall: str = ""

    name = "ensemble"

    @property
    def folder(self) -> Path:
        """Where the ensemble is."""
        return Path(self.model)

    @property
    def card(self) -> EnsembleCard:
        """Its card."""
        card = current_card(self.folder, read_card)
        refuse_other_language(self.folder, card.lang, self.lang)
        return card

    @property
    def taxonomy(self) -> str:
        """The taxonomy that its members share."""
        return self.card.taxonomy

    @property
    def labels(self) -> frozenset[str]:
        """Labels that any member can give; members that cannot be loaded, or a recall they cannot give, are an error here."""
        card = self.card
        if card.how == "average":
            _ = self._points
        elif self.recall and not any(map(listens, self._names)):
            raise UsageError(f"{self.folder}: no member of this ensemble says how sure it is, so --recall means nothing")
        return frozenset(label for one in self.members for label in one.labels)

    @property
    def _names(self) -> list[str]:
        return [where(self.folder, member) for member in self.card.members]

    @property
    def members(self) -> tuple[Detector, ...]:
        """The detectors it is made of."""
        recall = "" if self.card.how == "average" else self.recall
        return _members(tuple(self._names), self.card.lang or self.lang, recall)

    def detect(self, document: Document) -> Sequence[Span]:
        """Find spans."""
        return self.detect_many([document])[0]

    def detect_many(self, documents: Sequence[Document]) -> list[Sequence[Span]]:
        """Find spans in many notes."""
        documents = list(documents)
        if self.card.how == "average":
            points, dial = self._points, current_dial(self.folder)
            return [dial.spans(one, points, SOURCE) for one in self.marginals(documents)]
        members = self.members
        found = ask_all(members, documents)
        combine = Combination.of(self.card, [one.labels for one in members])
        return [combine.spans(note.text, [by[i] for by in found]) for i, note in enumerate(documents)]

    def marginals(self, documents: Sequence[Document]) -> list[Marginals]:
        """The mean of what the members believe."""
        if self.card.how != "average":
            raise UsageError(f"{self.folder}: an ensemble by {self.card.how} has no probabilities; tune its members")
        documents = list(documents)
        believed = [believes(one, documents) for one in self.members]
        return [average_marginals([by[i] for by in believed]) for i in range(len(documents))]

    @property
    def _points(self) -> dict[str, Point]:
        return current_dial(self.folder).choose(self.recall, self.card.labels, self.card.taxonomy)


@dataclass(frozen=True, slots=True)
class Combination:
    """How spans of members become one list: a way, and who knows and weighs what."""

    how: str
    ballot: EnsembleBallot

    @classmethod
    def of(cls, card: EnsembleCard, knows: Sequence[frozenset[str]]) -> Combination:
        """As the card says."""
        return cls(card.how, EnsembleBallot(knows, card.weights, card.threshold))

    def spans(self, text: str, opinions: Sequence[Sequence[Span]]) -> tuple[Span, ...]:
        """Put the opinions on one note together."""
        return unite_opinions(opinions, self.ballot) if self.how == "union" else count_votes(text, opinions, self.ballot)


def believes(one: Detector, documents: Sequence[Document]) -> list[Marginals]:
    """What a model believes of notes; one that cannot say is an error."""
    if not isinstance(one, MarginalsDetector):
        raise UsageError(f"{one.name!r} does not say how sure it is, so it cannot be averaged; put it in by --how union")
    return one.marginals(documents)


@lru_cache(16)
def _members(names: tuple[str, ...], lang: str, recall: str) -> tuple[Detector, ...]:
    return tuple(member_detector(name, lang, recall) for name in names)
