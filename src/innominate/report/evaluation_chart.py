"""Plots as inline SVG: no library, no script, and colours that follow the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup, escape

from innominate.report.colours import colour_of

_ROW, _LEFT, _WIDTH, _RIGHT = 22, 210, 420, 210  # pixels


def draw_recall_bars(by_label: Mapping[str, Mapping[str, Any]]) -> Markup:
    """A bar for the recall of each label, and a whisker from bound to bound.

    >>> draw_recall_bars({"CITY": {"k": 9, "n": 10, "rate": 0.9, "clopper_pearson": [0.55, 0.99]}}).count("<rect")
    1
    """
    height = _ROW * len(by_label) + 26
    rows = Markup("").join(_bar(index, label, found) for index, (label, found) in enumerate(by_label.items()))
    ticks = Markup("").join(_tick(share / 4, height) for share in range(5))
    return Markup('<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="Recall by label">{}{}</svg>').format(
        _LEFT + _WIDTH + _RIGHT, height, ticks, rows
    )


def _tick(share: float, height: int) -> Markup:
    x = _LEFT + _WIDTH * share
    line = '<line class="tick" x1="{0:.1f}" x2="{0:.1f}" y1="0" y2="{1}"/><text class="axis" x="{0:.1f}" y="{2}">{3:g}</text>'
    return Markup(line.format(x, height - 20, height - 6, share))


def _bar(index: int, label: str, found: Mapping[str, Any]) -> Markup:
    middle = index * _ROW + _ROW / 2
    low, high = (_LEFT + _WIDTH * bound for bound in found["clopper_pearson"])
    shape = (
        '<text class="name" x="{left:.1f}" y="{text:.1f}">{label}</text>'
        '<rect x="{start}" y="{top:.1f}" width="{width:.1f}" height="{height}" fill="{fill}"/>'
        '<path class="whisker" d="M{low:.1f} {middle:.1f}H{high:.1f}M{low:.1f} {up:.1f}v8M{high:.1f} {up:.1f}v8"/>'
        '<text class="count" x="{right}" y="{text:.1f}">{rate:.3f} · {k:,} of {n:,}</text>'
    )
    return Markup(shape).format(
        left=_LEFT - 10,
        text=middle + 4,
        label=escape(label),
        start=_LEFT,
        top=middle - 7,
        width=_WIDTH * found["rate"],
        height=14,
        fill=colour_of(label),
        low=low,
        high=high,
        middle=middle,
        up=middle - 4,
        right=_LEFT + _WIDTH + 16,
        rate=found["rate"],
        k=found["k"],
        n=found["n"],
    )
