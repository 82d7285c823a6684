"""How a training went, as a plot: the loss falls, the score on dev rises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log10

from markupsafe import Markup

from innominate.report.plot import PlotFrame

_FRAME = PlotFrame(height=300)
_LOSS, _F1 = "#c2571a", "#3f6fd1"


def draw_training(history: Sequence[Mapping[str, float]]) -> Markup:
    """Loss, on a logarithmic scale, and F1 on dev, by epoch.

    >>> draw_training([{"epoch": 1, "loss": 2.0, "ner": 0.5}, {"epoch": 2, "loss": 1.0, "ner": 0.7}]).count("<polyline")
    2
    """
    losses = [(row["epoch"], log10(max(row["loss"], 1e-9))) for row in history]
    scores = [(row["epoch"], row["ner"]) for row in history if row["ner"]]  # dev may be scored now and then only
    first, last = 1, max(epoch for epoch, _ in losses)
    low, high = min(loss for _, loss in losses), max(loss for _, loss in losses)
    scaled = [(epoch, (loss - low) / max(high - low, 1e-9)) for epoch, loss in losses]
    epochs = [first + (last - first) * step / 5 for step in range(6)]
    shapes = [
        *(_draw_grid(step / 5, 10 ** (low + (high - low) * step / 5)) for step in range(6)),
        *(_draw_epoch(epoch, last) for epoch in epochs),
        _draw_line(scaled, last, _LOSS),
        _draw_line(scores, last, _F1),
        _FRAME.legend(220, _FRAME.top + _FRAME.height // 2, "loss", _LOSS),
        _FRAME.legend(220, _FRAME.top + _FRAME.height // 2 + 20, "F1 on dev, strict, with labels", _F1),
    ]
    return _FRAME.draw(shapes, "Training", "epoch", own_style=True)


def _draw_line(points: Sequence[tuple[float, float]], last: float, colour: str) -> Markup:
    places = " ".join(f"{_across(epoch, last):.1f},{_FRAME.up(value):.1f}" for epoch, value in points)
    return Markup('<polyline class="curve" points="{}" stroke="{}"/>').format(places, colour)


def _across(epoch: float, last: float) -> float:
    return _FRAME.across((epoch - 1) / max(last - 1, 1))


def _draw_grid(share: float, loss: float) -> Markup:
    y = _FRAME.up(share)
    score = Markup('<text class="other" x="{}" y="{:.1f}">{:.1f}</text>').format(_FRAME.right + 8, y + 4, share)
    return _FRAME.side(y, f"{loss:.2g}") + score


def _draw_epoch(epoch: float, last: float) -> Markup:
    return Markup('<text class="axis" x="{:.1f}" y="{}">{:.0f}</text>').format(_across(epoch, last), _FRAME.bottom + 18, epoch)
