"""Thresholds on marginal probabilities: how a model that is sure of itself is made to miss less.

Rule: a token predicted as non-PHI takes its likeliest PHI tag if the probability of non-PHI is below one threshold (main) and
that of the PHI tag at least another (alt). Berg et al. 2020, section 3.1.2 and appendix A.2, after Deleger et al. 2013.
A threshold on the summed probability of all PHI tags is the case alt = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

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
# A raised token joins the span before it only where non-PHI is no likelier than at the F1 point of the seed (its table 4);
# else it stands apart, so that the borders of what was found already stay.
JOINS = 0.75


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

    def alternatives(self) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """Of each token the likeliest PHI tag, and its probability."""
        phi = self.probabilities.copy()
        phi[:, self.tags.index(OUTSIDE)] = -1
        likeliest = phi.argmax(axis=1) if phi.size else np.zeros(0, np.intp)
        return likeliest, np.take_along_axis(phi, likeliest[:, None], axis=1)[:, 0]


class GivesMarginals(Protocol):
    """A detector that can say how sure it is of every token."""

    def marginals(self, documents: Sequence[Document]) -> list[Marginals]:
        """What the model believes about each document."""


def decide(marginals: Marginals, points: Mapping[str, Point]) -> NDArray[np.intp]:
    """The tag of each token at operating points by label; a label without one stays as the model has it.

    >>> believed = np.array([[0.90, 0.09, 0.01], [0.2, 0.7, 0.1]], np.float32)
    >>> two = Marginals("Eva Ek", (0, 4), (3, 6), ("O", "B-NAME", "I-NAME"), believed, np.array([0, 1]))
    >>> decide(two, {"NAME": Point(0.95, 0.05)}).tolist()
    [1, 1]
    """
    by_tag = [points.get(tag[2:], UNCHANGED) for tag in marginals.tags]
    main, alt = np.array([point.main for point in by_tag]), np.array([point.alt for point in by_tag])
    likeliest, probability = marginals.alternatives()
    raised = ~marginals.chosen & (marginals.outside < main[likeliest]) & (probability >= alt[likeliest])
    apart = {number: marginals.tags.index(f"B-{tag[2:]}") for number, tag in enumerate(marginals.tags) if tag != OUTSIDE}
    chosen, outside = marginals.chosen, marginals.outside
    tags = marginals.best.copy()
    for index in np.flatnonzero(raised).tolist():
        if _says_something(marginals, index):  # a raised comma would only spoil the border of the span before it
            joins = outside[index] < JOINS or not index or not chosen[index - 1]
            tags[index] = likeliest[index] if joins else apart[int(likeliest[index])]
    return tags


def spans_of(
    marginals: Marginals, tags: NDArray[np.intp], source: str, calibration: Calibration = lambda raw: raw
) -> list[Span]:
    """Spans from tags. Their score is the least probability of their label on any of their tokens, calibrated."""
    names, text = marginals.tags, marginals.text
    columns: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        columns.setdefault(name[2:], []).append(number)
    spans = []
    for first, last, label in runs([names[tag] for tag in tags.tolist()]):
        words = [index for index in range(first, last) if _says_something(marginals, index)]
        if not words:
            continue
        raw = float(marginals.probabilities[words][:, columns[label]].sum(axis=1).min())
        start, end = _trimmed(text, marginals.starts[first], marginals.ends[last - 1])
        spans.append(Span(start, end, label, calibration(min(1.0, raw)), source))
    return spans


def _says_something(marginals: Marginals, index: int) -> bool:
    return any(map(str.isalnum, marginals.text[marginals.starts[index] : marginals.ends[index]]))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without white space at the ends: a line end may be inside an identifier, not at its border."""
    found = text[start:end]
    return start + len(found) - len(found.lstrip()), end - (len(found) - len(found.rstrip()))


def runs(tags: Sequence[str]) -> list[tuple[int, int, str]]:
    """First and last token (half-open) and label of each run of tags; an `I` without its `B` begins one.

    >>> runs(["B-A", "I-A", "B-A", "I-B", "O"])
    [(0, 2, 'A'), (2, 3, 'A'), (3, 4, 'B')]
    """
    found, first, label = [], 0, ""
    for index, tag in enumerate([*tags, OUTSIDE]):
        if label and tag != f"I-{label}":
            found.append((first, index, label))
            label = ""
        if tag != OUTSIDE and not label:
            first, label = index, tag[2:]
    return found
