"""Pages of a campaign: the analysis, the scoreboard, each annotator's feedback, an experiment, and a split.

All of them are self-contained, and without scripts; those other than feedback hold numbers and labels only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from math import exp, log10
from typing import Any

from markupsafe import Markup

from innominate.campaign.feedback.feedback import (
    Feedback,
    Item,
    mark_value,
    order_votes,
    quote_segments,
    show_positions,
    write_feedback,
)
from innominate.campaign.feedback.mail import Letter
from innominate.campaign.reference.verdicts import Verdict
from innominate.report.rendering import draw_plot, render_page

MEASURES = {"duration": "throughput", "segment": "segmentation quality", "category": "categorisation quality"}
MOST_ITEMS = 300  # on a page; the text report has them all
CONTEXT = 60  # characters on each side


def render_analysis(result: Mapping[str, Any], made: datetime, title: str) -> str:
    """The analysis, from its result: numbers only."""
    return render_page("campaign_analysis.html", title, made=write_time(made), r=result)


def render_scoreboard(board: Mapping[str, Any], made: datetime, title: str) -> str:
    """The scoreboard, from its result."""
    return render_page("campaign_scoreboard.html", title, made=write_time(made), board=board)


def render_feedback(feedback: Feedback, labels: Mapping[str, str] | None = None, *, words: bool = True) -> str:
    """One annotator's report. Without `words` it holds positions and nothing of the notes."""
    names = labels or {}
    items = [_item(item, names, words=words) for item in feedback.items[:MOST_ITEMS]]
    return render_page(
        "campaign_feedback.html",
        f"Feedback for {feedback.annotator.id}",
        made=write_time(feedback.made),
        row=feedback.entry.as_dict(),
        distribution=[(_named(label, names), count) for label, count in feedback.distribution.items()],
        items=items,
        more=max(0, len(feedback.items) - MOST_ITEMS),
    )


def write_letters(reports: Iterable[Feedback], labels: Mapping[str, str], *, words: bool = True) -> list[Letter]:
    """The reports as letters, each as text and as a page."""
    return [
        Letter(
            one.annotator.id,
            one.annotator.email,
            write_feedback(one, labels, words=words),
            render_feedback(one, labels, words=words),
        )
        for one in reports
    ]


def write_time(made: datetime) -> str:
    """When a page was made."""
    return f"{made:%d.%m.%Y %H:%M}"


def _named(label: str | None, labels: Mapping[str, str]) -> str:
    return "None" if label is None else labels.get(label, label)


def _item(item: Item, labels: Mapping[str, str], *, words: bool) -> dict[str, Any]:
    aligned, who = item.aligned, item.judgement.annotator
    start, end = aligned.place
    segment, label = aligned.own(who)
    show = quote_segments(item.text) if words else show_positions
    return {
        "span": show(aligned.place),
        "where": f"{aligned.sample} · {start}–{end}",
        "around": _around(item.text, start, end) if words else None,
        "sides": [
            _side("text", aligned.segment, segment, show),
            _side("category", aligned.category, label, lambda value: _named(value, labels)),
        ],
    }


def _around(text: str, start: int, end: int) -> tuple[str, str, str]:
    """The marked words between what stands before and after them."""
    before, after = text[max(0, start - CONTEXT) : start], text[end : end + CONTEXT]
    return "…" * (start > CONTEXT) + before, text[start:end], after + "…" * (end + CONTEXT < len(text))


def _side(name: str, verdict: Verdict[Any], own: Any, show: Any) -> dict[str, Any]:
    total = int(verdict.vote.total)
    return {
        "name": name,
        "known": verdict.known,
        "reference": show(verdict.value),
        "votes": [(f"{count}/{total}", show(value), mark_value(verdict, value)) for value, count in order_votes(verdict)],
        "own": show(own),
        "own_mark": mark_value(verdict, own),
    }


def render_experiment(result: Mapping[str, Any], made: datetime, title: str) -> str:
    """A pre-annotation experiment: tables 4.3 and 4.4 of Loftsson 2022, the mixed model, and what suggestions did."""
    return render_page(
        "campaign_experiment.html",
        title,
        made=write_time(made),
        r=result,
        measures=MEASURES,
        p=write_p_value,
        ratio=lambda estimate: f"{100 * (exp(estimate) - 1):+.1f} %",
    )


def write_p_value(value: object) -> str:
    """A probability as papers write it.

    >>> write_p_value(1.61e-15), write_p_value(0.0227), write_p_value(None)
    ('1.61e-15', '0.0227', '–')
    """
    if not isinstance(value, int | float):
        return "–"
    return f"{value:.2e}" if value < 0.001 else f"{value:.3g}"


def render_split(result: Mapping[str, Any], made: datetime, title: str) -> str:
    """A split, all methods beside each other: quality of the sets and categories against targets (Loftsson 2022, 5.1)."""
    charts = {name: draw_targets(result, name) for name in ("test", "validation", "training")}
    return render_page("campaign_split.html", title, made=write_time(made), r=result, charts=charts)


def draw_targets(result: Mapping[str, Any], name: str) -> Markup:
    """For every category its target as a bar, and what each method gave as a mark, on a logarithmic scale.

    >>> sets = {"test": {"counts": {"DATE": 9}}}
    >>> draw_targets({"targets": {"test": {"DATE": 10}}, "methods": {"random": {"sets": sets}}}, "test").count("<circle")
    1
    """
    wanted = sorted(result["targets"][name].items(), key=lambda item: (-item[1], item[0]))
    counts = {method: one["sets"][name]["counts"] for method, one in result["methods"].items()}
    most = max([10, *(target for _, target in wanted), *(n for of in counts.values() for n in of.values())])

    def across(count: float) -> float:
        """0 is at the left border, and 1 a little away from it."""
        return 220 + 520 * (log10(max(count, 0) * 2 + 1) / log10(most * 2 + 1))

    rows = [(label, target, {method: of.get(label, 0) for method, of in counts.items()}) for label, target in wanted]
    ticks = [10**power for power in range(int(log10(most)) + 1)]
    return draw_plot("targets.svg", name=name, rows=rows, ticks=ticks, across=across)
