"""The analysis as one JSON result: numbers, ids and offsets, and no word of any note."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from innominate.campaign.agreement.alignment import Continuum
from innominate.campaign.agreement.library import largest_difference
from innominate.campaign.agreement.pairs import PairAgreement, mean_gammas, overlap
from innominate.campaign.analysis.analysis import Analysis, group_by_sample
from innominate.campaign.reference.verdicts import Judgement, Record
from innominate.evaluate.stats import bootstrap

BIN = 0.1  # of the histogram of gammas


def summarise_analysis(analysis: Analysis) -> dict[str, Any]:
    """Everything that reports are drawn from."""
    return {
        "tasks": _tasks(analysis),
        "samples": dict(Counter(record.kind for record in analysis.records)),
        "agreement": summarise_agreement(analysis.records, analysis.choices.gamma.seed),
        "parameters": {"sample": analysis.choices.gamma.as_dict(), "pooled": analysis.choices.pooled.as_dict()},
        "pooled": _pool_pairs(analysis.pairs),
        "annotators": summarise_annotators(analysis),
        "reference": _reference(analysis),
        "confusions": [[truth, said, count] for (truth, said), count in count_confusions(analysis.judgements)],
        "scoreboard": analysis.board.as_dict(),
        "problems": [str(problem) for problem in analysis.problems],
        "records": [{"sample": record.sample, **record.as_meta()} for record in analysis.records],
    }


def compare_with_library(analysis: Analysis, number: int) -> dict[str, Any]:
    """Ask pygamma-agreement about samples without full agreement, which are those whose gamma takes chance."""
    ours = {record.sample: record.gamma.value for record in analysis.records if record.gamma and record.gamma.observed}
    chosen = dict(list(ours.items())[:number])
    marked = group_by_sample(analysis.tasks.tasks)
    return largest_difference({id: Continuum.of(marked[id]) for id in chosen}, chosen, analysis.choices.gamma)


def summarise_agreement(records: Iterable[Record], seed: int = 0) -> dict[str, Any]:
    """The mean gamma per sample, without empty samples and with each of them as 1 (Loftsson 2022, section 3.3).

    A sample that one person did is in neither: nobody agreed with them.
    """
    several = list(records)
    values = [record.gamma.value for record in several if record.gamma]
    empty = sum(record.kind == "empty" for record in several)
    both = [*values, *[1.0] * empty]
    return {
        "n": len(values),
        "mean": _mean(values),
        "ci95": _interval(values, seed),
        "n_with_empty": len(both),
        "mean_with_empty": _mean(both),
        "ci95_with_empty": _interval(both, seed),
        "histogram": _histogram(values),
        "inexact": sum(record.gamma is not None and not record.gamma.exact for record in several),
    }


def summarise_annotators(analysis: Analysis) -> dict[str, dict[str, Any]]:
    """Each annotator: agreement with others by pairs, and with the reference in samples that others did too."""
    shared = {record.sample: record.spans for record in analysis.records if record.kind != "single"}
    marked: dict[str, list[tuple[Sequence[Any], Sequence[Any]]]] = {}
    for task in analysis.tasks.tasks:
        if task.answer.sample in shared:
            marked.setdefault(task.answer.annotator, []).append((shared[task.answer.sample], task.answer.spans))
    pairs = mean_gammas(analysis.pairs)
    return {
        who: {
            "team": person.team,
            "pairwise_gamma": pairs.get(who),
            "against_reference": overlap(marked.get(who, [])).as_dict(),
        }
        for who, person in sorted(analysis.annotators.items())
        if analysis.board.of(who)
    }


def count_confusions(judged: Iterable[Judgement]) -> list[tuple[tuple[str | None, str | None], int]]:
    """Which category annotators give where the reference has another, most frequent first."""
    pairs = Counter(
        (one.aligned.category.value, one.aligned.own(one.annotator)[1]) for one in judged if one.category_right is False
    )
    return sorted(pairs.items(), key=lambda item: (-item[1], str(item[0])))


def _tasks(analysis: Analysis) -> dict[str, Any]:
    tasks = analysis.tasks
    timed = [task.seconds for task in tasks.tasks if task.seconds is not None]
    return {
        "n": len(tasks.tasks),
        "dropped": dict(tasks.dropped),
        "kept_out": len(tasks.problems),
        "unknown_durations": tasks.unknown_durations,
        "longest_seconds": analysis.choices.longest,
        "mean_seconds": _mean(timed),
        "tasks_per_minute": 60 * len(timed) / sum(timed) if sum(timed) else None,
    }


def _pool_pairs(pairs: Sequence[PairAgreement]) -> dict[str, Any]:
    values = [pair.gamma.value for pair in pairs if pair.gamma]
    return {
        "mean_gamma": _mean(values),
        "n_pairs": len(values),
        "pairs_with_too_little": len(pairs) - len(values),
        "pairs": [pair.as_dict() for pair in pairs],
    }


def _reference(analysis: Analysis) -> dict[str, Any]:
    spans = [span for record in analysis.records for span in record.spans]
    changed = [one for record in analysis.records for one in record.aligned if one.segment.corrected or one.category.corrected]
    return {
        "votes": analysis.choices.votes,
        "samples": len(analysis.records),
        "spans": len(spans),
        "by_label": dict(sorted(Counter(span.label for span in spans).items())),
        "corrected": len(changed),
        "pending": dict(Counter(one.cause for one in analysis.pending)),
        "samples_with_pending": len({one.sample for one in analysis.pending}),
    }


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _interval(values: Sequence[float], seed: int) -> list[float] | None:
    """Bootstrap over samples."""
    if len(values) < 2:
        return None
    rows = [(value, 1.0) for value in values]
    return list(bootstrap(rows, {"mean": lambda sums: sums[0] / sums[1]}, Random(seed), times=200)["mean"])


def _histogram(values: Iterable[float]) -> Mapping[str, int]:
    """Counts by tenths; what is below 0 is together. Perfect agreement has its own place."""
    names = ["< 0", *(f"{place / 10:.1f}–{(place + 1) / 10:.1f}" for place in range(10)), "1"]
    counts = dict.fromkeys(names, 0)
    for value in values:
        place = 0 if value < 0 else 11 if value >= 1 - 1e-9 else 1 + min(9, int(value / BIN))
        counts[names[place]] += 1
    return counts
