"""Pages of a campaign: the analysis, the scoreboard, an experiment, and a split.

All of them are self-contained, and without scripts, and hold numbers and labels only.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from math import exp, log10
from typing import Any

from markupsafe import Markup

from innominate.report.rendering import draw_plot, render_page

MEASURES = {"duration": "throughput", "segment": "segmentation quality", "category": "categorisation quality"}


def render_analysis(result: Mapping[str, Any], made: datetime, title: str) -> str:
    """The analysis, from its result: numbers only."""
    return render_page("campaign_analysis.html", title, made=write_time(made), r=result)


def render_scoreboard(board: Mapping[str, Any], made: datetime, title: str) -> str:
    """The scoreboard, from its result."""
    return render_page("campaign_scoreboard.html", title, made=write_time(made), board=board)


def write_time(made: datetime) -> str:
    """When a page was made."""
    return f"{made:%d.%m.%Y %H:%M}"


def render_experiment(result: Mapping[str, Any], made: datetime, title: str) -> str:
    """A pre-annotation experiment: tables 4.3 and 4.4 of Loftsson 2022, the mixed model, and what suggestions did."""
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


def render_split(result: Mapping[str, Any], made: datetime, title: str) -> str:
    """A split, all methods beside each other: quality of the sets and categories against targets (Loftsson 2022, 5.1)."""
    charts = {name: draw_targets(result, name) for name in ("test", "validation", "training")}
    return render_page("campaign_split.html", title, made=write_time(made), r=result, charts=charts)


def draw_targets(result: Mapping[str, Any], name: str) -> Markup:
    """For every category its target as a bar, and what each method gave as a mark, on a logarithmic scale.

    >>> sets = {"test": {"counts": {"DATE": 9}}}
    >>> draw_targets({"targets": {"test": {"DATE": 10}}, "methods": {"random": {"sets": sets}}}, "test").count("<circle")
    1
    """
    wanted = sorted(result["targets"][name].items(), key=lambda item: (-item[1], item[0]))
    counts = {method: one["sets"][name]["counts"] for method, one in result["methods"].items()}
    most = max([10, *(target for _, target in wanted), *(n for of in counts.values() for n in of.values())])

    def across(count: float) -> float:
        """0 is at the left border, and 1 a little away from it."""
        return 220 + 520 * (log10(max(count, 0) * 2 + 1) / log10(most * 2 + 1))

    rows = [(label, target, {method: of.get(label, 0) for method, of in counts.items()}) for label, target in wanted]
    ticks = [10**power for power in range(int(log10(most)) + 1)]
    return draw_plot("targets.svg", name=name, rows=rows, ticks=ticks, across=across)
