"""What an analysis makes of a simulated campaign, beside what is known to be true: the error of every estimate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from operator import add
from statistics import fmean
from typing import Any, ClassVar

from innominate.campaign.analysis.analysis import Analysis
from innominate.campaign.experiment.comparison import Arms, group_of
from innominate.campaign.records import Answer
from innominate.campaign.reference.decisions import Correction, Pending, apply_corrections
from innominate.campaign.reference.verdicts import Record
from innominate.campaign.simulate.working import SimulatedTask, Truth
from innominate.core import Span
from innominate.evaluate.counts import compared, total

Settled = Mapping[str, Sequence[Span]]  # reference spans by sample


@dataclass(frozen=True, slots=True)
class Errors:
    """Counts over all chunks of somebody."""

    RATES: ClassVar[tuple[str, ...]] = ("missed", "confused", "slipped", "invented")

    expected: int = 0  # identifiers of the standard
    said: int = 0
    missed: int = 0  # nothing was marked there
    confused: int = 0  # another label
    slipped: int = 0  # other limits
    invented: int = 0  # marks that touch no identifier

    def __add__(self, other: Errors) -> Errors:
        return Errors(*map(add, astuple(self), astuple(other)))

    def rate(self, name: str) -> float:
        """One of `RATES`: of the identifiers, or, for what was invented, of the marks."""
        of = self.said if name == "invented" else self.expected
        return float(getattr(self, name)) / of if of else 0.0

    @property
    def segment_penalty(self) -> float:
        """The share of places, identifiers and inventions, where the limits are wrong."""
        return (self.missed + self.slipped + self.invented) / max(1, self.expected + self.invented)

    @property
    def category_penalty(self) -> float:
        """The share of places where the label is wrong."""
        return (self.missed + self.confused + self.invented) / max(1, self.expected + self.invented)

    @property
    def index(self) -> float:
        """The quality index that somebody would have by this standard."""
        return 1 - (self.segment_penalty + self.category_penalty) / 2


def count_errors(pairs: Iterable[tuple[Sequence[Span], Sequence[Span]]]) -> Errors:
    """Count the errors in pairs of (standard, said).

    >>> found = count_errors([([Span(0, 3, "DATE"), Span(9, 12, "RUE")], [Span(0, 4, "ÂGE")])])
    >>> found.missed, found.confused, found.slipped, found.segment_penalty
    (1, 1, 1, 1.0)
    """
    return sum((_errors_of_one(standard, said) for standard, said in pairs), Errors())


def _errors_of_one(standard: Sequence[Span], said: Sequence[Span]) -> Errors:
    left = list(said)
    missed = confused = slipped = 0
    for span in standard:
        touching = [one for one in left if one.overlaps(span)]
        if not touching:
            missed += 1
            continue
        best = max(
            touching,
            key=lambda one: (one == span, min(one.end, span.end) - max(one.start, span.start), one.label == span.label),
        )
        left.remove(best)
        confused += best.label != span.label
        slipped += (best.start, best.end) != (span.start, span.end)
    return Errors(len(standard), len(said), missed, confused, slipped, len(left))


@dataclass(frozen=True, slots=True)
class Recovery:
    """One number that is known, and what the analysis says. `n` numbers may be behind a mean of absolute errors."""

    name: str
    truth: float
    estimate: float
    error: float
    n: int = 1


def compare_with_truth(
    done: Sequence[SimulatedTask],
    truth: Truth,
    analysis: Analysis,
    *,
    experiment: Mapping[str, Any] | None = None,
    arms: Arms | None = None,
) -> list[Recovery]:
    """Compare everything that can be compared; an experiment with the `arms` that say who did what under which condition."""
    kept = [one for one in done if one.kept and one.answer.decision == "accept"]
    by_person: dict[str, list[SimulatedTask]] = {}
    for one in kept:
        by_person.setdefault(one.answer.annotator, []).append(one)
    settled = decide_pending(analysis.records, analysis.pending, truth)
    return [
        *_counts(kept, analysis),
        *_reference(truth, analysis, settled),
        *_people(by_person, truth, analysis, settled),
        *(_effects(kept, truth, analysis, experiment=experiment, arms=arms) if experiment and arms else ()),
    ]


def decide_pending(
    records: Sequence[Record], pending: Iterable[Pending], truth: Mapping[str, Sequence[Span]]
) -> dict[str, tuple[Span, ...]]:
    """The reference spans of every sample when a manager who knows the truth has worked through the queue."""
    decisions = [_decision(number, one, truth.get(one.sample, ())) for number, one in enumerate(pending, start=1)]
    return {record.sample: record.spans for record in apply_corrections(records, decisions)[0]}


def _decision(number: int, one: Pending, truth: Sequence[Span]) -> Correction:
    """The identifier that most of the proposal lies in, or nothing."""
    start, end = one.segment
    overlaps = {span: min(end, span.end) - max(start, span.start) for span in truth}
    best = max(overlaps, key=lambda span: overlaps[span], default=None)
    there = best is not None and overlaps[best] > 0
    return Correction(
        number,
        one.sample,
        one.at[:2],
        one.at[2],
        says_segment=True,
        segment=(best.start, best.end) if best and there else None,
        says_category=True,
        category=best.label if best and there else None,
    )


def _counts(kept: Sequence[SimulatedTask], analysis: Analysis) -> list[Recovery]:
    samples = {one.answer.sample for one in kept}
    return [
        _compare_values("tasks", len(kept), len(analysis.tasks.tasks)),
        _compare_values("samples", len(samples), len(analysis.records)),
        _compare_values(
            "spans marked", sum(len(one.answer.spans) for one in kept), sum(e.work.marked for e in analysis.board.individuals)
        ),
    ]


def _reference(truth: Truth, analysis: Analysis, settled: Settled) -> list[Recovery]:
    """The reference against the truth: as the votes stand, where nothing waits, and when a manager has decided what waits."""
    waiting = {one.sample for one in analysis.pending}
    voted = {record.sample: record.spans for record in analysis.records}
    several = {record.sample for record in analysis.records if record.kind != "single"}
    rows: dict[str, Settled] = {
        "all samples": voted,
        "several annotators": {id: spans for id, spans in voted.items() if id in several},
        "nothing waits": {id: spans for id, spans in voted.items() if id not in waiting},
        "all decided": settled,
        "several annotators, all decided": {id: spans for id, spans in settled.items() if id in several},
    }
    found = []
    for name, spans in rows.items():
        score = total(compared(set(truth.get(id, ())), set(some)) for id, some in spans.items())
        found += [
            _compare_values(f"reference recall, {name}", 1.0, score.recall),
            _compare_values(f"reference precision, {name}", 1.0, score.precision),
        ]
    return found


def _people(
    by_person: Mapping[str, Sequence[SimulatedTask]], truth: Truth, analysis: Analysis, settled: Settled
) -> list[Recovery]:
    """Of every annotator the pace, and errors by the reference of samples that others did too, against those by the truth."""
    shared = {record.sample: record for record in analysis.records if record.kind != "single"}
    pace: list[tuple[float, float]] = []
    rates: dict[str, list[tuple[float, float, float]]] = {name: [] for name in Errors.RATES}
    quality: list[tuple[float, float]] = []
    for who, done in by_person.items():
        entry = analysis.board.of(who)
        if entry is None:
            continue
        if entry.work.tasks_per_minute:
            pace.append((60 * len(done) / sum(one.seconds for one in done), entry.work.tasks_per_minute))
        mine = [one.answer for one in done if one.answer.sample in shared]
        real = count_errors((truth.get(one.sample, ()), one.spans) for one in mine)
        voted = count_errors((shared[one.sample].spans, _drop_open_spans(one, shared[one.sample])) for one in mine)
        known = count_errors((settled[one.sample], one.spans) for one in mine)
        for name, rows in rates.items():
            rows.append((real.rate(name), voted.rate(name), known.rate(name)))
        if entry.work.quality.index is not None:
            quality.append((real.index, entry.work.quality.index))
    named = {"tasks per minute": pace, "quality index": quality}
    for name, some in rates.items():
        what = f"share of identifiers {name}" if name != "invented" else "marks that are nothing"
        named[what] = [(real, voted) for real, voted, _ in some]
        named[f"{what}, all decided"] = [(real, known) for real, _, known in some]
    return [_compare_means(f"{name}, by annotator", pairs) for name, pairs in named.items() if pairs]


def _drop_open_spans(answer: Answer, record: Record) -> list[Span]:
    """What somebody marked, without what the votes leave open: where there is no reference nobody is wrong."""
    left = {
        (int(unit.start), int(unit.end), unit.label)
        for one in record.aligned
        if one.open and (unit := one.units.get(answer.annotator))
    }
    return [span for span in answer.spans if (span.start, span.end, span.label) not in left]


def _effects(
    kept: Sequence[SimulatedTask], truth: Truth, analysis: Analysis, *, experiment: Mapping[str, Any], arms: Arms
) -> Iterable[Recovery]:
    """Mean seconds and penalties of every condition, and what a condition changes."""
    under: dict[tuple[str, str], list[SimulatedTask]] = {}
    for one in kept:
        if condition := arms.condition(one.answer.annotator, one.answer.sample):
            under.setdefault((group_of(condition), condition.name), []).append(one)
    for group, found in experiment["groups"].items():
        seconds: dict[str, float] = {}
        for name, condition in found["conditions"].items():
            mine = under.get((group, name), [])
            if not mine or condition["duration"] is None:
                continue
            seconds[name] = fmean(one.expected for one in mine)
            yield _compare_values(f"group {group}, {name}: seconds per task", seconds[name], condition["duration"])
            shared = {record.sample for record in analysis.records if record.kind != "single"}
            real = count_errors(
                (truth.get(one.answer.sample, ()), one.answer.spans) for one in mine if one.answer.sample in shared
            )
            yield _compare_values(f"group {group}, {name}: segment penalties", real.segment_penalty, condition["segment"])
            yield _compare_values(f"group {group}, {name}: category penalties", real.category_penalty, condition["category"])
        for name in found["tests"]:
            if name in seconds and found["control"] in seconds:
                means = found["tests"][name]["duration"]["means"]
                effect = seconds[name] - seconds[found["control"]]
                yield _compare_values(f"group {group}, {name}: seconds saved", -effect, means[1] - means[0])


def _compare_values(name: str, truth: float, estimate: float) -> Recovery:
    return Recovery(name, truth, estimate, estimate - truth)


def _compare_means(name: str, pairs: Sequence[tuple[float, float]]) -> Recovery:
    """Means of both, and the mean absolute error of single ones."""
    error = fmean(abs(estimate - truth) for truth, estimate in pairs)
    return Recovery(name, fmean(one for one, _ in pairs), fmean(one for _, one in pairs), error, len(pairs))
