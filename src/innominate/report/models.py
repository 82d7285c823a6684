"""Pages about models, each self-contained and drawn only from a saved result: a learning curve, and operating points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from innominate.report.charts import draw_curve, draw_precision, draw_reliability, kinds_of
from innominate.report.rendering import render_page


def render_curve(result: Mapping[str, Any], title: str = "Learning curve") -> str:
    """The page of a study; it holds numbers and names of kinds, and no text."""
    chart, reached = draw_curve(result), shares_reached(result)
    return render_page("learning_curve.html", title, result=result, chart=chart, reached=reached)


def shares_reached(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """For each kind, the least share with which it is as good as the first kind with the most notes.

    >>> row = lambda kind, share, mean: {"kind": kind, "fraction": share, "notes": 9, "ner": {"mean": mean}}
    >>> shares_reached({"table": [row("crf", 0.5, 0.8), row("crf", 1, 0.9), row("cvt", 0.5, 0.91)]})[1]["fraction"]
    0.5
    """
    first = [row for row in result["table"] if row["kind"] == kinds_of(result)[0]]
    goal = max(first, key=lambda row: row["fraction"])["ner"]["mean"]
    found = []
    for kind in kinds_of(result):
        rows = sorted((row for row in result["table"] if row["kind"] == kind), key=lambda row: row["fraction"])
        enough = next((row for row in rows if row["ner"]["mean"] >= goal), None)
        found.append(
            {"kind": kind, "goal": goal, "fraction": enough and enough["fraction"], "notes": enough and enough["notes"]}
        )
    return found


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
