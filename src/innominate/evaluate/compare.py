"""Two or more systems on the same gold: one table, tests of the differences, and the places where they differ.

Rules: paired bootstrap over documents (Koehn 2004) for strict F1 and any-label recall; McNemar's exact test on tokens, where a
token is right if each of its letters and digits is hidden or shown as in the gold. Tokens of one note are not independent, so
where the two tests disagree believe the bootstrap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any

from innominate.core import Document, Score, UsageError
from innominate.evaluate.counts import Pair, compared, covered, letters, rates, stretch, total
from innominate.evaluate.release import SEED, Leak
from innominate.evaluate.stats import Counts, McNemar, bootstrap_pairs
from innominate.text.tokens import tokens


def score(systems: Mapping[str, Sequence[Pair]], *, times: int = 1000, rng: Random | None = None) -> dict[str, Any]:
    """Compare systems by name; each comes with the same gold documents, in the same order."""
    names = list(systems)
    ids = {name: [gold.id for gold, _ in pairs] for name, pairs in systems.items()}
    if any(ids[name] != ids[names[0]] for name in names):
        raise UsageError("systems can be compared on the same documents only")
    rng = rng or Random(SEED)
    return {
        "table": {name: _row_of_system(pairs) for name, pairs in systems.items()},
        "pairs": [_pair(two, systems, times, rng) for two in combinations(names, 2)],
    }


def _row_of_system(pairs: Sequence[Pair]) -> dict[str, Any]:
    leaks = [Leak.of(gold, system) for gold, system in pairs]
    strict = rates(total(_strict(gold, system) for gold, system in pairs))
    masked, there = sum(leak.masked for leak in leaks), sum(leak.identifiers for leak in leaks)
    lost, others = sum(leak.lost for leak in leaks), sum(leak.others for leak in leaks)
    recall = masked / there if there else None
    return {"strict": strict, "any_label_recall": recall, "over_redaction": lost / others if others else None}


def _strict(gold: Document, system: Document) -> Score:
    return compared(set(gold.spans), set(system.spans))


def _pair(names: tuple[str, str], systems: Mapping[str, Sequence[Pair]], times: int, rng: Random) -> dict[str, Any]:
    first, second = (systems[name] for name in names)
    rows = [[_counts(pair) for pair in side] for side in (first, second)]
    return {
        "first": names[0],
        "second": names[1],
        "strict_f1": bootstrap_pairs(rows[0], rows[1], _f1, rng, times=times).as_dict() if first else None,
        "any_label_recall": bootstrap_pairs(rows[0], rows[1], _recall, rng, times=times).as_dict() if first else None,
        "mcnemar_tokens": mcnemar_tokens(first, second).as_dict(),
        "differ": list(differences(first, second)),
    }


def _counts(pair: Pair) -> Counts:
    strict, leak = _strict(*pair), Leak.of(*pair)
    return strict.tp, strict.fp, strict.fn, leak.masked, leak.identifiers


def _f1(sums: Counts) -> float:
    return 2 * sums[0] / (2 * sums[0] + sums[1] + sums[2]) if sums[0] else 0.0


def _recall(sums: Counts) -> float:
    return sums[3] / sums[4] if sums[4] else 0.0


def mcnemar_tokens(first: Sequence[Pair], second: Sequence[Pair]) -> McNemar:
    """Count the tokens that only one of two systems treats as the gold does."""
    only = [0, 0]
    for (gold, a), (_, b) in zip(first, second, strict=True):
        wanted, text = covered(gold.spans), letters(gold.text)
        wrong_a, wrong_b = ((wanted ^ covered(side.spans)) & text for side in (a, b))
        if wrong_a == wrong_b:
            continue
        for start, end in tokens(gold.text):
            token = stretch(start, end)
            if bool(wrong_a & token) != bool(wrong_b & token):
                only[bool(wrong_a & token)] += 1
    return McNemar(*only)


def differences(first: Sequence[Pair], second: Sequence[Pair]) -> Iterator[dict[str, Any]]:
    """The identifiers that only one of two systems masks wholly."""
    for (gold, a), (_, b) in zip(first, second, strict=True):
        text = letters(gold.text)
        left_a, left_b = (text & ~covered(side.spans) for side in (a, b))
        for span in dict.fromkeys(gold.spans):
            place = stretch(span.start, span.end)
            if bool(left_a & place) != bool(left_b & place):
                masked_by = "second" if left_a & place else "first"
                where = {"document": gold.id, "start": span.start, "end": span.end, "label": span.label}
                yield {**where, "masked_by": masked_by}
