"""Every error with its place: what was missed, invented, given another label, or cut too short or too long.

No text is kept here; whoever shows an error looks it up by document and position.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from innominate.core import Document, Span
from innominate.evaluate.counts import Pair, covered, letters, stretch
from innominate.evaluate.release import Leak

NONE = "(none)"  # the row of what was invented and the column of what was missed, in the confusion matrix
Kind = Literal["missed", "confused", "boundary", "spurious"]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A gold span that was not found as it is, with the best answer to it; or a span of the system that nothing answers to."""

    kind: Kind
    document: str
    start: int
    end: int
    label: str
    left: int = 0  # letters and digits of it that stay in the text
    found: tuple[int, int, str] | None = None


def score(pairs: Iterable[Pair]) -> dict[str, Any]:
    """The confusion matrix, all errors, and the documents, those that leak most first."""
    pairs = list(pairs)
    errors = [error for pair in pairs for error in errors_of(*pair)]
    return {
        "counts": dict(sorted(Counter(error.kind for error in errors).items())),
        "confusion": confusion(pairs, errors),
        "spans": [asdict(error) for error in errors],
        "documents": ranked(pairs),
    }


def errors_of(gold: Document, system: Document) -> Iterator[Mistake]:
    """The errors in one document, in the order of the text.

    >>> from innominate.core import annotated
    >>> gold, system = annotated("[Eva](NAME) in [Rom](CITY)."), annotated("Eva in [Rom](NAME).")
    >>> [(error.kind, error.label, error.left) for error in errors_of(gold, system)]
    [('missed', 'NAME', 3), ('confused', 'CITY', 0)]
    """
    golds, systems = dict.fromkeys(gold.spans), dict.fromkeys(system.spans)
    left = covered(golds) & letters(gold.text) & ~covered(systems)
    found = [_gold_error(gold.id, span, list(systems), left) for span in golds if span not in systems]
    invented = [span for span in systems if span not in golds and not any(map(span.overlaps, golds))]
    found += [Mistake("spurious", gold.id, span.start, span.end, span.label) for span in invented]
    return iter(sorted(found, key=lambda error: (error.start, error.end)))


def _gold_error(document: str, span: Span, systems: Sequence[Span], left: int) -> Mistake:
    remaining = (left & stretch(span.start, span.end)).bit_count()
    answers = [other for other in systems if other.overlaps(span)]
    if not answers:
        return Mistake("missed", document, span.start, span.end, span.label, remaining)
    best = max(answers, key=lambda other: (other.label == span.label, _count_shared(other, span)))
    kind: Kind = "boundary" if best.label == span.label else "confused"
    return Mistake(kind, document, span.start, span.end, span.label, remaining, (best.start, best.end, best.label))


def _count_shared(a: Span, b: Span) -> int:
    return min(a.end, b.end) - max(a.start, b.start)


def confusion(pairs: Sequence[Pair], errors: Iterable[Mistake]) -> dict[str, dict[str, int]]:
    """Gold labels by the labels they were given; a span that is only cut wrongly counts as its label."""
    table: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for gold, _ in pairs:
        for span in set(gold.spans):
            table[span.label][span.label] += 1
    for error in errors:
        if error.kind == "spurious":
            table[NONE][error.label] += 1
        elif error.kind != "boundary":
            table[error.label][error.label] -= 1
            table[error.label][error.found[2] if error.found else NONE] += 1
    return {row: {label: n for label, n in sorted(cells.items()) if n} for row, cells in sorted(table.items())}


def ranked(pairs: Iterable[Pair]) -> list[dict[str, Any]]:
    """What each document leaks and loses, the worst first."""
    leaks = [(gold.id, Leak.of(gold, system)) for gold, system in pairs]
    rows = [
        {
            "id": id,
            "leaked_characters": leak.leaked,
            "identifier_characters": leak.characters,
            "identifiers": leak.identifiers,
            "left": leak.identifiers - leak.masked,
            "over_redacted_characters": leak.lost,
            "other_characters": leak.others,
        }
        for id, leak in leaks
    ]
    return sorted(rows, key=lambda row: (-row["leaked_characters"], -row["left"], -row["over_redacted_characters"], row["id"]))
