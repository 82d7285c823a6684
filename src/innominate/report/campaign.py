"""Pages of a campaign: the analysis, the scoreboard, and each annotator's feedback. Self-contained, and without scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

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
from innominate.report.rendering import render_page

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
