"""Test, validation and training sets of a reference: stratified, and the best samples first (Loftsson 2022, section 5.1).

What is split are samples, or samples that must stay together, with their categories and their quality. There are three ways:
the thesis's seven steps, the same with rare categories first, and by chance. They stand beside each other with the quality of
the sets (table 5.1) and categories against their targets (figure 5.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import floor
from random import Random
from statistics import fmean
from typing import Any

from innominate.core import Document, UsageError

NAMES = ("test", "validation", "training")
BIN = 0.05  # of gamma
METHODS = ("stratified", "rare-first", "random")


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


Fill = Callable[[list[Piece], Mapping[str, int]], list[Piece]]  # pool, best first, and targets -> chosen


def split_pieces(
    pieces: Sequence[Piece], method: str, shares: SetShares | None = None, *, seed: int = 0, bin: float = BIN
) -> Split:
    """Split a corpus. The seed matters for chance alone; the others are decided by quality, then by the order given.

    >>> corpus = [Piece((str(n),), {"DATE": 1} if n % 2 else {}, gamma=n / 20, annotators=2) for n in range(20)]
    >>> found = split_pieces(corpus, "stratified", SetShares(0.2, 0.2))
    >>> sorted(found.samples("test")), len(found.samples("training"))
    (['16', '17', '18', '19'], 12)
    """
    if method not in METHODS:
        raise UsageError(f"a split is {', '.join(METHODS)}, not {method!r}")
    if not 0 < bin <= 1:
        raise UsageError("gamma is rounded to steps above 0 and up to 1")
    how = shares or SetShares()
    if method == "random":
        return Split(method, how, _by_chance(pieces, how, Random(seed)))
    return Split(
        method, how, _by_quality(pieces, how, bin, {"stratified": choose_fitting, "rare-first": choose_rarest_first}[method])
    )


def target_counts(pieces: Sequence[Piece], shares: SetShares) -> dict[str, dict[str, int]]:
    """How many spans of each category each set should have; what rounding leaves is for training."""
    total = count_labels(pieces)
    found = {name: {label: round_half_up(shares.of(name) * n) for label, n in total.items()} for name in NAMES[:2]}
    rest = {label: max(0, n - found["test"][label] - found["validation"][label]) for label, n in total.items()}
    return {**found, "training": rest}


def choose_fitting(pool: list[Piece], target: Mapping[str, int]) -> list[Piece]:
    """Step 6c: from the best, every sample that takes no category above its target, until all have reached theirs."""
    count: Counter[str] = Counter()
    chosen = []
    for piece in pool:
        if all(count[label] >= wanted for label, wanted in target.items()):
            break
        if _fits(piece, count, target):
            count.update(piece.counts)
            chosen.append(piece)
    return chosen


def choose_rarest_first(pool: list[Piece], target: Mapping[str, int]) -> list[Piece]:
    """The same category by category, the rarest first, as Sechidis et al. (2011) advise.

    Samples that fit come first. A category that is then still below its target gets more of the samples that overshoot
    others least, so that none stays below while the pool has enough.
    """
    total = count_labels(pool)
    count: Counter[str] = Counter()
    chosen: set[int] = set()

    def take(place: int) -> None:
        chosen.add(place)
        count.update(pool[place].counts)

    for label in sorted(target, key=lambda label: (total[label], label)):
        having = [place for place, piece in enumerate(pool) if piece.counts.get(label)]
        for place in having:
            if count[label] < target[label] and place not in chosen and _fits(pool[place], count, target):
                take(place)
        while count[label] < target[label]:
            left = [place for place in having if place not in chosen]
            if not left:
                break
            take(min(left, key=lambda place: (_excess(pool[place], count, target), place)))
    return [pool[place] for place in sorted(chosen)]


def _by_quality(pieces: Sequence[Piece], shares: SetShares, bin: float, fill: Fill) -> dict[str, tuple[Piece, ...]]:
    """Steps 4 to 7; sorting is stable, so equals stay in the order given."""
    ordered = sorted(pieces, key=lambda piece: piece.quality(bin), reverse=True)
    pool = [piece for piece in ordered if any(piece.counts.values())]
    empty = [piece for piece in ordered if not any(piece.counts.values())]
    wanted, total = target_counts(pieces, shares), count_samples(pieces)
    sets: dict[str, tuple[Piece, ...]] = {}
    for name in NAMES[:2]:
        chosen = fill(pool, wanted[name])
        taken = {id(piece) for piece in chosen}
        pool = [piece for piece in pool if id(piece) not in taken]
        while empty and count_samples(chosen) < round_half_up(shares.of(name) * total):
            chosen.append(empty.pop(0))
        sets[name] = tuple(chosen)
    sets["training"] = (*pool, *empty)
    return sets


def _by_chance(pieces: Sequence[Piece], shares: SetShares, rng: Random) -> dict[str, tuple[Piece, ...]]:
    left = list(pieces)
    rng.shuffle(left)
    sets: dict[str, tuple[Piece, ...]] = {}
    total = count_samples(pieces)
    for name in NAMES[:2]:
        chosen: list[Piece] = []
        while left and count_samples(chosen) < round_half_up(shares.of(name) * total):
            chosen.append(left.pop())
        sets[name] = tuple(chosen)
    sets["training"] = tuple(left)
    return sets


def _fits(piece: Piece, count: Mapping[str, int], target: Mapping[str, int]) -> bool:
    return all(count.get(label, 0) + n <= target[label] for label, n in piece.counts.items() if n)


def _excess(piece: Piece, count: Mapping[str, int], target: Mapping[str, int]) -> float:
    """How far a piece would take categories above their targets, each in units of its target."""
    over = ((label, count.get(label, 0) + n - target[label]) for label, n in piece.counts.items())
    return sum(more / max(1, target[label]) for label, more in over if more > 0)


def split_reference(
    documents: Sequence[Document],
    method: str,
    shares: SetShares,
    *,
    together: str = "sample",
    least: int = 1,
    seed: int = 0,
    bin: float = BIN,
) -> tuple[dict[str, list[Document]], dict[str, Any]]:
    """The documents of each set of a reference, and the result; categories with fewer than `least` spans are no targets."""
    counts = Counter(span.label for document in documents for span in document.spans)
    labels = [label for label, count in counts.items() if count >= least]
    found, result = compare_splits(group_pieces(documents, together, labels), method, shares, seed=seed, bin=bin)
    sets = {name: [one for one in documents if one.id in found.samples(name)] for name in found.sets}
    return sets, {**result, "together": together, "least": least}


def compare_splits(
    pieces: Sequence[Piece], chosen: str, shares: SetShares | None = None, *, seed: int = 0, bin: float = BIN
) -> tuple[Split, dict[str, Any]]:
    """The chosen split, and a result in which all ways stand beside it.

    >>> corpus = [Piece((str(n),), {"DATE": 1}, gamma=n / 20, annotators=2) for n in range(20)]
    >>> found, result = compare_splits(corpus, "rare-first")
    >>> result["targets"]["test"], result["methods"]["rare-first"]["sets"]["test"]["samples"]
    ({'DATE': 3}, 3)
    """
    how = shares or SetShares()
    splits = {method: split_pieces(pieces, method, how, seed=seed, bin=bin) for method in METHODS}
    wanted = target_counts(pieces, how)
    described = {
        method: {name: _describe_set(one.sets[name], wanted[name]) for name in NAMES} for method, one in splits.items()
    }
    result = {
        "method": chosen,
        "shares": {name: how.of(name) for name in NAMES},
        "seed": seed,
        "bin": bin,
        "samples": count_samples(pieces),
        "targets": wanted,
        "methods": {
            method: {"sets": sets, "distance": {name: sets[name]["distance"] for name in NAMES}}
            for method, sets in described.items()
        },
    }
    return splits[chosen], result


def _describe_set(pieces: Sequence[Piece], wanted: Mapping[str, int]) -> dict[str, Any]:
    counts = count_labels(pieces)
    # Pieces without a gamma have one annotator; the mean is of those that somebody could agree on
    gammas = [piece.gamma for piece in pieces if piece.gamma is not None]
    marked = [piece.gamma for piece in pieces if piece.gamma is not None and any(piece.counts.values())]
    return {
        "samples": count_samples(pieces),
        "empty": sum(not any(piece.counts.values()) for piece in pieces),
        "gamma": fmean(gammas) if gammas else None,
        "gamma_of_marked": fmean(marked) if marked else None,
        "annotators": fmean(piece.annotators for piece in pieces) if pieces else None,
        "counts": {label: counts[label] for label in wanted},
        "below": {label: counts[label] for label, target in wanted.items() if counts[label] < target},
        # the mean share by which a category misses its target; 0 is perfect
        "distance": fmean(abs(counts[label] - n) / max(1, n) for label, n in wanted.items()) if wanted else 0.0,
    }
