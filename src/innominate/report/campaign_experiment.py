"""The page of a pre-annotation experiment: tables 4.3 and 4.4 of Loftsson 2022, the mixed model, and what suggestions did."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from math import exp
from typing import Any

from innominate.report.campaign import write_time
from innominate.report.rendering import render_page

MEASURES = {"duration": "throughput", "segment": "segmentation quality", "category": "categorisation quality"}


def render_experiment(result: Mapping[str, Any], made: datetime, title: str) -> str:
    """Numbers only."""
    return render_page(
        "campaign_experiment.html",
        title,
        made=write_time(made),
        r=result,
        measures=MEASURES,
        p=write_p_value,
        ratio=lambda estimate: f"{100 * (exp(estimate) - 1):+.1f} %",
    )


def write_p_value(value: object) -> str:
    """A probability as papers write it.

    >>> write_p_value(1.61e-15), write_p_value(0.0227), write_p_value(None)
    ('1.61e-15', '0.0227', '–')
    """
    if not isinstance(value, int | float):
        return "–"
    return f"{value:.2e}" if value < 0.001 else f"{value:.3g}"
