"""Operating points of a model as one self-contained HTML page, drawn from the saved result of tuning."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from jinja2 import Environment, select_autoescape

from innominate.report.operating_svg import recall_chart, reliability_chart


def operating_page(result: Mapping[str, Any], title: str = "Operating points") -> str:
    """The page; it holds numbers and labels, and no text."""
    template = files("innominate.report") / "templates" / "operating_points.html"
    environment = Environment(autoescape=select_autoescape(default=True), trim_blocks=True, lstrip_blocks=True)
    names = [point["name"] for point in result["points"]]
    labels = sorted({label for table in result["labels"].values() for label in table})
    context = {
        "title": title,
        "result": result,
        "labels": {label: [result["labels"][name].get(label, {}).get("main", "") for name in names] for label in labels},
        "recall_chart": recall_chart([tuple(pair) for pair in result["tokens_curve"]], result["points"]),
        "reliability_chart": reliability_chart(
            result["reliability"], list(zip(result["calibration"]["raw"], result["calibration"]["right"], strict=True))
        ),
    }
    return environment.from_string(template.read_text(encoding="utf-8")).render(context)
