"""An evaluation as one self-contained HTML page, drawn from its result and, for the contexts, the texts of the gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from jinja2 import Environment, select_autoescape

from innominate.evaluate.errors import NONE
from innominate.report.colours import colour
from innominate.report.evaluation_tables import MEANINGS, NAMES, comparison_tables, interval, rate, release_table, tables
from innominate.report.svg import recall_chart

CONTEXT = 60  # characters on each side of an error
MOST_ERRORS = 400  # shown on the page, for each system; the result file has them all
MOST_DOCUMENTS = 100


@dataclass(frozen=True, slots=True)
class Shown:
    """An error as the page shows it: what, where, and the text around it if there is any."""

    kind: str
    label: str
    found: str
    where: str
    left: int
    before: str = ""
    text: str = ""
    after: str = ""


def evaluation_page(result: Mapping[str, Any], texts: Mapping[str, str] | None = None, title: str = "Evaluation") -> str:
    """The page. Without texts it holds positions only and no word of any note."""
    template = files("innominate.report") / "templates" / "evaluation.html"
    environment = Environment(autoescape=select_autoescape(default=True), trim_blocks=True, lstrip_blocks=True)
    comparison = result.get("comparison")
    differ = [(pair, row) for pair in (comparison or {"pairs": []})["pairs"] for row in pair["differ"]]
    context: dict[str, Any] = {
        "title": title,
        "result": result,
        "has_text": texts is not None,
        "systems": [_system(name, found, result["standard"], texts or {}) for name, found in result["systems"].items()],
        "comparison": comparison_tables(comparison) if comparison else [],
        "differ": [_difference(pair, row, texts or {}) for pair, row in differ[:MOST_ERRORS]],
        "n_differ": len(differ),
    }
    return environment.from_string(template.read_text(encoding="utf-8")).render(context)


def _system(name: str, found: Mapping[str, Any], standard: str, texts: Mapping[str, str]) -> dict[str, Any]:
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
        "tables": [release_table(found["release"]), *tables(found, standard)],
        "chart": recall_chart(found["release"]["by_label"]),
        "matrix": matrix(errors["confusion"]),
        "errors": [shown(error, texts) for error in worst],
        "kinds": sorted(errors["counts"].items()),
        "n_errors": len(errors["spans"]),
        "documents": [_document(row) for row in errors["documents"][:MOST_DOCUMENTS]],
        "more_documents": max(0, len(errors["documents"]) - MOST_DOCUMENTS),
    }


def shown(error: Mapping[str, Any], texts: Mapping[str, str]) -> Shown:
    """Look up the text around an error."""
    start, end = error["start"], error["end"]
    found = error.get("found")
    answer = f"{found[2]} {found[0]}–{found[1]}" if found else ""
    place = f"{error['document']} · {start}–{end}"
    text = texts.get(error["document"], "")
    around = (text[max(0, start - CONTEXT) : start], text[start:end], text[end : end + CONTEXT])
    before, marked, after = (" ".join(part.split("\n")) for part in around)
    return Shown(error["kind"], error["label"], answer, place, error["left"], before, marked, after)


def _difference(pair: Mapping[str, Any], row: Mapping[str, Any], texts: Mapping[str, str]) -> Shown:
    masked_by = pair[row["masked_by"]]
    return shown({**row, "kind": f"only {masked_by}", "left": 0}, texts)


@dataclass(frozen=True, slots=True)
class Cell:
    """A count of the confusion matrix with how dark it is."""

    count: int
    shade: int  # per cent of the row
    right: bool


def matrix(confusion: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """Rows and columns of the confusion matrix, in one order, with what was missed and invented last."""
    labels = [*sorted({*confusion, *(label for row in confusion.values() for label in row)} - {NONE}), NONE]
    rows: list[tuple[str, str, Sequence[Cell]]] = []
    for gold in labels:
        row = confusion.get(gold, {})
        whole = sum(row.values()) or 1
        cells = [Cell(row.get(label, 0), round(100 * row.get(label, 0) / whole), gold == label) for label in labels]
        rows.append((gold, colour(gold), cells))
    return {"labels": labels, "rows": rows}


def _document(row: Mapping[str, Any]) -> dict[str, Any]:
    leaked, there = row["leaked_characters"], row["identifier_characters"]
    return {**row, "leak": leaked / there if there else 0.0}
