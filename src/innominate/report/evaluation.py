"""An evaluation as one self-contained HTML page, drawn from its result and, for the contexts, the texts of the gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from innominate.evaluate.errors import NONE
from innominate.report.colours import colour_of
from innominate.report.evaluation_tables import (
    MEANINGS,
    NAMES,
    interval,
    rate,
    tabulate_comparison,
    tabulate_release,
    tabulate_standard,
)
from innominate.report.rendering import draw_plot, render_page

CONTEXT = 60  # characters on each side of an error
MOST_ERRORS = 400  # shown on the page, for each system; the result file has them all
MOST_DOCUMENTS = 100


@dataclass(frozen=True, slots=True)
class ShownError:
    """An error as the page shows it: what, where, and the text around it if there is any."""

    kind: str
    label: str
    found: str
    where: str
    left: int
    before: str = ""
    text: str = ""
    after: str = ""


def render_evaluation(result: Mapping[str, Any], texts: Mapping[str, str] | None = None, title: str = "Evaluation") -> str:
    """The page. Without texts it holds positions only and no word of any note."""
    comparison = result.get("comparison")
    differ = [(pair, row) for pair in (comparison or {"pairs": []})["pairs"] for row in pair["differ"]]
    return render_page(
        "evaluation.html",
        title,
        result=result,
        has_text=texts is not None,
        systems=[_describe_system(name, found, result["standard"], texts or {}) for name, found in result["systems"].items()],
        comparison=tabulate_comparison(comparison) if comparison else [],
        differ=[_show_difference(pair, row, texts or {}) for pair, row in differ[:MOST_ERRORS]],
        n_differ=len(differ),
    )


def _describe_system(name: str, found: Mapping[str, Any], standard: str, texts: Mapping[str, str]) -> dict[str, Any]:
    errors = found["errors"]
    worst = sorted(errors["spans"], key=lambda error: -error["left"])[:MOST_ERRORS]
    measures = [
        (title, MEANINGS[key], rate(found["release"][key]["rate"]), found["release"][key]) for key, title in NAMES.items()
    ]
    return {
        "name": name,
        "n_documents": found["n_documents"],
        "sentence": found["release"]["sentence"],
        "measures": [(title, meaning, value, interval(row["clopper_pearson"])) for title, meaning, value, row in measures],
        "tables": [tabulate_release(found["release"]), *tabulate_standard(found, standard)],
        "chart": draw_plot("recall_bars.svg", by_label=found["release"]["by_label"], colour_of=colour_of),
        "matrix": arrange_confusion(errors["confusion"]),
        "errors": [show_error(error, texts) for error in worst],
        "kinds": sorted(errors["counts"].items()),
        "n_errors": len(errors["spans"]),
        "documents": [_with_leak(row) for row in errors["documents"][:MOST_DOCUMENTS]],
        "more_documents": max(0, len(errors["documents"]) - MOST_DOCUMENTS),
    }


def show_error(error: Mapping[str, Any], texts: Mapping[str, str]) -> ShownError:
    """Look up the text around an error."""
    start, end = error["start"], error["end"]
    found = error.get("found")
    answer = f"{found[2]} {found[0]}–{found[1]}" if found else ""
    place = f"{error['document']} · {start}–{end}"
    text = texts.get(error["document"], "")
    around = (text[max(0, start - CONTEXT) : start], text[start:end], text[end : end + CONTEXT])
    before, marked, after = (" ".join(part.split("\n")) for part in around)
    return ShownError(error["kind"], error["label"], answer, place, error["left"], before, marked, after)


def _show_difference(pair: Mapping[str, Any], row: Mapping[str, Any], texts: Mapping[str, str]) -> ShownError:
    masked_by = pair[row["masked_by"]]
    return show_error({**row, "kind": f"only {masked_by}", "left": 0}, texts)


@dataclass(frozen=True, slots=True)
class ConfusionCell:
    """A count of the confusion matrix with how dark it is."""

    count: int
    shade: int  # per cent of the row
    right: bool


def arrange_confusion(confusion: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """Rows and columns of the confusion matrix, in one order, with what was missed and invented last."""
    labels = [*sorted({*confusion, *(label for row in confusion.values() for label in row)} - {NONE}), NONE]
    rows: list[tuple[str, str, Sequence[ConfusionCell]]] = []
    for gold in labels:
        row = confusion.get(gold, {})
        whole = sum(row.values()) or 1
        cells = [ConfusionCell(row.get(label, 0), round(100 * row.get(label, 0) / whole), gold == label) for label in labels]
        rows.append((gold, colour_of(gold), cells))
    return {"labels": labels, "rows": rows}


def _with_leak(row: Mapping[str, Any]) -> dict[str, Any]:
    leaked, there = row["leaked_characters"], row["identifier_characters"]
    return {**row, "leak": leaked / there if there else 0.0}
