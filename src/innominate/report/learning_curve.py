"""A learning curve as a plot and a page, drawn only from the saved result of the study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log2
from typing import Any

from markupsafe import Markup

from innominate.report.plot import PlotFrame, join
from innominate.report.rendering import render_page

_FRAME = PlotFrame()
_COLOURS = ("#3f6fd1", "#c2571a", "#2e8b57", "#8e44ad", "#b3261e", "#5f6b76")


def render_curve(result: Mapping[str, Any], title: str = "Learning curve") -> str:
    """The page; it holds numbers and names of kinds, and no text."""
    chart, reached = draw_curve(result), shares_reached(result)
    return render_page("learning_curve.html", title, result=result, chart=chart, reached=reached)


def kinds_of(result: Mapping[str, Any]) -> list[str]:
    """The kinds of model, in the order of the table."""
    return list(dict.fromkeys(row["kind"] for row in result["table"]))


def colour_of_kind(result: Mapping[str, Any], kind: str) -> str:
    """The colour of a kind."""
    return _COLOURS[kinds_of(result).index(kind) % len(_COLOURS)]


def shares_reached(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """For each kind, the least share with which it is as good as the first kind with the most notes.

    >>> row = lambda kind, share, mean: {"kind": kind, "fraction": share, "notes": 9, "ner": {"mean": mean}}
    >>> shares_reached({"table": [row("crf", 0.5, 0.8), row("crf", 1, 0.9), row("cvt", 0.5, 0.91)]})[1]["fraction"]
    0.5
    """
    first = [row for row in result["table"] if row["kind"] == kinds_of(result)[0]]
    goal = max(first, key=lambda row: row["fraction"])["ner"]["mean"]
    found = []
    for kind in kinds_of(result):
        rows = sorted((row for row in result["table"] if row["kind"] == kind), key=lambda row: row["fraction"])
        enough = next((row for row in rows if row["ner"]["mean"] >= goal), None)
        found.append(
            {"kind": kind, "goal": goal, "fraction": enough and enough["fraction"], "notes": enough and enough["notes"]}
        )
    return found


def draw_curve(result: Mapping[str, Any], *, alone: bool = False) -> Markup:
    """F1 against the share of the notes: the mean as a line, the spread over seeds as a band, every training as a dot."""
    scale, kinds = _Scale.of(result), kinds_of(result)
    shapes = [
        *(_FRAME.tick(scale.across(share), f"{100 * share:g} %", f"{notes} notes") for share, notes in _shares(result)),
        *(_FRAME.side(scale.up(value), f"{value:.2f}") for value in scale.sides),
        *(_draw_kind(scale, result, kind) for kind in kinds),
        *(
            _FRAME.legend(130, _FRAME.bottom - 16 - 18 * row, kind, colour_of_kind(result, kind))
            for row, kind in enumerate(kinds)
        ),
    ]
    return _FRAME.draw(shapes, "Learning curve", "share of the training notes", "F1, strict, with labels", own_style=alone)


class _Scale:
    """From shares and scores to pixels; shares are stretched so that half of them is always as far away."""

    def __init__(self, fractions: Sequence[float], low: float, high: float) -> None:
        self._first = log2(min(fractions))
        self._span = max(log2(max(fractions)) - self._first, 1e-9)
        self.low, self.high = low, high

    @classmethod
    def of(cls, result: Mapping[str, Any]) -> _Scale:
        values = [row["ner"][key] for row in result["table"] for key in ("least", "most")]
        low, high = floor(min(values) * 20) / 20, ceil(max(values) * 20) / 20
        return cls([row["fraction"] for row in result["table"]], low, max(high, low + 0.05))

    @property
    def sides(self) -> list[float]:
        """Scores on the axis."""
        return [self.low + (self.high - self.low) * step / 5 for step in range(6)]

    def across(self, fraction: float) -> float:
        """Where a share is."""
        return _FRAME.left + 20 + (_FRAME.width - 40) * (log2(fraction) - self._first) / self._span

    def up(self, score: float) -> float:
        """Where a score is."""
        return _FRAME.up((score - self.low) / (self.high - self.low))


def _shares(result: Mapping[str, Any]) -> list[tuple[float, int]]:
    return sorted({(row["fraction"], row["notes"]) for row in result["table"]})


def _draw_kind(scale: _Scale, result: Mapping[str, Any], kind: str) -> Markup:
    rows = sorted((row for row in result["table"] if row["kind"] == kind), key=lambda row: row["fraction"])
    colour = colour_of_kind(result, kind)
    points = " ".join(f"{scale.across(row['fraction']):.1f},{scale.up(row['ner']['mean']):.1f}" for row in rows)
    edges = [(row, "most") for row in rows] + [(row, "least") for row in reversed(rows)]
    band = " ".join(f"{scale.across(row['fraction']):.1f},{scale.up(row['ner'][edge]):.1f}" for row, edge in edges)
    dots = join(_draw_dot(scale, cell, colour) for cell in result["cells"] if cell["kind"] == kind)
    lines = Markup('<polygon class="band" points="{}" fill="{}"/><polyline class="curve" points="{}" stroke="{}"/>')
    return lines.format(band, colour, points, colour) + dots


def _draw_dot(scale: _Scale, cell: Mapping[str, Any], colour: str) -> Markup:
    shape = '<circle cx="{:.1f}" cy="{:.1f}" r="3.5" fill="{}"><title>{}, {} notes, seed {}: {:.4f}</title></circle>'
    place = scale.across(cell["fraction"]), scale.up(cell["ner"]["f1"])
    return Markup(shape).format(*place, colour, cell["kind"], cell["notes"], cell["seed"], cell["ner"]["f1"])
