"""How a training went, as a plot: the loss falls, the score on dev rises."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log10

from markupsafe import Markup

_LEFT, _TOP, _WIDTH, _HEIGHT = 60, 16, 560, 300  # pixels
_STYLE = Markup(
    "<style>.chart{font:12px system-ui,sans-serif;background:#fff}.axis{text-anchor:middle;fill:#6b7076}"
    ".side{text-anchor:end;fill:#6b7076}.other{fill:#6b7076}.tick{stroke:#e3e3e0}.curve{fill:none;stroke-width:2}</style>"
)
_LOSS, _F1 = "#c2571a", "#3f6fd1"


def training_chart(history: Sequence[Mapping[str, float]]) -> Markup:
    """Loss, on a logarithmic scale, and F1 on dev, by epoch.

    >>> training_chart([{"epoch": 1, "loss": 2.0, "ner": 0.5}, {"epoch": 2, "loss": 1.0, "ner": 0.7}]).count("<polyline")
    2
    """
    losses = [(row["epoch"], max(row["loss"], 1e-9)) for row in history]
    scores = [(row["epoch"], row["ner"]) for row in history if row["ner"]]  # dev may be scored now and then only
    last = max(epoch for epoch, _ in losses)
    low, high = min(log10(loss) for _, loss in losses), max(log10(loss) for _, loss in losses)

    def down(loss: float) -> float:
        return (log10(loss) - low) / max(high - low, 1e-9)

    shapes = [
        *(_grid(step / 5, 10 ** (low + (high - low) * step / 5)) for step in range(6)),
        *(_epoch(1 + (last - 1) * step / 5, last) for step in range(6)),
        _curve(losses, last, down, _LOSS),
        _curve(scores, last, lambda score: score, _F1),
        _legend(0, "loss", _LOSS),
        _legend(1, "F1 on dev, strict, with labels", _F1),
    ]
    width, height = _LEFT + _WIDTH + 50, _TOP + _HEIGHT + 44
    names = Markup('<text class="axis" x="{}" y="{}">epoch</text>').format(_LEFT + _WIDTH // 2, height - 6)
    shape = '<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}{}</svg>'
    return Markup(shape).format(width, height, "Training", _STYLE, Markup("").join(shapes), names)


def _curve(points: Sequence[tuple[float, float]], last: float, up: Callable[[float], float], colour: str) -> Markup:
    places = " ".join(f"{_across(epoch, last):.1f},{_TOP + _HEIGHT * (1 - up(value)):.1f}" for epoch, value in points)
    return Markup('<polyline class="curve" points="{}" stroke="{}"/>').format(places, colour)


def _across(epoch: float, last: float) -> float:
    return _LEFT + _WIDTH * (epoch - 1) / max(last - 1, 1)


def _grid(share: float, loss: float) -> Markup:
    y = _TOP + _HEIGHT * (1 - share)
    shape = (
        '<line class="tick" x1="{0}" x2="{1}" y1="{2:.1f}" y2="{2:.1f}"/><text class="side" x="{3}" y="{4:.1f}">{5:.2g}</text>'
        '<text class="other" x="{6}" y="{4:.1f}">{7:.1f}</text>'
    )
    return Markup(shape).format(_LEFT, _LEFT + _WIDTH, y, _LEFT - 8, y + 4, loss, _LEFT + _WIDTH + 8, share)


def _epoch(epoch: float, last: float) -> Markup:
    return Markup('<text class="axis" x="{:.1f}" y="{}">{:.0f}</text>').format(
        _across(epoch, last), _TOP + _HEIGHT + 18, epoch
    )


def _legend(index: int, name: str, colour: str) -> Markup:
    y = _TOP + _HEIGHT // 2 + 20 * index
    shape = '<rect x="{0}" y="{1}" width="14" height="4" fill="{2}"/><text x="{3}" y="{4}" fill="currentColor">{5}</text>'
    return Markup(shape).format(_LEFT + _WIDTH - 220, y, colour, _LEFT + _WIDTH - 200, y + 6, name)
