"""The measures that decide a release: what is left in the text, and what the text lost, each with its bounds.

Labels play no part: a name hidden as a town is hidden. An identifier is masked if every letter and digit of it is; what is
left of a half-masked name still names. Rules: "redact" and "redact full" of eds-pseudo; character leak and over-redaction as
the LLM-Anonymizer of Wiest et al. counts them; bounds by Clopper and Pearson, and by a bootstrap over documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from math import nan
from random import Random
from typing import Any

from innominate.core import Document
from innominate.evaluate.counts import Pair, covered, letters, stretch
from innominate.evaluate.stats import Statistic, bootstrap, clopper_pearson, upper_bound

SEED = 20140  # of the bootstrap, so that two runs give the same bytes
MEASURES = {
    "character_leak": ("leaked", "characters"),
    "any_label_recall": ("masked", "identifiers"),
    "over_redaction": ("lost", "others"),
    "redact_full": ("full", "documents"),
}


@dataclass(frozen=True, slots=True)
class Leak:
    """What one document keeps and loses, in letters and digits, and in identifiers."""

    characters: int  # of identifiers
    leaked: int  # of these, not covered
    identifiers: int
    masked: int  # of these, wholly covered
    others: int  # characters outside identifiers
    lost: int  # of these, covered
    documents: int = 1
    full: int = 1  # 1 if nothing leaked

    @classmethod
    def of(cls, gold: Document, system: Document) -> Leak:
        """Measure one document."""
        text, found = letters(gold.text), covered(system.spans)
        wanted = covered(gold.spans) & text
        left = wanted & ~found
        places = {(span.start, span.end) for span in gold.spans}
        masked = sum(not left & stretch(*place) for place in places) if left else len(places)
        others = text & ~wanted
        return cls(
            wanted.bit_count(),
            left.bit_count(),
            len(places),
            masked,
            others.bit_count(),
            (others & found).bit_count(),
            full=int(not left),
        )


def share_hidden(pairs: Iterable[Pair]) -> float:
    """The share of identifiers that are wholly covered, whatever they were taken for."""
    leaks = [Leak.of(gold, system) for gold, system in pairs]
    return sum(leak.masked for leak in leaks) / max(1, sum(leak.identifiers for leak in leaks))


_COLUMNS = tuple(Leak.__slots__)


def _share(part: str, whole: str) -> Statistic:
    i, j = _COLUMNS.index(part), _COLUMNS.index(whole)
    return lambda sums: sums[i] / sums[j] if sums[j] else nan


def score(pairs: Iterable[Pair], *, times: int = 1000, confidence: float = 0.95, rng: Random | None = None) -> dict[str, Any]:
    """All measures with both bounds, the recall of each label, and the sentence that may be quoted.

    >>> from innominate.core import annotated
    >>> gold, system = annotated("[Eva Ek](NAME) slept.", "n1"), annotated("[Eva](NAME) Ek slept.", "n1")
    >>> score([(gold, system)])["character_leak"]["rate"]
    0.4
    """
    pairs = list(pairs)
    rows = [astuple(Leak.of(gold, system)) for gold, system in pairs]
    sums = dict(zip(_COLUMNS, map(sum, zip(*rows, strict=True)), strict=True)) if rows else dict.fromkeys(_COLUMNS, 0)
    shares = {name: _share(*columns) for name, columns in MEASURES.items()}
    intervals = bootstrap(rows, shares, rng or Random(SEED), times=times, confidence=confidence)
    result: dict[str, Any] = {"confidence": confidence}
    for name, (part, whole) in MEASURES.items():
        result[name] = measure(sums[part], sums[whole], confidence) | {"bootstrap": list(intervals[name])}
    upper = upper_bound(sums["identifiers"] - sums["masked"], sums["identifiers"], confidence)
    result["left_per_1000_at_most"] = 1000 * upper if sums["identifiers"] else None
    result["sentence"] = sentence(sums["identifiers"] - sums["masked"], sums["identifiers"], len(pairs), confidence)
    result["by_label"] = by_label(pairs, confidence)
    return result


def measure(k: int, n: int, confidence: float = 0.95) -> dict[str, Any]:
    """A rate with what it was counted from and its two-sided bound; without any count there is no rate."""
    bounds = list(clopper_pearson(k, n, confidence)) if n else [0.0, 1.0]
    return {"k": k, "n": n, "rate": k / n if n else None, "clopper_pearson": bounds}


def sentence(left: int, identifiers: int, documents: int, confidence: float = 0.95) -> str:
    """What a data protection officer can quote: the count, the bound, the confidence, and the sample behind them.

    >>> print(sentence(0, 300, 20))
    In 20 documents with 300 identifiers, none was left, wholly or in part: at most 9.94 per 1,000 identifiers at 95 %,
    from n = 300.
    """
    if not identifiers:
        return f"The {documents} documents hold no identifier, so nothing can be said about what would be left."
    most = 1000 * upper_bound(left, identifiers, confidence)
    counted = "none was" if not left else "1 was" if left == 1 else f"{left:,} were"
    return (
        f"In {documents:,} documents with {identifiers:,} identifiers, {counted} left, wholly or in part: "
        f"at most {most:.3g} per 1,000 identifiers at {100 * confidence:g} %, from n = {identifiers:,}."
    )


def by_label(pairs: Sequence[Pair], confidence: float = 0.95) -> dict[str, Any]:
    """Any-label recall of the gold spans of each label."""
    there: Counter[str] = Counter()
    masked: Counter[str] = Counter()
    for gold, system in pairs:
        left = covered(gold.spans) & letters(gold.text) & ~covered(system.spans)
        for span in set(gold.spans):
            there[span.label] += 1
            masked[span.label] += not left & stretch(span.start, span.end)
    return {label: measure(masked[label], there[label], confidence) for label in sorted(there)}
