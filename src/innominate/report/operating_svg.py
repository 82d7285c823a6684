"""Plots of operating points as inline SVG: precision against recall, and how far scores can be trusted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log10
from typing import Any

from markupsafe import Markup, escape

_LEFT, _TOP, _SIZE, _HEIGHT = 60, 16, 560, 340  # pixels
_NINES = (0.9, 0.95, 0.98, 0.99, 0.995, 0.999)  # recalls on the axis, stretched towards 1


def recall_chart(curve: Iterable[tuple[float, float]], points: Sequence[Mapping[str, Any]]) -> Markup:
    """Precision against recall, with recall stretched by its nines, and a mark for each operating point.

    >>> recall_chart([(0.95, 0.98), (0.99, 0.7)], [{"name": "F1", "recall": 0.95, "precision": 0.98}]).count("<circle")
    1
    """
    line = " ".join(f"{_across(recall):.1f},{_up(precision):.1f}" for recall, precision in curve)
    ticks = Markup("").join(_tick(_across(value), f"{value:g}") for value in _NINES)
    sides = Markup("").join(_side(_up(value / 5), f"{value / 5:g}") for value in range(6))
    marks = Markup("").join(_mark(point, index) for index, point in enumerate(points))
    curve_line = Markup('<polyline class="curve" points="{}"/>').format(line)
    return _framed(
        Markup("").join((ticks, sides, curve_line, marks)), "recall of tokens", "precision", "Precision against recall"
    )


def reliability_chart(bins: Sequence[Mapping[str, Any]], knots: Iterable[tuple[float, float]]) -> Markup:
    """Share of right spans against their score, a disc per bin with an area by their number; the line is the calibration."""
    most = max((found["n"] for found in bins), default=1)
    ticks = Markup("").join(_tick(_LEFT + _SIZE * value / 5, f"{value / 5:g}") for value in range(6))
    sides = Markup("").join(_side(_up(value / 5), f"{value / 5:g}") for value in range(6))
    ideal = Markup('<line class="ideal" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(_LEFT, _up(0), _LEFT + _SIZE, _up(1))
    line = " ".join(f"{_LEFT + _SIZE * raw:.1f},{_up(right):.1f}" for raw, right in knots)
    discs = Markup("").join(_disc(found, most) for found in bins)
    shapes = (ticks, sides, ideal, Markup('<polyline class="curve" points="{}"/>').format(line), discs)
    return _framed(Markup("").join(shapes), "score of the model", "share of spans that are right", "Reliability of scores")


def _disc(found: Mapping[str, Any], most: int) -> Markup:
    shape = (
        '<circle class="disc" cx="{:.1f}" cy="{:.1f}" r="{:.1f}"><title>{} spans: score {:.3f}, right {:.3f}</title></circle>'
    )
    radius = 3 + 15 * (found["n"] / most) ** 0.5
    x, y = _LEFT + _SIZE * found["score"], _up(found["right"])
    return Markup(shape).format(x, y, radius, found["n"], found["score"], found["right"])


def _across(recall: float) -> float:
    """Nines of recall from left to right: 0.9 is at the left border, 0.9995 at the right."""
    nines = -log10(max(1 - recall, 10**-3.3)) - 1
    return _LEFT + _SIZE * min(max(nines, 0.0), 2.3) / 2.3


def _up(share: float) -> float:
    return _TOP + _HEIGHT * (1 - share)


def _tick(x: float, name: str) -> Markup:
    shape = '<line class="tick" x1="{0:.1f}" x2="{0:.1f}" y1="{1}" y2="{2}"/><text class="axis" x="{0:.1f}" y="{3}">{4}</text>'
    return Markup(shape).format(x, _TOP, _TOP + _HEIGHT, _TOP + _HEIGHT + 18, name)


def _side(y: float, name: str) -> Markup:
    shape = '<line class="tick" x1="{0}" x2="{1}" y1="{2:.1f}" y2="{2:.1f}"/><text class="side" x="{3}" y="{4:.1f}">{5}</text>'
    return Markup(shape).format(_LEFT, _LEFT + _SIZE, y, _LEFT - 8, y + 4, name)


def _mark(point: Mapping[str, Any], index: int) -> Markup:
    x, y = _across(point["recall"]), _up(point["precision"])
    shape = (
        '<circle class="point" cx="{0:.1f}" cy="{1:.1f}" r="5"><title>{2}: recall {3:.4f}, precision {4:.4f}</title></circle>'
        '<text class="name-of-point" x="{5:.1f}" y="{6:.1f}">{2}</text>'
    )
    above = -12 if index % 2 else 20  # neighbours do not write over each other
    return Markup(shape).format(x, y, escape(point["name"]), point["recall"], point["precision"], x, y + above)


def _framed(inside: Markup, across: str, up: str, title: str) -> Markup:
    width, height = _LEFT + _SIZE + 40, _TOP + _HEIGHT + 44
    names = Markup(
        '<text class="axis" x="{0}" y="{1}">{2}</text><text class="axis" transform="translate(14 {3}) rotate(-90)">{4}</text>'
    ).format(_LEFT + _SIZE // 2, height - 6, across, _TOP + _HEIGHT // 2, up)
    return Markup('<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}</svg>').format(
        width, height, title, inside, names
    )
