"""Tags of tokens and the spans they stand for, in the schemes of the CoNLL family."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from innominate.core import Span

OUTSIDE = frozenset({"O", "0", "_", ""})  # a Swedish news corpus writes the digit


class Scheme(NamedTuple):
    """The letters for the first, a middle, the last and the only token of a span."""

    first: str
    middle: str
    last: str
    only: str


SCHEMES = {"iob2": Scheme("B", "I", "I", "B"), "iobes": Scheme("B", "I", "E", "S"), "bilou": Scheme("B", "I", "L", "U")}
_TAG = re.compile(r"([BIMELSU])-(.+)", re.DOTALL)
_BEGINS, _ENDS = frozenset("BSU"), frozenset("ELSU")


def tags_of(count: int, label: str, scheme: Scheme) -> list[str]:
    """The tags of a span over so many tokens.

    >>> tags_of(3, "CITY", SCHEMES["iobes"]), tags_of(1, "CITY", SCHEMES["bilou"])
    (['B-CITY', 'I-CITY', 'E-CITY'], ['U-CITY'])
    """
    if count == 1:
        return [f"{scheme.only}-{label}"]
    return [f"{scheme.first}-{label}", *[f"{scheme.middle}-{label}"] * (count - 2), f"{scheme.last}-{label}"]


def is_tag(tag: str) -> bool:
    """Say whether something is surely a tag."""
    return tag in ("O", "0") or _TAG.fullmatch(tag) is not None


def spans_of(tags: Iterable[str], places: Sequence[tuple[int, int]]) -> list[Span]:
    """Read tags of any scheme (IOB1, IOB2, IOBES, BILOU, bare labels), forgiving ill-formed sequences as conlleval does.

    >>> [(s.start, s.end, s.label) for s in spans_of(["I-PER", "B-PER", "0", "LOC", "LOC"], [(n, n + 1) for n in range(5)])]
    [(0, 1, 'PER'), (1, 2, 'PER'), (3, 5, 'LOC')]
    """
    spans: list[Span] = []
    open_label: str | None = None  # of the span that the next token may go on with
    for tag, (start, end) in zip(tags, places, strict=True):
        if tag in OUTSIDE:
            open_label = None
            continue
        match = _TAG.fullmatch(tag)
        letter, label = match.groups() if match else ("I", tag)
        if label == open_label and letter not in _BEGINS:
            spans[-1] = Span(spans[-1].start, end, label)
        else:
            spans.append(Span(start, end, label))
        open_label = None if letter in _ENDS else label
    return spans
