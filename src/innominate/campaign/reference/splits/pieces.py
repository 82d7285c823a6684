"""What is split: samples, or samples that must stay together, with their categories and their quality (steps 1 to 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import floor
from statistics import fmean

from innominate.core import Document, UsageError

NAMES = ("test", "validation", "training")


@dataclass(frozen=True, slots=True)
class Piece:
    """One sample, or all samples of a document or patient, which go into the same set."""

    samples: tuple[str, ...]
    counts: Mapping[str, int]  # category -> spans
    gamma: float | None = None  # None: one annotator, so nobody agreed or disagreed
    annotators: float = 1.0

    def quality(self, bin: float) -> tuple[float, float]:
        """Gamma in steps of `bin`, then annotators; what nobody else looked at comes last.

        >>> Piece(("a",), {}, gamma=0.93, annotators=3).quality(0.05) == Piece(("b",), {}, 0.96, 3).quality(0.05)
        True
        """
        return (-1e9 if self.gamma is None else floor(self.gamma / bin + 0.5), self.annotators)


@dataclass(frozen=True, slots=True)
class SetShares:
    """How much of the corpus each set gets; the rest is for training."""

    test: float = 0.15
    validation: float = 0.15

    def __post_init__(self) -> None:
        if min(self.test, self.validation) <= 0 or self.test + self.validation >= 1:
            raise UsageError("test and validation are shares above 0 that together leave something for training")

    def of(self, name: str) -> float:
        """The share of one set."""
        return {"test": self.test, "validation": self.validation}.get(name, 1 - self.test - self.validation)


@dataclass(frozen=True, slots=True)
class Split:
    """The pieces of each set, and how it was made."""

    method: str
    shares: SetShares
    sets: Mapping[str, tuple[Piece, ...]] = field(repr=False)

    def samples(self, name: str) -> set[str]:
        """The ids in one set."""
        return {id for piece in self.sets[name] for id in piece.samples}


def group_pieces(documents: Iterable[Document], together: str = "sample", labels: Iterable[str] | None = None) -> list[Piece]:
    """Pieces of a reference as `campaign reference` writes it; `together` is sample, document or patient.

    Only `labels` are counted, if they are given.

    >>> from innominate.core import Span
    >>> meta = {"gamma": 0.9, "n_annotators": 3, "patient": "p1"}
    >>> group_pieces([Document("n1#1", "vu le 3 mai", (Span(6, 11, "DATE"),), meta)], "patient")
    [Piece(samples=('n1#1',), counts={'DATE': 1}, gamma=0.9, annotators=3.0)]
    """
    wanted = None if labels is None else set(labels)
    groups: dict[str, list[Document]] = {}
    for document in documents:
        groups.setdefault(_key(document, together), []).append(document)
    return [_piece(group, wanted) for group in groups.values()]


def count_labels(pieces: Iterable[Piece]) -> Counter[str]:
    """Spans of each category (step 2)."""
    total: Counter[str] = Counter()
    for piece in pieces:
        total.update(piece.counts)
    return total


def count_samples(pieces: Iterable[Piece]) -> int:
    """How many samples."""
    return sum(len(piece.samples) for piece in pieces)


def round_half_up(value: float) -> int:
    """To the nearest whole number, halves up: a target of half a span is one span."""
    return floor(value + 0.5)


def _key(document: Document, together: str) -> str:
    if together == "sample":
        return document.id
    if together not in ("document", "patient"):
        raise UsageError(f"samples stay together by document or patient, not by {together!r}")
    found = document.meta.get(together)
    if not found:
        raise UsageError(f"sample {document.id!r} does not say its {together}; split by sample, or give the notes one")
    return str(found)


def _piece(group: Sequence[Document], labels: set[str] | None) -> Piece:
    counts = Counter(span.label for one in group for span in one.spans if labels is None or span.label in labels)
    gammas = [float(one.meta["gamma"]) for one in group if one.meta.get("gamma") is not None]
    people = fmean(int(one.meta.get("n_annotators", 1)) for one in group)
    return Piece(tuple(one.id for one in group), dict(counts), fmean(gammas) if gammas else None, people)
