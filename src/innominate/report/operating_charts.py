"""Plots of operating points: precision against recall, and how far scores can be trusted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log10
from typing import Any

from markupsafe import Markup

from innominate.report.plot import PlotFrame

_FRAME = PlotFrame()
_NINES = (0.9, 0.95, 0.98, 0.99, 0.995, 0.999)  # recalls on the axis, stretched towards 1
_SHARES = [step / 5 for step in range(6)]


def draw_precision(curve: Iterable[tuple[float, float]], points: Sequence[Mapping[str, Any]]) -> Markup:
    """Precision against recall, with recall stretched by its nines, and a mark for each operating point.

    >>> draw_precision([(0.95, 0.98), (0.99, 0.7)], [{"name": "F1", "recall": 0.95, "precision": 0.98}]).count("<circle")
    1
    """
    shapes = [
        *(_FRAME.tick(_across(value), f"{value:g}") for value in _NINES),
        *(_FRAME.side(_FRAME.up(value), f"{value:g}") for value in _SHARES),
        _draw_line((_across(recall), _FRAME.up(precision)) for recall, precision in curve),
        *(_draw_point(point, index) for index, point in enumerate(points)),
    ]
    return _FRAME.draw(shapes, "Precision against recall", "recall of tokens", "precision")


def draw_reliability(bins: Sequence[Mapping[str, Any]], knots: Iterable[tuple[float, float]]) -> Markup:
    """Share of right spans against their score, a disc per bin with an area by their number; the line is the calibration."""
    most = max((found["n"] for found in bins), default=1)
    corners = (_FRAME.across(0), _FRAME.up(0), _FRAME.across(1), _FRAME.up(1))
    shapes = [
        *(_FRAME.tick(_FRAME.across(value), f"{value:g}") for value in _SHARES),
        *(_FRAME.side(_FRAME.up(value), f"{value:g}") for value in _SHARES),
        Markup('<line class="ideal" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(*corners),
        _draw_line((_FRAME.across(raw), _FRAME.up(right)) for raw, right in knots),
        *(_draw_disc(found, most) for found in bins),
    ]
    return _FRAME.draw(shapes, "Reliability of scores", "score of the model", "share of spans that are right")


def _draw_line(places: Iterable[tuple[float, float]]) -> Markup:
    return Markup('<polyline class="curve" points="{}"/>').format(" ".join(f"{x:.1f},{y:.1f}" for x, y in places))


def _draw_disc(found: Mapping[str, Any], most: int) -> Markup:
    shape = (
        '<circle class="disc" cx="{:.1f}" cy="{:.1f}" r="{:.1f}"><title>{} spans: score {:.3f}, right {:.3f}</title></circle>'
    )
    place, radius = (_FRAME.across(found["score"]), _FRAME.up(found["right"])), 3 + 15 * (found["n"] / most) ** 0.5
    return Markup(shape).format(*place, radius, found["n"], found["score"], found["right"])


def _across(recall: float) -> float:
    """Nines of recall from left to right: 0.9 is at the left border, 0.9995 at the right."""
    nines = -log10(max(1 - recall, 10**-3.3)) - 1
    return _FRAME.across(min(max(nines, 0.0), 2.3) / 2.3)


def _draw_point(point: Mapping[str, Any], index: int) -> Markup:
    x, y = _across(point["recall"]), _FRAME.up(point["precision"])
    shape = (
        '<circle class="point" cx="{0:.1f}" cy="{1:.1f}" r="5"><title>{2}: recall {3:.4f}, precision {4:.4f}</title></circle>'
        '<text class="name-of-point" x="{0:.1f}" y="{5:.1f}">{2}</text>'
    )
    above = -12 if index % 2 else 20  # neighbours do not write over each other
    return Markup(shape).format(x, y, point["name"], point["recall"], point["precision"], y + above)
