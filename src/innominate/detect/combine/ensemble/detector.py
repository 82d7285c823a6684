"""An ensemble as a detector: any saved models, together, by union, by votes or by the mean of what they believe.

Votes are for exact spans, place and label (Kim, Heider and Meystre 2018 vote on tokens; spans keep their borders). Of spans
that overlap, the one with more support stands. Where detectors agree that something identifies but not on its borders, no
exact span may have enough votes: such characters are voted on one by one, so that a name two of three saw is never shown.

A mean is taken character by character. Models cut a text into tokens of their own; their cuts together make the finest ones,
and a token that is cut further is inside its span from the second part on. A model that has no token somewhere, or does not
know a label, has no say in it.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from innominate.core import Document, Finder, Span, UsageError, resolve
from innominate.core.protocols import Detector
from innominate.detect.combine.ensemble.members import ask_all, listens, member_detector, where
from innominate.detect.crf.chain import Layout, best_paths
from innominate.detect.dial.dial import current_dial
from innominate.detect.dial.threshold import OUTSIDE, Marginals, MarginalsDetector, Point
from innominate.detect.models.cards import current_card, load_card, naming_what_is_missing, write_card
from innominate.detect.models.named import refuse_other_language

KIND, FORMAT = "ensemble", 1
WAYS = ("union", "majority", "weighted", "average")


@dataclass(frozen=True, slots=True)
class EnsembleCard:
    """What `model.toml` says. Members are names of detectors, or folders, seen from the ensemble's own."""

    how: str
    lang: str
    taxonomy: str
    members: tuple[str, ...]
    labels: tuple[str, ...]
    weighing: str = ""  # what weights are: precision, recall or f1 of a member on a label
    weights: Mapping[str, Sequence[float]] = field(default_factory=dict)  # label -> by member
    threshold: float = 0.5
    dev: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.how not in WAYS:
            raise UsageError(f"--how is one of {', '.join(WAYS)}, not {self.how!r}")

    def write(self, folder: Path) -> None:
        """Write the card into its folder."""
        head = {"kind": KIND, "format": FORMAT, "how": self.how, "lang": self.lang, "taxonomy": self.taxonomy}
        lists = {"members": list(self.members), "labels": list(self.labels)}
        votes = {"weighing": self.weighing, "threshold": self.threshold}
        tables = {name: table for name, table in (("weights", self.weights), ("dev", self.dev)) if table}
        write_card(folder, {**head, **lists, **votes, **tables})


def read_card(folder: Path) -> EnsembleCard:
    """Read a card, or say why it is none that this version reads."""
    content = load_card(folder, family=KIND, format=FORMAT, made_by="innominate train ensemble")
    with naming_what_is_missing(folder):
        names = ("how", "lang", "taxonomy", "weighing", "threshold")
        values: dict[str, Any] = {name: content[name] for name in names}
        values |= {name: content.get(name, {}) for name in ("weights", "dev")}
        values |= {name: tuple(content[name]) for name in ("members", "labels")}
        return EnsembleCard(**values)


SOURCE = "ensemble"
Opinions = Sequence[Sequence[Span]]  # of one note: what each detector found


@dataclass(frozen=True, slots=True)
class EnsembleBallot:
    """Who may vote on what: the labels each detector knows, and how much its word on a label weighs."""

    knows: Sequence[frozenset[str]]
    weights: Mapping[str, Sequence[float]] = field(default_factory=dict)  # label -> by detector; one that is not here: 1 each
    threshold: float = 0.5  # the share of the weight that a span must have more than

    def weight(self, member: int, label: str) -> float:
        """What one detector's word on a label weighs; nothing, if it does not know the label."""
        if label not in self.knows[member]:
            return 0.0
        return self.weights[label][member] if label in self.weights else 1.0

    def total(self, label: str) -> float:
        """The weight of all that know the label."""
        return sum(self.weight(member, label) for member in range(len(self.knows))) or 1.0


def unite_opinions(opinions: Opinions, ballot: EnsembleBallot) -> tuple[Span, ...]:
    """Everything that anyone found; where they overlap the better wins and the other keeps the rest.

    Who is worth more on the label is better; without figures models before rules, then the surer, then the longer.
    """
    ranks: dict[Span, tuple[float, ...]] = {}
    best: dict[Span, Span] = {}  # of several that say the same
    for member, found in enumerate(opinions):
        for span in found:
            learned = float(span.finder is not Finder.RULES)
            rank = (ballot.weight(member, span.label), learned, span.score, float(len(span)))
            if span not in ranks or rank > ranks[span]:
                ranks[span], best[span] = rank, span
    return resolve(best.values(), ranks.__getitem__)


def count_votes(text: str, opinions: Opinions, ballot: EnsembleBallot) -> tuple[Span, ...]:
    """What has more than the threshold's share of the weight.

    >>> sure, short, blind = [Span(0, 6, "NAME")], [Span(3, 6, "NAME")], []
    >>> three = EnsembleBallot([frozenset({"NAME"})] * 3)
    >>> [(span.start, span.end) for span in count_votes("Dr Eva", [sure, sure, short], three)]
    [(0, 6)]
    >>> [(span.start, span.end) for span in count_votes("Dr Eva", [sure, short, blind], three)]  # both mean `Eva`
    [(3, 6)]
    """
    kept = _elect_spans(opinions, ballot)
    return tuple(sorted([*kept, *_agree_on_characters(text, opinions, ballot, kept)]))


def _elect_spans(opinions: Opinions, ballot: EnsembleBallot) -> list[Span]:
    """Exact spans with enough support, the best first; one that overlaps a better one is left to the characters."""
    support: dict[Span, float] = defaultdict(float)
    score: dict[Span, float] = defaultdict(float)
    for member, found in enumerate(opinions):
        for span in set(found):
            share = ballot.weight(member, span.label) / ballot.total(span.label)
            support[span] += share
            score[span] += share * span.score
    kept: list[Span] = []
    for span in sorted(support, key=lambda one: (-support[one], -len(one), one)):
        if support[span] > ballot.threshold and not any(map(span.overlaps, kept)):
            kept.append(replace(span, score=min(1.0, score[span]), source=SOURCE))
    return kept


def _agree_on_characters(text: str, opinions: Opinions, ballot: EnsembleBallot, kept: Sequence[Span]) -> Iterator[Span]:
    """Stretches outside of the kept spans that enough detectors cover, with the label that most of their weight is for."""
    stretches: list[tuple[int, int, str, float]] = []
    for start, end, said in _stretches(opinions, kept):
        by_label: dict[str, float] = defaultdict(float)
        for member, span in said:
            by_label[span.label] += ballot.weight(member, span.label)
        label = max(sorted(by_label), key=by_label.__getitem__)
        share = sum(by_label.values()) / ballot.total(label)
        if share <= ballot.threshold:
            continue
        if stretches and stretches[-1][1] == start and stretches[-1][2] == label:
            begun = stretches.pop()
            start, share = begun[0], min(share, begun[3])
        stretches.append((start, end, label, share))
    for start, end, label, share in stretches:
        found = text[start:end]
        start, end = start + len(found) - len(found.lstrip()), end - (len(found) - len(found.rstrip()))
        if any(map(str.isalnum, text[start:end])):
            yield Span(start, end, label, min(1.0, share), SOURCE)


def _stretches(opinions: Opinions, kept: Sequence[Span]) -> Iterator[tuple[int, int, list[tuple[int, Span]]]]:
    """Stretches between the ends of spans that some detector covers and no kept span does, with who says what there."""
    settled = set(kept)
    spans = [(member, span) for member, found in enumerate(opinions) for span in found if span not in settled]
    ends = sorted({place for span in (*(span for _, span in spans), *kept) for place in (span.start, span.end)})
    taken = sorted(kept)
    starts = [span.start for span in taken]
    for start, end in itertools.pairwise(ends):
        before = bisect_right(starts, start) - 1
        if before >= 0 and start < taken[before].end:
            continue
        said = {member: span for member, span in spans if span.start <= start and end <= span.end}
        if said:
            yield start, end, list(said.items())


_NEVER = np.float32(-1e4)  # the logarithm of what cannot be


def average_marginals(beliefs: Sequence[Marginals]) -> Marginals:
    """One belief for several about the same text, in IOB2.

    >>> tags = ("O", "B-NAME", "I-NAME")
    >>> first = Marginals("EvaLind", [0], [7], tags, np.array([[0.2, 0.8, 0]], np.float32), np.array([1]))
    >>> sure = np.array([[0.5, 0.5, 0], [0.75, 0, 0.25]], np.float32)
    >>> second = Marginals("EvaLind", [0, 3], [3, 7], tags, sure, np.array([1, 0]))
    >>> found = average_marginals([first, second])
    >>> list(zip(found.starts, found.ends)), found.outside.round(3).tolist()[1] < 0.5, [found.tags[n] for n in found.best]
    ([(0, 3), (3, 7)], True, ['B-NAME', 'I-NAME'])
    """
    text = beliefs[0].text
    labels = sorted({tag[2:] for one in beliefs for tag in one.tags if tag != OUTSIDE})
    tags = (OUTSIDE, *(f"{prefix}-{label}" for label in labels for prefix in "BI"))
    starts, ends = _cuts(beliefs)
    total = np.zeros((len(starts), len(tags)), np.float64)
    voices = np.zeros_like(total)
    for one in beliefs:
        _add_beliefs(one, np.array(starts, np.intp), tags, total=total, voices=voices)
    mean = total / np.maximum(voices, 1)
    mean /= np.maximum(mean.sum(axis=1, keepdims=True), 1e-12)
    probabilities = mean.astype(np.float32)
    return Marginals(text, starts, ends, tags, probabilities, _best_tags(probabilities, tags))


def _cuts(beliefs: Sequence[Marginals]) -> tuple[list[int], list[int]]:
    """The finest tokens: every place where any model cuts, of what any model reads."""
    places = sorted({place for one in beliefs for place in (*one.starts, *one.ends)})
    read = np.zeros(len(beliefs[0].text) + 1, np.int32)
    for one in beliefs:
        np.add.at(read, np.array(one.starts, np.intp), 1)
        np.add.at(read, np.array(one.ends, np.intp), -1)
    inside = np.cumsum(read)
    pairs = [(a, b) for a, b in pairwise(places) if inside[a]]
    return [a for a, _ in pairs], [b for _, b in pairs]


def _add_beliefs(
    one: Marginals, starts: NDArray[np.intp], tags: Sequence[str], *, total: NDArray[np.float64], voices: NDArray[np.float64]
) -> None:
    """Add what one model believes to the rows it has tokens for, and count it there."""
    own_starts, own_ends = np.array(one.starts, np.intp), np.array(one.ends, np.intp)
    if not len(own_starts):
        return
    token = np.searchsorted(own_starts, starts, side="right") - 1
    rows = np.flatnonzero((token >= 0) & (starts < own_ends[np.maximum(token, 0)]))
    token = token[rows]
    later = own_starts[token] < starts[rows]
    column = {tag: number for number, tag in enumerate(one.tags)}
    for number, tag in enumerate(tags):
        if tag not in column and (tag == OUTSIDE or f"B-{tag[2:]}" not in column):
            continue
        share = one.probabilities[token, column[tag]].astype(np.float64) if tag in column else np.zeros(len(rows))
        if tag[0] == "B":
            share = np.where(later, 0.0, share)
        elif tag[0] == "I":
            share = share + np.where(later, one.probabilities[token, column[f"B-{tag[2:]}"]], 0.0)
        total[rows, number] += share
        voices[rows, number] += 1


def _best_tags(probabilities: NDArray[np.float32], tags: Sequence[str]) -> NDArray[np.intp]:
    """The likeliest tags in which every `I` follows its own label; searched for only where the likeliest of each do not."""
    best: NDArray[np.intp] = probabilities.argmax(axis=1) if probabilities.size else np.zeros(0, np.intp)
    may = _may_follow(tags)
    first = np.array([tag[0] != "I" for tag in tags])
    if not len(best) or (first[best[0]] and may[best[:-1], best[1:]].all()):
        return best
    scores = np.log(np.maximum(probabilities, 1e-12)).astype(np.float32)
    scores[0, ~first] = _NEVER
    moves = np.where(may, np.float32(0), _NEVER).astype(np.float32)
    layout = Layout.of(np.array([len(best)]))
    return best_paths(scores, moves, layout, (probabilities, np.array([np.inf])))  # no path is known to be the best


def _may_follow(tags: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([[after[0] != "I" or before[2:] == after[2:] for after in tags] for before in tags])


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
        return tuple(member_detector(name, self.card.lang or self.lang, recall) for name in self._names)

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
        card, knows = self.card, [one.labels for one in members]
        return [combine_opinions(card, knows, note.text, [by[i] for by in found]) for i, note in enumerate(documents)]

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


def combine_opinions(card: EnsembleCard, knows: Sequence[frozenset[str]], text: str, opinions: Opinions) -> tuple[Span, ...]:
    """Put the opinions of members, who know some labels each, on one note together as the card says."""
    ballot = EnsembleBallot(knows, card.weights, card.threshold)
    return unite_opinions(opinions, ballot) if card.how == "union" else count_votes(text, opinions, ballot)


def believes(one: Detector, documents: Sequence[Document]) -> list[Marginals]:
    """What a model believes of notes; one that cannot say is an error."""
    if not isinstance(one, MarginalsDetector):
        raise UsageError(f"{one.name!r} does not say how sure it is, so it cannot be averaged; put it in by --how union")
    return one.marginals(documents)
