"""A learning curve as a plot and a page, drawn only from the saved result of the study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from math import ceil, floor, log2
from typing import Any

from jinja2 import Environment, select_autoescape
from markupsafe import Markup

_LEFT, _TOP, _WIDTH, _HEIGHT = 60, 16, 560, 340  # pixels
_COLOURS = ("#3f6fd1", "#c2571a", "#2e8b57", "#8e44ad", "#b3261e", "#5f6b76")
# What the page says in its own style sheet, for the plot alone.
_STYLE = Markup(
    "<style>.chart{font:12px system-ui,sans-serif;background:#fff}.axis{text-anchor:middle;fill:#6b7076}"
    ".side{text-anchor:end;fill:#6b7076}.tick{stroke:#e3e3e0}.curve{fill:none;stroke-width:2}.band{fill-opacity:.15}</style>"
)


def curve_page(result: Mapping[str, Any], title: str = "Learning curve") -> str:
    """The page; it holds numbers and names of kinds, and no text."""
    template = files("innominate.report") / "templates" / "learning_curve.html"
    environment = Environment(autoescape=select_autoescape(default=True), trim_blocks=True, lstrip_blocks=True)
    context = {
        "title": title,
        "result": result,
        "chart": curve_chart(result),
        "reached": reached(result),
    }
    return environment.from_string(template.read_text(encoding="utf-8")).render(context)


def kinds_of(result: Mapping[str, Any]) -> list[str]:
    """The kinds of model, in the order of the table."""
    return list(dict.fromkeys(row["kind"] for row in result["table"]))


def colour_of(result: Mapping[str, Any], kind: str) -> str:
    """The colour of a kind."""
    return _COLOURS[kinds_of(result).index(kind) % len(_COLOURS)]


def reached(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """For each kind, the least share with which it is as good as the first kind with the most notes.

    >>> row = lambda kind, share, mean: {"kind": kind, "fraction": share, "notes": 9, "ner": {"mean": mean}}
    >>> reached({"table": [row("crf", 0.5, 0.8), row("crf", 1, 0.9), row("cvt", 0.5, 0.91)]})[1]["fraction"]
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


def curve_chart(result: Mapping[str, Any], *, alone: bool = False) -> Markup:
    """F1 against the share of the notes: the mean as a line, the spread over seeds as a band, every training as a dot."""
    scale = _Scale.of(result)
    shapes = [
        *(_tick(scale, fraction, notes) for fraction, notes in _shares(result)),
        *(_side(scale, value) for value in scale.sides),
        *(_kind(scale, result, kind) for kind in kinds_of(result)),
        *(_legend(index, kind, colour_of(result, kind)) for index, kind in enumerate(kinds_of(result))),
    ]
    width, height = _LEFT + _WIDTH + 40, _TOP + _HEIGHT + 58
    names = Markup(
        '<text class="axis" x="{0}" y="{1}">share of the training notes</text>'
        '<text class="axis" transform="translate(14 {2}) rotate(-90)">F1, strict, with labels</text>'
    ).format(_LEFT + _WIDTH // 2, height - 6, _TOP + _HEIGHT // 2)
    shape = '<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}{}</svg>'
    style = _STYLE if alone else Markup("")
    return Markup(shape).format(width, height, "Learning curve", style, Markup("").join(shapes), names)


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
        return _LEFT + 20 + (_WIDTH - 40) * (log2(fraction) - self._first) / self._span

    def up(self, score: float) -> float:
        """Where a score is."""
        return _TOP + _HEIGHT * (1 - (score - self.low) / (self.high - self.low))


def _shares(result: Mapping[str, Any]) -> list[tuple[float, int]]:
    return sorted({(row["fraction"], row["notes"]) for row in result["table"]})


def _kind(scale: _Scale, result: Mapping[str, Any], kind: str) -> Markup:
    rows = sorted((row for row in result["table"] if row["kind"] == kind), key=lambda row: row["fraction"])
    colour = colour_of(result, kind)
    points = " ".join(f"{scale.across(row['fraction']):.1f},{scale.up(row['ner']['mean']):.1f}" for row in rows)
    edges = [(row, "most") for row in rows] + [(row, "least") for row in reversed(rows)]
    band = " ".join(f"{scale.across(row['fraction']):.1f},{scale.up(row['ner'][edge]):.1f}" for row, edge in edges)
    dots = Markup("").join(_dot(scale, cell, colour) for cell in result["cells"] if cell["kind"] == kind)
    lines = Markup('<polygon class="band" points="{}" fill="{}"/><polyline class="curve" points="{}" stroke="{}"/>')
    return lines.format(band, colour, points, colour) + dots


def _dot(scale: _Scale, cell: Mapping[str, Any], colour: str) -> Markup:
    shape = '<circle cx="{:.1f}" cy="{:.1f}" r="3.5" fill="{}"><title>{}, {} notes, seed {}: {:.4f}</title></circle>'
    place = scale.across(cell["fraction"]), scale.up(cell["ner"]["f1"])
    return Markup(shape).format(*place, colour, cell["kind"], cell["notes"], cell["seed"], cell["ner"]["f1"])


def _tick(scale: _Scale, fraction: float, notes: int) -> Markup:
    shape = (
        '<line class="tick" x1="{0:.1f}" x2="{0:.1f}" y1="{1}" y2="{2}"/><text class="axis" x="{0:.1f}" y="{3}">{4:g} %</text>'
        '<text class="axis" x="{0:.1f}" y="{5}">{6} notes</text>'
    )
    bottom = _TOP + _HEIGHT
    return Markup(shape).format(scale.across(fraction), _TOP, bottom, bottom + 16, 100 * fraction, bottom + 31, notes)


def _side(scale: _Scale, value: float) -> Markup:
    shape = (
        '<line class="tick" x1="{0}" x2="{1}" y1="{2:.1f}" y2="{2:.1f}"/><text class="side" x="{3}" y="{4:.1f}">{5:.2f}</text>'
    )
    return Markup(shape).format(_LEFT, _LEFT + _WIDTH, scale.up(value), _LEFT - 8, scale.up(value) + 4, value)


def _legend(index: int, kind: str, colour: str) -> Markup:
    y = _TOP + _HEIGHT - 16 - 18 * index
    shape = '<rect x="{0}" y="{1}" width="14" height="4" fill="{2}"/><text x="{3}" y="{4}" fill="currentColor">{5}</text>'
    return Markup(shape).format(_LEFT + _WIDTH - 130, y, colour, _LEFT + _WIDTH - 110, y + 6, kind)
