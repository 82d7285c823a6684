"""The page of a pre-annotation experiment: tables 4.3 and 4.4 of Loftsson 2022, the mixed model, and what suggestions did."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from math import exp
from typing import Any

from jinja2 import Environment, PackageLoader

MEASURES = {"duration": "throughput", "segment": "segmentation quality", "category": "categorisation quality"}


def experiment_page(result: Mapping[str, Any], made: datetime, title: str) -> str:
    """Numbers only."""
    loader = PackageLoader("innominate.report")
    environment = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    context = {
        "title": title,
        "made": f"{made:%d.%m.%Y %H:%M}",
        "r": result,
        "measures": MEASURES,
        "p": p_value,
        "ratio": lambda estimate: f"{100 * (exp(estimate) - 1):+.1f} %",
    }
    return environment.get_template("campaign_experiment.html").render(context)


def p_value(value: object) -> str:
    """A probability as papers write it.

    >>> p_value(1.61e-15), p_value(0.0227), p_value(None)
    ('1.61e-15', '0.0227', '–')
    """
    if not isinstance(value, int | float):
        return "–"
    return f"{value:.2e}" if value < 0.001 else f"{value:.3g}"
