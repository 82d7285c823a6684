"""Best alignments of what several annotators marked in one text (Mathet et al. 2015, section 4).

A unit is a segment with a category. A unitary alignment takes at most one unit of each annotator; an alignment puts every unit
into exactly one of them. The best alignment is the one with the least disorder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from innominate.campaign.agreement.partition import Owned, partition_units
from innominate.campaign.agreement.units import Dissimilarity, Unit
from innominate.core import Span, UsageError


@dataclass(frozen=True, slots=True)
class Continuum:
    """The units of every annotator of one text; somebody who marked nothing takes part with no unit.

    >>> Continuum({"eva": [Unit(0, 3, "NAME")], "ola": []}).annotators
    ('eva', 'ola')
    """

    units: Mapping[str, tuple[Unit, ...]]

    def __init__(self, units: Mapping[str, Iterable[Unit]]) -> None:
        object.__setattr__(self, "units", {who: tuple(sorted(set(units[who]))) for who in sorted(units)})

    @classmethod
    def of(cls, spans: Mapping[str, Iterable[Span]]) -> Continuum:
        """From the spans of each annotator."""
        return cls({who: [Unit(span.start, span.end, span.label) for span in some] for who, some in spans.items()})

    @property
    def annotators(self) -> tuple[str, ...]:
        """Who took part, by name."""
        return tuple(self.units)

    @property
    def size(self) -> int:
        """How many units there are."""
        return sum(map(len, self.units.values()))

    def owned(self) -> list[Owned]:
        """All units by place, each with the number of its annotator."""
        return sorted((*unit, who) for who, units in enumerate(self.units.values()) for unit in units)


@dataclass(frozen=True, slots=True)
class Unitary:
    """Units that are taken to mean the same thing, at most one of each annotator."""

    units: Mapping[str, Unit]
    disorder: float

    @property
    def place(self) -> tuple[int, int]:
        """From the first to the last character that anybody marked."""
        return int(min(unit.start for unit in self.units.values())), int(max(unit.end for unit in self.units.values()))


@dataclass(frozen=True, slots=True)
class Alignment:
    """The best alignment. `exact` is false only for continuums too large to search through, where it is a good one."""

    unitary: tuple[Unitary, ...]
    disorder: float
    exact: bool = True


def best_alignment(continuum: Continuum, dissimilarity: Dissimilarity | None = None) -> Alignment:
    """Align the units of a continuum with the least disorder.

    >>> alignment = best_alignment(Continuum({"eva": [Unit(10, 20, "NAME")], "ola": [Unit(8, 20, "NAME")], "siv": []}))
    >>> len(alignment.unitary), round(alignment.disorder, 6)
    (1, 1.004132)
    """
    owned, names = continuum.owned(), continuum.annotators
    if len(names) < 2 or not owned:
        raise UsageError("an alignment needs at least two annotators and one unit")
    found = partition_units(owned, len(names), dissimilarity or Dissimilarity())
    pairs = len(names) * (len(names) - 1) / 2
    unitary = [
        Unitary({names[owned[unit][3]]: Unit(*owned[unit][:3]) for unit in members}, cost / pairs)
        for members, cost in zip(found.clusters, found.costs, strict=True)
    ]
    ordered = tuple(sorted(unitary, key=lambda one: (one.place, sorted(one.units))))
    return Alignment(ordered, disorder_of(found.cost, len(owned), len(names)), found.exact)


def disorder_of(cost: float, units: int, annotators: int) -> float:
    """The sum of unitary disorders over the mean number of units of an annotator."""
    return cost / (annotators * (annotators - 1) / 2) / (units / annotators)
