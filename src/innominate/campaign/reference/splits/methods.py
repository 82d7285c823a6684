"""Three ways to split: the thesis's seven steps, the same with rare categories first, and by chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random

from innominate.campaign.reference.splits.pieces import (
    NAMES,
    Piece,
    SetShares,
    Split,
    count_labels,
    count_samples,
    round_half_up,
)
from innominate.core import UsageError

Fill = Callable[[list[Piece], Mapping[str, int]], list[Piece]]  # pool, best first, and targets -> chosen
BIN = 0.05  # of gamma


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


METHODS = ("stratified", "rare-first", "random")
