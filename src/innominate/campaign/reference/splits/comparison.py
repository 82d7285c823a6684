"""Ways to split beside each other: quality of the sets (table 5.1) and categories against their targets (figure 5.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from innominate.campaign.reference.splits.methods import BIN, METHODS, split_pieces, target_counts
from innominate.campaign.reference.splits.pieces import (
    NAMES,
    Piece,
    SetShares,
    Split,
    count_labels,
    count_samples,
    group_pieces,
)
from innominate.core import Document


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
    result = {
        "method": chosen,
        "shares": {name: how.of(name) for name in NAMES},
        "seed": seed,
        "bin": bin,
        "samples": count_samples(pieces),
        "targets": wanted,
        "methods": {method: _described(one, wanted) for method, one in splits.items()},
    }
    return splits[chosen], result


def _described(found: Split, wanted: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    sets = {name: _set(found.sets[name], wanted[name]) for name in NAMES}
    return {"sets": sets, "distance": {name: sets[name]["distance"] for name in NAMES}}


def _set(pieces: Sequence[Piece], wanted: Mapping[str, int]) -> dict[str, Any]:
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
