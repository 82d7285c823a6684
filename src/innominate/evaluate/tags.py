"""Tag sequences, IOB2 and IOBES: entity F1 as seqeval and nervaluate compute it.

Rules: seqeval 1.2.2, strict (ill-formed entities are dropped) and default (those of conlleval, lenient); nervaluate 1.2.1. The
numbers depend on the tokens, so they cannot be compared with those of scorers that work on characters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal

from innominate.core import Document, Score, UsageError, resolve
from innominate.evaluate.counts import Pair, compared, total
from innominate.evaluate.spans import Entity, score_entities
from innominate.text.tokens import tokens

Scheme = Literal["IOB2", "IOBES"]
Tags = Sequence[str]
Chunk = tuple[str, int, int]  # type, first token, token after the last
OUTSIDE = ("O", "")
PREFIXES = {"IOB2": frozenset("BIO"), "IOBES": frozenset("BIOES")}


def score(gold: Sequence[Tags], system: Sequence[Tags], scheme: Scheme = "IOB2") -> dict[str, Any]:
    """Both libraries' numbers for sentences of tags; nervaluate's for IOB2 only, as it refuses the rest.

    >>> score([["B-NAME", "I-NAME"]], [["I-NAME", "I-NAME"]])["seqeval"]["default"]["micro"]["f1"]
    1.0
    """
    _check(gold, system, scheme)
    result: dict[str, Any] = {"scheme": scheme, "seqeval": {"strict": strict(gold, system, scheme)}}
    result["seqeval"]["default"] = _seqeval(gold, system, lenient)[0]
    if scheme == "IOB2":
        result["nervaluate"] = score_entities([(runs(a), runs(b)) for a, b in zip(gold, system, strict=True)])
    return result


def score_documents(pairs: Iterable[Pair]) -> dict[str, Any]:
    """seqeval's strict numbers for documents, on our own tokens; each document is one sequence."""
    pairs = list(pairs)
    numbers = strict([sequence(gold) for gold, _ in pairs], [sequence(system) for _, system in pairs], "IOB2")
    return {name: value for name, value in numbers.items() if not name.startswith("entities_")}  # as long as the corpus


def sequence(document: Document) -> list[str]:
    """The IOB2 tags of a document; a token belongs to the first span that it touches.

    >>> from innominate.core import annotated
    >>> sequence(annotated("[Eva Ek](NAME) slept."))
    ['B-NAME', 'I-NAME', 'O', 'O']
    """
    tags: list[str] = []
    spans = list(resolve(document.spans))
    last = None  # the span of the token before
    for start, end in tokens(document.text):
        while spans and spans[0].end <= start:
            spans.pop(0)
        span = spans[0] if spans and spans[0].start < end else None
        tags.append("O" if span is None else f"{'I' if span is last else 'B'}-{span.label}")
        last = span
    return tags


def _check(gold: Sequence[Tags], system: Sequence[Tags], scheme: Scheme) -> None:
    if len(gold) != len(system) or any(len(a) != len(b) for a, b in zip(gold, system, strict=True)):
        raise UsageError("the two sides have different numbers of sentences or of tokens in one of them")
    wrong = sorted({tag for side in (gold, system) for tags in side for tag in tags if tag[:1] not in PREFIXES[scheme]})
    if wrong:
        raise UsageError(f"{', '.join(wrong[:5])}: not a tag of {scheme}")


def strict(gold: Sequence[Tags], system: Sequence[Tags], scheme: Scheme) -> dict[str, Any]:
    """seqeval's strict mode: numbers, and the entities of each sentence."""
    numbers, golds, systems = _seqeval(gold, system, lambda tags: well_formed(tags, scheme))
    counts = total(compared(set(a), set(b)) for a, b in zip(golds, systems, strict=True))
    numbers["entities_true"] = [[list(chunk) for chunk in chunks] for chunks in golds]
    numbers["entities_pred"] = [[list(chunk) for chunk in chunks] for chunks in systems]
    return {**numbers, "counts": {"tp": counts.tp, "fp": counts.fp, "fn": counts.fn}}


def _seqeval(
    gold: Sequence[Tags], system: Sequence[Tags], chunks: Callable[[Tags], Iterator[Chunk]]
) -> tuple[dict[str, Any], list[list[Chunk]], list[list[Chunk]]]:
    golds, systems = [list(chunks(tags)) for tags in gold], [list(chunks(tags)) for tags in system]
    scores: dict[str, Score] = {}
    for type in sorted({chunk[0] for side in (golds, systems) for sentence in side for chunk in sentence}):
        pairs = zip(golds, systems, strict=True)
        scores[type] = total(compared({c for c in a if c[0] == type}, {c for c in b if c[0] == type}) for a, b in pairs)
    pooled = total(scores.values())
    numbers = {
        "micro": _row(pooled),
        "macro": _mean(scores, dict.fromkeys(scores, 1)),
        "weighted": _mean(scores, {type: found.tp + found.fn for type, found in scores.items()}),
        "per_type": {type: _row(found) for type, found in scores.items()},
    }
    return numbers, golds, systems


def _row(score: Score) -> dict[str, Any]:
    return {"precision": score.precision, "recall": score.recall, "f1": score.f(), "support": score.tp + score.fn}


def _mean(scores: dict[str, Score], weights: dict[str, int]) -> dict[str, Any]:
    sums: Counter[str] = Counter()
    rows = {type: _row(found) for type, found in scores.items()}
    for type, row in rows.items():
        for name in ("precision", "recall", "f1"):
            sums[name] += row[name] * weights[type]
    whole = sum(weights.values())
    support = sum(row["support"] for row in rows.values())
    return {**{name: sums[name] / whole if whole else 0.0 for name in ("precision", "recall", "f1")}, "support": support}


def _parts(tags: Tags) -> list[tuple[str, str]]:
    """Prefix and type of each tag; a type may hold hyphens itself, and one without type is called `_`."""
    return [OUTSIDE if tag == "O" else (tag[0], tag[1:].removeprefix("-") or "_") for tag in tags]


def well_formed(tags: Tags, scheme: Scheme) -> Iterator[Chunk]:
    """Entities of well-formed tags; everything else is dropped.

    In IOB2 a B and the I of the same type after it, in IOBES an S, or B I* E of one type.
    """
    parts = [*_parts(tags), OUTSIDE]
    for start, (prefix, type) in enumerate(parts):
        if prefix == "S":
            yield type, start, start + 1
        elif prefix == "B":
            end = start + 1
            while parts[end] == ("I", type):
                end += 1
            if scheme == "IOB2":
                yield type, start, end
            elif parts[end] == ("E", type):
                yield type, start, end + 1


def lenient(tags: Tags) -> Iterator[Chunk]:
    """Entities as conlleval sees them, in either scheme: an entity may start with any prefix."""
    before, start = OUTSIDE, 0
    for position, now in enumerate([*_parts(tags), OUTSIDE]):
        changed = before[1] != now[1]
        if before != OUTSIDE and (changed or before[0] in "ES" or now[0] in "BSO"):
            yield before[1], start, position
        if now != OUTSIDE and (changed or now[0] in "BS" or before[0] in "ESO"):
            start = position
        before = now


def runs(tags: Tags) -> list[Entity]:
    """Entities as nervaluate reads them: a B, or a change of type, starts a new one."""
    found: list[Entity] = []
    before = "O"
    for position, tag in enumerate(tags):
        if tag != "O" and before != "O" and tag[2:] == before[2:] and tag[0] != "B":
            found[-1] = found[-1]._replace(last=position)
        elif tag != "O":
            found.append(Entity(tag[2:], position, position))
        before = tag
    return found
