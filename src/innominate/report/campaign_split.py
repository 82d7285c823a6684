"""The page of a split: the quality of the sets (table 5.1 of Loftsson 2022) and categories against targets (figure 5.2)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from math import log10
from typing import Any

from markupsafe import Markup, escape

from innominate.report.campaign import write_time
from innominate.report.rendering import render_page

_LEFT, _WIDTH, _ROW, _TOP = 220, 520, 20, 22  # pixels
_SHAPES = {
    "random": '<circle class="random" cx="{x:.1f}" cy="{y:.1f}" r="4"><title>{title}</title></circle>',
    "stratified": '<rect class="stratified" x="{left:.1f}" y="{up:.1f}" width="8" height="8"><title>{title}</title></rect>',
    "rare-first": '<path class="rare-first" d="M{x:.1f} {top:.1f}l5 5l-5 5l-5 -5z"><title>{title}</title></path>',
}


def render_split(result: Mapping[str, Any], made: datetime, title: str) -> str:
    """All methods beside each other; numbers and labels only."""
    charts = {name: draw_targets(result, name) for name in ("test", "validation", "training")}
    return render_page("campaign_split.html", title, made=write_time(made), r=result, charts=charts)


def draw_targets(result: Mapping[str, Any], name: str) -> Markup:
    """For every category its target as a bar, and what each method gave as a mark, on a logarithmic scale.

    >>> sets = {"test": {"counts": {"DATE": 9}}}
    >>> draw_targets({"targets": {"test": {"DATE": 10}}, "methods": {"random": {"sets": sets}}}, "test").count("<circle")
    1
    """
    wanted = dict(sorted(result["targets"][name].items(), key=lambda item: (-item[1], item[0])))
    methods = result["methods"]
    most = max([10, *wanted.values(), *(n for one in methods.values() for n in one["sets"][name]["counts"].values())])
    rows = Markup("").join(
        _row(place, label, target, {m: one["sets"][name]["counts"].get(label, 0) for m, one in methods.items()}, most=most)
        for place, (label, target) in enumerate(wanted.items())
    )
    height = _TOP + _ROW * len(wanted) + 24
    ticks = Markup("").join(_tick(10**power, most, height) for power in range(int(log10(most)) + 1))
    return Markup(
        '<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="Spans by category, {} set">{}{}</svg>'
    ).format(_LEFT + _WIDTH + 60, height, name, ticks, rows)


def _across(count: float, most: float) -> float:
    """0 is at the left border, and 1 a little away from it."""
    return _LEFT + _WIDTH * (log10(max(count, 0) * 2 + 1) / log10(most * 2 + 1))


def _row(place: int, label: str, target: int, counts: Mapping[str, int], *, most: float) -> Markup:
    y = _TOP + place * _ROW + _ROW / 2
    bar = Markup(
        '<text class="name" x="{}" y="{:.1f}">{}</text><rect class="target" x="{}" y="{:.1f}" width="{:.1f}" height="12">'
        "<title>target {:,}</title></rect>"
    ).format(_LEFT - 10, y + 4, escape(label), _LEFT, y - 6, _across(target, most) - _LEFT, target)
    marks = [
        Markup(_SHAPES[method]).format(
            x=_across(count, most),
            y=y,
            left=_across(count, most) - 4,
            up=y - 4,
            top=y - 5,
            title=f"{label}, {method}: {count:,}, target {target:,}",
        )
        for method, count in counts.items()
    ]
    return bar + Markup("").join(marks)


def _tick(count: int, most: float, height: float) -> Markup:
    x = _across(count, most)
    shape = (
        '<line class="tick" x1="{0:.1f}" x2="{0:.1f}" y1="{1}" y2="{2}"/><text class="axis" x="{0:.1f}" y="{3}">{4:,}</text>'
    )
    return Markup(shape).format(x, _TOP - 6, height - 20, height - 6, count)
