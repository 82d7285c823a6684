"""One annotator's feedback as a page, and as plain text in the form of Loftsson 2022, figures 3.5 and 3.6."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from innominate.campaign.analysis.scoreboard import WEIGHTS
from innominate.campaign.feedback.feedback import Feedback, Item
from innominate.campaign.feedback.mail import Letter
from innominate.campaign.reference.verdicts import Verdict
from innominate.report.rendering import render_page

MOST_ITEMS = 300  # on a page; the text report has them all
CONTEXT = 60  # characters on each side
FACTORS = {
    "tasks": "Number of tasks",
    "annotations": "Number of annotations",
    "tasks_per_minute": "Tasks per minute",
    "quality": "Quality index",
}
Show = Callable[[Any], str]  # a value of a vote, as a reader sees it


def write_feedback(feedback: Feedback, labels: Mapping[str, str] | None = None, *, words: bool = True) -> str:
    """The whole report as text. `labels` are longer names; without `words` it has positions and nothing of the notes."""
    known = _describe_feedback(feedback, labels or {}, words=words)
    return render_page("campaign_feedback.txt", "", feedback=feedback, names=FACTORS, weights=WEIGHTS, **known)


def render_feedback(feedback: Feedback, labels: Mapping[str, str] | None = None, *, words: bool = True) -> str:
    """The same as a page, with the words around each place."""
    known = _describe_feedback(feedback, labels or {}, words=words, most=MOST_ITEMS)
    more = max(0, len(feedback.items) - MOST_ITEMS)
    made = f"{feedback.made:%d.%m.%Y %H:%M}"
    return render_page("campaign_feedback.html", f"Feedback for {feedback.annotator.id}", made=made, more=more, **known)


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


def _describe_feedback(
    feedback: Feedback, labels: Mapping[str, str], *, words: bool, most: int | None = None
) -> dict[str, Any]:
    called: Show = lambda value: "None" if value is None else labels.get(value, value)  # noqa: E731
    return {
        "row": feedback.entry.as_dict(),
        "distribution": [(called(label), count) for label, count in feedback.distribution.items()],
        "items": [_describe_item(item, called, words=words) for item in feedback.items[:most]],
    }


def _describe_item(item: Item, called: Show, *, words: bool) -> dict[str, Any]:
    """One alignment: the reference, the votes and one's own, for the text and for the category."""
    aligned, text, (start, end) = item.aligned, item.text, item.aligned.place
    segment, label = aligned.own(item.judgement.annotator)
    show = quote_segments(text) if words else show_positions
    before, after = text[max(0, start - CONTEXT) : start], text[end : end + CONTEXT]
    around = "…" * (start > CONTEXT) + before, text[start:end], after + "…" * (end + CONTEXT < len(text))
    return {
        "span": show(aligned.place),
        "where": f"{aligned.sample} · {start}–{end}",
        "around": around if words else None,
        "sides": [
            {"name": "text", **_describe_side(aligned.segment, segment, show)},
            {"name": "category", **_describe_side(aligned.category, label, called)},
        ],
    }


def _describe_side(verdict: Verdict[Any], own: Any, show: Show) -> dict[str, Any]:
    """Most votes come first; of equals the reference, then None, then by place."""
    counts, total = verdict.vote.counts, int(verdict.vote.total)

    def mark(value: Any) -> str:
        """A tick, a cross, or nothing where there is no reference."""
        return ("✓" if value == verdict.value else "✗") if verdict.known else ""

    ordered = sorted(counts, key=lambda value: (-counts[value], mark(value) != "✓", value is not None, str(value)))
    return {
        "known": verdict.known,
        "reference": show(verdict.value),
        "votes": [(f"{int(counts[value])}/{total}", show(value), mark(value)) for value in ordered],
        "own": show(own),
        "own_mark": mark(own),
    }


def quote_segments(text: str) -> Show:
    """Segments as the words they hold.

    >>> quote_segments("à 12h")((2, 5)), quote_segments("à 12h")(None)
    ('«12h»', 'None')
    """
    return lambda value: "None" if value is None else f"«{' '.join(text[slice(*value)].split())}»"


def show_positions(value: Any) -> str:
    """Segments as positions, for reports that must not hold words of notes."""
    return "None" if value is None else f"{value[0]}–{value[1]}"
