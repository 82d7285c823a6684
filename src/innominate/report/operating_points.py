"""Operating points of a model as one self-contained HTML page, drawn from the saved result of tuning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from innominate.report.operating_charts import draw_precision, draw_reliability
from innominate.report.rendering import render_page


def render_operating_points(result: Mapping[str, Any], title: str = "Operating points") -> str:
    """The page; it holds numbers and labels, and no text."""
    names = [point["name"] for point in result["points"]]
    labels = sorted({label for table in result["labels"].values() for label in table})
    knots = list(zip(result["calibration"]["raw"], result["calibration"]["right"], strict=True))
    return render_page(
        "operating_points.html",
        title,
        result=result,
        labels={label: [result["labels"][name].get(label, {}).get("main", "") for name in names] for label in labels},
        recall_chart=draw_precision([tuple(pair) for pair in result["tokens_curve"]], result["points"]),
        reliability_chart=draw_reliability(result["reliability"], knots),
    )
