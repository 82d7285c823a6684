"""Where annotators differ from the reference: penalties for segment and category apart (Loftsson 2022, section 3.2.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from operator import add

from innominate.campaign.reference.verdicts import Aligned, Record


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

    @property
    def segment_penalty(self) -> int | None:
        """1 or 0, None without a reference."""
        return None if self.segment_right is None else int(not self.segment_right)

    @property
    def category_penalty(self) -> int | None:
        """1 or 0, None without a reference."""
        return None if self.category_right is None else int(not self.category_right)


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
