"""Thresholds on marginal probabilities: how a model that is sure of itself is made to miss less.

Rule: a token predicted as non-PHI takes its likeliest PHI tag if the probability of non-PHI is below one threshold (main) and
that of the PHI tag at least another (alt). Berg et al. 2020, section 3.1.2 and appendix A.2, after Deleger et al. 2013.
A threshold on the summed probability of all PHI tags is the case alt = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from innominate.core import Document, Span

OUTSIDE = "O"
Calibration = Callable[[float], float]


class Point(NamedTuple):
    """An operating point. `Point(0, 1)` changes nothing; the lower `alt` and the higher `main`, the more is found."""

    main: float
    alt: float


UNCHANGED = Point(0.0, 1.0)
# A raised token joins the span before it only where non-PHI is no likelier than this; else it stands apart, so that borders
# of what was found already stay. Chosen by cross-validation on MEDDOCAN train (tools/score_crf_folds.py); it matters little.
JOINS = 0.6


@dataclass(frozen=True, slots=True)
class Marginals:
    """What a model believes about the tokens of one note: the probability of each tag, and the tags it would choose."""

    text: str = field(repr=False)
    starts: Sequence[int]
    ends: Sequence[int]
    tags: tuple[str, ...]
    probabilities: NDArray[np.float32]
    best: NDArray[np.intp]

    @property
    def outside(self) -> NDArray[np.float32]:
        """The probability that a token is no identifier."""
        column: NDArray[np.float32] = self.probabilities[:, self.tags.index(OUTSIDE)]
        return column

    @property
    def chosen(self) -> NDArray[np.bool_]:
        """The tokens that the model itself takes for identifiers."""
        chosen: NDArray[np.bool_] = self.best != self.tags.index(OUTSIDE)
        return chosen

    def alternatives(self, at: NDArray[np.intp] | None = None) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """Of each token, or of those at some places, the likeliest PHI tag and its probability."""
        phi = self.probabilities.copy() if at is None else self.probabilities[at]
        phi[:, self.tags.index(OUTSIDE)] = -1
        likeliest = phi.argmax(axis=1) if phi.size else np.zeros(0, np.intp)
        return likeliest, np.take_along_axis(phi, likeliest[:, None], axis=1)[:, 0]


@runtime_checkable
class MarginalsDetector(Protocol):
    """A detector that can say how sure it is of every token."""

    def marginals(self, documents: Sequence[Document]) -> list[Marginals]:
        """What the model believes about each document."""


def decide(marginals: Marginals, points: Mapping[str, Point], joins: float = JOINS) -> NDArray[np.intp]:
    """The tag of each token at operating points by label; a label without one stays as the model has it.

    >>> believed = np.array([[0.90, 0.09, 0.01], [0.2, 0.7, 0.1]], np.float32)
    >>> two = Marginals("Eva Ek", (0, 4), (3, 6), ("O", "B-NAME", "I-NAME"), believed, np.array([0, 1]))
    >>> decide(two, {"NAME": Point(0.95, 0.05)}).tolist()
    [1, 1]
    """
    by_tag = [points.get(tag[2:], UNCHANGED) for tag in marginals.tags]
    main, alt = np.array([point.main for point in by_tag]), np.array([point.alt for point in by_tag])
    chosen, outside = marginals.chosen, marginals.outside
    tags = marginals.best.copy()
    near = np.flatnonzero(~chosen & (outside < main.max()))  # all others stay; most tokens are certain
    likeliest, probability = marginals.alternatives(near)
    raised = (outside[near] < main[likeliest]) & (probability >= alt[likeliest])
    for index, tag in zip(near[raised].tolist(), likeliest[raised].tolist(), strict=True):
        if _says_something(marginals, index):  # a raised comma would only spoil the border of the span before it
            together = outside[index] < joins or not index or not chosen[index - 1]
            tags[index] = tag if together else marginals.tags.index(f"B-{marginals.tags[tag][2:]}")
    return tags


def spans_of(
    marginals: Marginals, tags: NDArray[np.intp], source: str, calibration: Calibration = lambda raw: raw
) -> list[Span]:
    """Spans from tags. Their score is the least probability of their label on any of their tokens, calibrated."""
    names, text, probabilities = marginals.tags, marginals.text, marginals.probabilities
    inside = np.flatnonzero(tags != names.index(OUTSIDE))
    mine = tags[inside]
    mass = (probabilities[inside] * _same_label(names)[mine]).sum(axis=1)
    score = dict(zip(inside.tolist(), mass.tolist(), strict=True))
    spans = []
    for first, last, label in runs_of(zip(score, (names[tag] for tag in mine.tolist()), strict=True)):
        words = [score[index] for index in range(first, last) if _says_something(marginals, index)]
        if words:
            start, end = _trim_blanks(text, marginals.starts[first], marginals.ends[last - 1])
            spans.append(Span(start, end, label, calibration(min(1.0, *words)), source))
    return spans


@lru_cache(16)
def _same_label(tags: tuple[str, ...]) -> NDArray[np.bool_]:
    """Which tags have the label of each tag."""
    return np.array([[one[2:] == other[2:] for other in tags] for one in tags])


def _says_something(marginals: Marginals, index: int) -> bool:
    return any(map(str.isalnum, marginals.text[marginals.starts[index] : marginals.ends[index]]))


def _trim_blanks(text: str, start: int, end: int) -> tuple[int, int]:
    """Without white space at the ends: a line end may be inside an identifier, not at its border."""
    found = text[start:end]
    return start + len(found) - len(found.lstrip()), end - (len(found) - len(found.rstrip()))


def runs(tags: Sequence[str]) -> list[tuple[int, int, str]]:
    """First and last token (half-open) and label of each run of IOB2 or BIOES tags; an `I` without its `B` begins one.

    >>> runs(["B-A", "I-A", "B-A", "I-B", "O"]), runs(["B-A", "E-A", "S-A"])
    ([(0, 2, 'A'), (2, 3, 'A'), (3, 4, 'B')], [(0, 2, 'A'), (2, 3, 'A')])
    """
    return list(runs_of((index, tag) for index, tag in enumerate(tags) if tag != OUTSIDE))


def runs_of(tagged: Iterable[tuple[int, str]]) -> Iterator[tuple[int, int, str]]:
    """The same from the tokens that have a tag at all, each with its number."""
    first = last = 0
    label = ""
    for index, tag in tagged:
        if label and (index != last or tag not in (f"I-{label}", f"E-{label}")):
            yield first, last, label
            label = ""
        if not label:
            first, label = index, tag[2:]
        last = index + 1
    if label:
        yield first, last, label
