"""The reference: for every alignment its segment and category, by vote or by a manager, and the two joined into spans.

What the annotators of an alignment say about its segment and its category is counted apart (Loftsson 2022, section 3.3).
Everybody who did the sample has a vote, also those who marked nothing there: their vote is None. A value is decided when it
has more than half of all votes; a tie decides nothing. Where annotators differ from the reference there are penalties, for
segment and category apart (section 3.2.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from operator import add
from typing import Any, Generic, Literal, TypeVar

from innominate.campaign.agreement.alignment import Continuum, MarkedUnit, Unitary
from innominate.campaign.agreement.gamma import Gamma
from innominate.core import Span

Segment = tuple[int, int]
V = TypeVar("V", Segment, str)
_SLACK = 1e-9  # weights are not whole numbers
Kind = Literal["several", "single", "empty"]  # several annotators; one; several and none of them marked anything


@dataclass(frozen=True, slots=True)
class Vote(Generic[V]):
    """How many, or how much weight, for each value; None stands for "nothing here"."""

    counts: Mapping[V | None, float]

    @property
    def total(self) -> float:
        """All votes."""
        return sum(self.counts.values())

    @property
    def most(self) -> float:
        """The votes of the strongest value."""
        return max(self.counts.values())

    @property
    def decided(self) -> bool:
        """Whether one value has more than half."""
        return self.most > self.total / 2 + _SLACK

    @property
    def value(self) -> V | None:
        """The decided value; None may mean that nothing is there, or that nothing is decided."""
        return max(self.counts, key=lambda value: self.counts[value]) if self.decided else None


@dataclass(frozen=True, slots=True)
class AlignmentVotes:
    """Both votes of one alignment."""

    segment: Vote[Segment]
    category: Vote[str]


def count_votes(
    units: Mapping[str, MarkedUnit], annotators: Sequence[str], weights: Mapping[str, float] | None = None
) -> AlignmentVotes:
    """Count the votes of all annotators of a sample on one of its alignments.

    >>> found = count_votes({"eva": MarkedUnit(0, 5, "BED"), "ola": MarkedUnit(4, 5, "BED")}, ["eva", "ola", "siv"])
    >>> found.category.value, found.segment.decided
    ('BED', False)
    """
    segments: dict[Segment | None, float] = {}
    categories: dict[str | None, float] = {}
    for who in annotators:
        unit, weight = units.get(who), (weights or {}).get(who, 1.0)
        segment = (int(unit.start), int(unit.end)) if unit else None
        label = unit.label if unit else None
        segments[segment] = segments.get(segment, 0.0) + weight
        categories[label] = categories.get(label, 0.0) + weight
    return AlignmentVotes(Vote(segments), Vote(categories))


@dataclass(frozen=True, slots=True)
class Verdict(Generic[V]):
    """The reference value of one side of an alignment. A value of None that is known means that nothing is there."""

    vote: Vote[V]
    known: bool
    value: V | None
    corrected: bool = False

    @classmethod
    def of(cls, vote: Vote[V], weighed: Vote[V]) -> Verdict[V]:
        """The majority, which is the reference unless somebody corrects it; heads are kept also where weights decide."""
        return cls(vote, weighed.decided, weighed.value)


@dataclass(frozen=True, slots=True)
class Aligned:
    """One alignment of a sample: who marked what, and the reference."""

    sample: str
    place: Segment
    units: Mapping[str, MarkedUnit]
    annotators: tuple[str, ...]  # all who did the sample
    segment: Verdict[Segment]
    category: Verdict[str]
    by: str = ""  # who corrected it
    reason: str = ""

    @property
    def span(self) -> Span | None:
        """The reference span, if both sides are known and something is there."""
        segment, label = self.segment.value, self.category.value
        if not (self.segment.known and self.category.known) or segment is None or label is None:
            return None
        return Span(*segment, label, source="correction" if self.segment.corrected or self.category.corrected else "majority")

    @property
    def open(self) -> bool:
        """Whether there is no reference: one side is not known, and the other does not say that nothing is there."""
        nothing = any(side.known and side.value is None for side in (self.segment, self.category))
        return self.span is None and not nothing

    @property
    def unanimous(self) -> bool:
        """Whether everybody said the same."""
        return len(self.segment.vote.counts) == 1 and len(self.category.vote.counts) == 1

    @property
    def judged(self) -> bool:
        """Whether more than one person had a say, so that agreeing with the reference means something."""
        return len(self.annotators) > 1 or self.segment.corrected or self.category.corrected

    def own(self, who: str) -> tuple[Segment | None, str | None]:
        """What one annotator said."""
        unit = self.units.get(who)
        return ((int(unit.start), int(unit.end)), unit.label) if unit else (None, None)


@dataclass(frozen=True, slots=True)
class Record:
    """The reference of one sample with all that later says how good it is."""

    sample: str
    kind: Kind
    annotators: tuple[str, ...]
    aligned: tuple[Aligned, ...]
    gamma: Gamma | None = None

    @property
    def spans(self) -> tuple[Span, ...]:
        """The reference spans."""
        return tuple(sorted({aligned.span for aligned in self.aligned if aligned.span}))

    @property
    def agreement(self) -> float | None:
        """Gamma; 1 where several annotators agree that nothing is there; None for one annotator."""
        return 1.0 if self.kind == "empty" else self.gamma.value if self.gamma else None

    def as_meta(self) -> dict[str, Any]:
        """What goes with the reference into a corpus: people, votes and agreement, and no word of the text."""
        return {
            "annotators": list(self.annotators),
            "n_annotators": len(self.annotators),
            "kind": self.kind,
            "gamma": self.agreement,
            "alignments": [_as_dict(aligned) for aligned in self.aligned],
        }


def vote_on_sample(sample: str, continuum: Continuum, gamma: Gamma | None) -> Record:
    """Vote on every alignment of a sample. One annotator's units are alignments by themselves.

    >>> alone = vote_on_sample("n1", Continuum({"eva": [MarkedUnit(0, 3, "NAME")]}), None)
    >>> alone.kind, alone.spans[0].label
    ('single', 'NAME')
    """
    kind: Kind = "single" if len(continuum.annotators) == 1 else "several" if continuum.size else "empty"
    aligned = []
    for unitary in alignments_of_sample(continuum, gamma):
        votes = count_votes(unitary.units, continuum.annotators)
        segment, category = Verdict.of(votes.segment, votes.segment), Verdict.of(votes.category, votes.category)
        aligned.append(Aligned(sample, unitary.place, unitary.units, continuum.annotators, segment, category))
    return Record(sample, kind, continuum.annotators, tuple(aligned), gamma)


def alignments_of_sample(continuum: Continuum, gamma: Gamma | None) -> Sequence[Unitary]:
    """The unitary alignments of a sample; of one annotator, each unit by itself."""
    if gamma:
        return gamma.alignment.unitary
    return [Unitary({who: unit}, 0.0) for who, units in continuum.units.items() for unit in units]


def _as_dict(aligned: Aligned) -> dict[str, Any]:
    return {
        "place": list(aligned.place),
        "segments": [[value, int(count)] for value, count in aligned.segment.vote.counts.items()],
        "categories": [[value, int(count)] for value, count in aligned.category.vote.counts.items()],
        "reference": [*aligned.segment.value, aligned.category.value] if aligned.span and aligned.segment.value else None,
        "corrected": aligned.segment.corrected or aligned.category.corrected,
    }


@dataclass(frozen=True, slots=True)
class Judgement:
    """One annotator on one alignment: right, wrong, or None where there is no reference to differ from."""

    annotator: str
    aligned: Aligned
    segment_right: bool | None
    category_right: bool | None

    @property
    def penalty(self) -> int:
        """One, if the segment or the category is wrong; both together are not worse."""
        return int(self.segment_right is False or self.category_right is False)

    def penalty_of(self, side: str) -> int | None:
        """1 or 0 for the segment or the category, None without a reference."""
        right = self.segment_right if side == "segment" else self.category_right
        return None if right is None else int(not right)


def judge_records(records: Iterable[Record]) -> list[Judgement]:
    """Everybody on every alignment of the samples they did; where one person alone decided there is nothing to judge."""
    return [
        judge(who, aligned) for record in records for aligned in record.aligned if aligned.judged for who in aligned.annotators
    ]


def judge(who: str, aligned: Aligned) -> Judgement:
    """One annotator on one alignment."""
    segment, label = aligned.own(who)
    return Judgement(
        who,
        aligned,
        segment == aligned.segment.value if aligned.segment.known else None,
        label == aligned.category.value if aligned.category.known else None,
    )


@dataclass(frozen=True, slots=True)
class Quality:
    """Agreements with the reference out of all alignments that have one."""

    segments_right: int = 0
    segments: int = 0
    categories_right: int = 0
    categories: int = 0
    disagreements: int = 0  # alignments with a penalty

    def __add__(self, other: Quality) -> Quality:
        return Quality(*map(add, astuple(self), astuple(other)))

    @property
    def segmentation(self) -> float | None:
        """The quality index for limits; None if there is nothing to judge by."""
        return self.segments_right / self.segments if self.segments else None

    @property
    def categorisation(self) -> float | None:
        """The quality index for labels."""
        return self.categories_right / self.categories if self.categories else None

    @property
    def index(self) -> float | None:
        """The mean of the two.

        >>> Quality(9, 10, 8, 10).index
        0.8500000000000001
        """
        both = [value for value in (self.segmentation, self.categorisation) if value is not None]
        return sum(both) / len(both) if both else None


def measure_qualities(found: Iterable[Judgement]) -> dict[str, Quality]:
    """The quality of every annotator who was judged at all."""
    total: dict[str, Quality] = {}
    for one in found:
        here = Quality(
            int(one.segment_right is True),
            int(one.segment_right is not None),
            int(one.category_right is True),
            int(one.category_right is not None),
            one.penalty,
        )
        total[one.annotator] = total.get(one.annotator, Quality()) + here
    return total


def count_wrong_categories(found: Iterable[Judgement]) -> Mapping[str | None, int]:
    """How often each of one's own categories was wrong; None: nothing was marked where the reference has something."""
    return Counter(one.aligned.own(one.annotator)[1] for one in found if one.category_right is False)


def count_contradicted(found: Iterable[Judgement]) -> Counter[str]:
    """How many units of each annotator the reference contradicts: nothing is there, or it is something else."""
    return Counter(one.annotator for one in found if one.penalty and one.annotator in one.aligned.units)
