"""Plots of models: how a training went, what more notes buy, and what operating points cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, floor, log2, log10
from typing import Any

from markupsafe import Markup

from innominate.report.rendering import draw_plot

_LEFT, _TOP, _WIDTH, _HEIGHT = 60, 16, 560, 340  # where a plot lies in its picture, in pixels, as in `templates/plot.svg`
_NINES = (0.9, 0.95, 0.98, 0.99, 0.995, 0.999)  # recalls on the axis, stretched towards 1
_FIFTHS = [step / 5 for step in range(6)]
_COLOURS = ("#3f6fd1", "#c2571a", "#2e8b57", "#8e44ad", "#b3261e", "#5f6b76")  # of kinds of models


def _across(share: float) -> float:
    """How far from the left a share of the lower axis is."""
    return _LEFT + _WIDTH * share


def _up(share: float, height: int = _HEIGHT) -> float:
    """How far from the top a share of the axis at the side is."""
    return _TOP + height * (1 - share)


def draw_training(history: Sequence[Mapping[str, float]]) -> Markup:
    """Loss, on a logarithmic scale, and F1 on dev, by epoch.

    >>> draw_training([{"epoch": 1, "loss": 2.0, "ner": 0.5}, {"epoch": 2, "loss": 1.0, "ner": 0.7}]).count("<polyline")
    2
    """
    losses = [(row["epoch"], log10(max(row["loss"], 1e-9))) for row in history]
    scores = [(row["epoch"], row["ner"]) for row in history if row["ner"]]  # dev may be scored now and then only
    last = max(epoch for epoch, _ in losses)
    low, high = min(loss for _, loss in losses), max(loss for _, loss in losses)

    def place(epoch: float, share: float) -> tuple[float, float]:
        return _across((epoch - 1) / max(last - 1, 1)), _up(share, 300)

    return draw_plot(
        "training.svg",
        sides=[(_up(share, 300), f"{10 ** (low + (high - low) * share):.2g}", f"{share:.1f}") for share in _FIFTHS],
        epochs=[(place(epoch, 0)[0], f"{epoch:.0f}") for epoch in (1 + (last - 1) * share for share in _FIFTHS)],
        losses=[place(epoch, (loss - low) / max(high - low, 1e-9)) for epoch, loss in losses],
        scores=[place(epoch, score) for epoch, score in scores],
    )


def draw_precision(curve: Iterable[tuple[float, float]], points: Sequence[Mapping[str, Any]]) -> Markup:
    """Precision against recall, with recall stretched by its nines, and a mark for each operating point.

    >>> draw_precision([(0.95, 0.98), (0.99, 0.7)], [{"name": "F1", "recall": 0.95, "precision": 0.98}]).count("<circle")
    1
    """

    def across(recall: float) -> float:
        """Nines of recall from left to right: 0.9 is at the left border, 0.9995 at the right."""
        nines = -log10(max(1 - recall, 10**-3.3)) - 1
        return _across(min(max(nines, 0.0), 2.3) / 2.3)

    return draw_plot(
        "precision.svg",
        ticks=[(across(value), f"{value:g}") for value in _NINES],
        sides=[(_up(value), f"{value:g}") for value in _FIFTHS],
        curve=[(across(recall), _up(precision)) for recall, precision in curve],
        points=[(across(point["recall"]), _up(point["precision"]), point) for point in points],
    )


def draw_reliability(bins: Sequence[Mapping[str, Any]], knots: Iterable[tuple[float, float]]) -> Markup:
    """Share of right spans against their score, a disc per bin with an area by their number; the line is the calibration."""
    most = max((found["n"] for found in bins), default=1)
    return draw_plot(
        "reliability.svg",
        ticks=[(_across(value), f"{value:g}") for value in _FIFTHS],
        sides=[(_up(value), f"{value:g}") for value in _FIFTHS],
        curve=[(_across(raw), _up(right)) for raw, right in knots],
        discs=[(_across(found["score"]), _up(found["right"]), 3 + 15 * (found["n"] / most) ** 0.5, found) for found in bins],
    )


def kinds_of(result: Mapping[str, Any]) -> list[str]:
    """The kinds of model of a study, in the order of its table."""
    return list(dict.fromkeys(row["kind"] for row in result["table"]))


def draw_curve(result: Mapping[str, Any], *, alone: bool = False) -> Markup:
    """F1 against the share of the notes: the mean as a line, the spread over seeds as a band, every training as a dot.

    Shares are stretched so that half of them is always as far away; `alone` for a plot that is a file of its own.
    """
    table = result["table"]
    values = [row["ner"][key] for row in table for key in ("least", "most")]
    low, high = floor(min(values) * 20) / 20, ceil(max(values) * 20) / 20
    high = max(high, low + 0.05)
    first, last = log2(min(row["fraction"] for row in table)), log2(max(row["fraction"] for row in table))

    def place(fraction: float, score: float) -> tuple[float, float]:
        across = (log2(fraction) - first) / max(last - first, 1e-9)
        return _LEFT + 20 + (_WIDTH - 40) * across, _up((score - low) / (high - low))

    def describe(number: int, kind: str) -> dict[str, Any]:
        rows = sorted((row for row in table if row["kind"] == kind), key=lambda row: row["fraction"])
        edges = [(row, "most") for row in rows] + [(row, "least") for row in reversed(rows)]
        return {
            "name": kind,
            "colour": _COLOURS[number % len(_COLOURS)],
            "line": [place(row["fraction"], row["ner"]["mean"]) for row in rows],
            "band": [place(row["fraction"], row["ner"][edge]) for row, edge in edges],
            "dots": [(*place(cell["fraction"], cell["ner"]["f1"]), cell) for cell in result["cells"] if cell["kind"] == kind],
        }

    shares = sorted({(row["fraction"], row["notes"]) for row in table})
    scores = [low + (high - low) * step for step in _FIFTHS]
    return draw_plot(
        "learning_curve.svg",
        own_style=alone,
        ticks=[(place(share, low)[0], (f"{100 * share:g} %", f"{notes} notes")) for share, notes in shares],
        sides=[(place(shares[0][0], score)[1], f"{score:.2f}") for score in scores],
        kinds=[describe(number, kind) for number, kind in enumerate(kinds_of(result))],
    )
