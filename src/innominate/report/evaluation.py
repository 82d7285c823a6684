"""An evaluation as tables, the same for the terminal and for the page; and the page, self-contained HTML, drawn from its
result and, for the contexts, the texts of the gold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from innominate.evaluate.errors import NONE
from innominate.report.colours import colour_of
from innominate.report.rendering import draw_plot, render_page

Result = Mapping[str, Any]
RATES = ("precision", "recall", "f1")
NAMES = {
    "character_leak": "Character leak",
    "any_label_recall": "Any-label recall",
    "over_redaction": "Over-redaction",
    "redact_full": "Redact full",
}
MEANINGS = {
    "character_leak": "letters and digits of identifiers that stay in the text",
    "any_label_recall": "identifiers masked wholly, whatever the label",
    "over_redaction": "other letters and digits that are lost",
    "redact_full": "documents with nothing left",
}
CONTEXT = 60  # characters on each side of an error
MOST_ERRORS = 400  # shown on the page, for each system; the result file has them all
MOST_DOCUMENTS = 100


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """A title, a heading, and rows; the first column is text, the others are numbers."""

    title: str
    heading: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


def tabulate_standard(system: Result, standard: str) -> list[ScoreTable]:
    """The tables of a standard."""
    return {"i2b2": _i2b2, "meddocan": _meddocan, "tab": _tab, "spans": _spans}[standard](system)


def tabulate_release(release: Result) -> ScoreTable:
    """The measures that decide a release, each with what it was counted from and both bounds."""
    rows = []
    for name, title in NAMES.items():
        found = release[name]
        counted = f"{found['k']:,} of {found['n']:,}"
        rows.append([title, rate(found["rate"]), counted, interval(found["clopper_pearson"]), interval(found["bootstrap"])])
    percent = f"{100 * release['confidence']:g} %"
    heading = ("measure", "rate", "counted", f"{percent} exact", f"{percent} by documents")
    note = "Exact: Clopper-Pearson. By documents: bootstrap over documents, which knows that errors come in clusters."
    return ScoreTable("What is left, and what is lost", heading, rows, note)


def tabulate_comparison(comparison: Result) -> list[ScoreTable]:
    """Systems side by side, and the tests of their differences."""
    rows = [
        [name, *(rate(row["strict"][field]) for field in RATES), rate(row["any_label_recall"]), rate(row["over_redaction"])]
        for name, row in comparison["table"].items()
    ]
    tests = [row for pair in comparison["pairs"] for row in _tests(pair)]
    note = "Paired bootstrap over documents; for tokens that only one system treats as the gold does, McNemar's exact test."
    return [
        ScoreTable("Systems", ("system", "strict P", "strict R", "strict F1", "recall, any label", "other text lost"), rows),
        ScoreTable("Differences, first minus second", ("pair", "measure", "difference", "95 %", "p"), tests, note),
    ]


def _tests(pair: Result) -> list[list[str]]:
    title, rows = f"{pair['first']} – {pair['second']}", []
    for name, key in (("strict F1", "strict_f1"), ("any-label recall", "any_label_recall")):
        found = pair[key] or {"difference": None, "ci95": [None, None], "p_two_sided": None}
        rows.append([title, name, rate(found["difference"]), interval(found["ci95"]), chance(found["p_two_sided"])])
    tokens = pair["mcnemar_tokens"]
    counts = f"{tokens['first_only']:,} – {tokens['second_only']:,}"
    return [*rows, [title, "tokens only one has right", counts, "", chance(tokens["p_two_sided"])]]


def _i2b2(system: Result) -> list[ScoreTable]:
    corrected = system["idnum_corrected_not_official"]
    main = {name: block for name, block in system["blocks"].items() if "per_document" in block}
    rows = []
    for name, block in main.items():
        fixed = corrected.get(name)
        rows.append([name, *_counts(block["micro"]), rate(fixed["micro"]["f1"]) if fixed else ""])
    heading = ("level", "tp", "fp", "fn", "P", "R", "F1", "F1 corrected")
    macro = [[name, *(rate(block["macro"][field]) for field in RATES)] for name, block in main.items()]
    note = "Corrected: with ID:IDNUM, which the official program leaves out of all HIPAA blocks by a blank in its list."
    by_category = [
        [name, *_counts(block["micro"])]
        for name, block in system["blocks"].items()
        if name not in main and name.endswith(("Token", "Strict")) and "HIP" not in name and sum(_count(block["micro"])) > 0
    ]
    return [
        ScoreTable("i2b2 2014, micro (primary)", heading, rows, note),
        ScoreTable("i2b2 2014, macro", ("level", "P", "R", "F1"), macro, "Means over notes; one without any counts 0."),
        ScoreTable("By category", ("category", "tp", "fp", "fn", "P", "R", "F1"), by_category),
    ]


def _meddocan(system: Result) -> list[ScoreTable]:
    titles = {"ner": "NER", "span_strict": "Spans, strict", "span_merged": "Spans, merged"}
    rows = [[title, *_counts(system[key]["micro"])] for key, title in titles.items()]
    leak = system["ner"]["leak"]
    note = f"Leak: {rate(leak)} misses per sentence." if leak != "NA" else "Leak: NA, the number of sentences is not known."
    return [ScoreTable("MEDDOCAN", ("level", "tp", "fp", "fn", "P", "R", "F1"), rows, note)]


def _tab(system: Result) -> list[ScoreTable]:
    levels = {f"Entity recall, {kind}": found for kind, found in system["entity_recall"].items()}
    levels |= {"Mention recall": system["mention_recall"], "Token recall": system["token_recall"]}
    levels |= {f"Token recall, {type}": found for type, found in system["token_recall_by_type"].items()}
    rows = [
        [name, f"{found['masked']:,}", f"{found['n']:,}", rate(found["recall"])] if found else [name, "", "", "not known"]
        for name, found in levels.items()
    ]
    for unit, found in system["precision_uniform"].items():
        rows.append([f"Uniform precision, {unit}", f"{found['agreed']:,}", f"{found['asked']:,}", rate(found["precision"])])
    return [ScoreTable("Text Anonymization Benchmark", ("measure", "masked", "of", "rate"), rows)]


def _spans(system: Result) -> list[ScoreTable]:
    words = ("correct", "incorrect", "partial", "missed", "spurious")
    rows = [
        [name, *(f"{found[word]:,}" for word in words), *(rate(found[field]) for field in RATES)]
        for name, found in system["overall"].items()
    ]
    strict = [
        [label, *(f"{found['strict'][word]:,}" for word in words), *(rate(found["strict"][field]) for field in RATES)]
        for label, found in system["per_type"].items()
    ]
    tags = system["seqeval"]["strict"]
    tag_rows = [[name, *(rate(tags[name][field]) for field in RATES)] for name in ("micro", "macro", "weighted")]
    numbers = ("COR", "INC", "PAR", "MIS", "SPU", "P", "R", "F1")  # the task's own short names
    return [
        ScoreTable("SemEval 2013", ("measure", *numbers), rows, "Correct, incorrect, partial, missed, spurious."),
        ScoreTable("Strict, by label", ("label", *numbers), strict),
        ScoreTable("Tags, IOB2", ("average", "P", "R", "F1"), tag_rows, "As seqeval strict, on our tokens."),
    ]


def _count(found: Result) -> tuple[int, int, int]:
    return found["tp"], found["fp"], found["fn"]


def _counts(found: Result) -> list[str]:
    return [*(f"{count:,}" for count in _count(found)), *(rate(found[field]) for field in RATES)]


def rate(value: float | None) -> str:
    """A rate with four digits, as the official programs print them.

    >>> rate(0.5), rate(None)
    ('0.5000', '–')
    """
    return "–" if value is None else f"{value:.4f}"


def chance(p: float | None) -> str:
    """A p value; a very small one is not nought.

    >>> chance(1e-9)
    '< 0.0001'
    """
    return "< 0.0001" if p is not None and p < 0.0001 else rate(p)


def interval(bounds: Sequence[float | None]) -> str:
    """From where to where."""
    low, high = bounds
    return "–" if low is None or high is None else f"{low:.4f} – {high:.4f}"


def render_evaluation(result: Mapping[str, Any], texts: Mapping[str, str] | None = None, title: str = "Evaluation") -> str:
    """The page. Without texts it holds positions only and no word of any note."""
    comparison = result.get("comparison")
    pairs = comparison["pairs"] if comparison else []
    differ = [{**row, "kind": f"only {pair[row['masked_by']]}", "left": 0} for pair in pairs for row in pair["differ"]]
    return render_page(
        "evaluation.html",
        title,
        result=result,
        has_text=texts is not None,
        systems=[_describe_system(name, found, result["standard"], texts or {}) for name, found in result["systems"].items()],
        comparison=tabulate_comparison(comparison) if comparison else [],
        differ=[show_error(row, texts or {}) for row in differ[:MOST_ERRORS]],
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
        "documents": [
            {**row, "leak": row["leaked_characters"] / (row["identifier_characters"] or 1)}
            for row in errors["documents"][:MOST_DOCUMENTS]
        ],
        "more_documents": max(0, len(errors["documents"]) - MOST_DOCUMENTS),
    }


def show_error(error: Mapping[str, Any], texts: Mapping[str, str]) -> dict[str, Any]:
    """An error as the page shows it: what, where, and the text around it if there is any."""
    start, end = error["start"], error["end"]
    found = error.get("found")
    answer = f"{found[2]} {found[0]}–{found[1]}" if found else ""
    place = f"{error['document']} · {start}–{end}"
    text = texts.get(error["document"], "")
    around = (text[max(0, start - CONTEXT) : start], text[start:end], text[end : end + CONTEXT])
    before, marked, after = (" ".join(part.split("\n")) for part in around)
    known = {name: error[name] for name in ("kind", "label", "left")}
    return {**known, "found": answer, "where": place, "before": before, "text": marked, "after": after}


def arrange_confusion(confusion: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """Rows and columns of the confusion matrix, in one order, with what was missed and invented last."""
    labels = [*sorted({*confusion, *(label for row in confusion.values() for label in row)} - {NONE}), NONE]
    rows = []
    for gold in labels:
        row = confusion.get(gold, {})
        whole = sum(row.values()) or 1
        counts = [(label, row.get(label, 0)) for label in labels]
        cells = [{"count": n, "shade": round(100 * n / whole), "right": gold == label} for label, n in counts]
        rows.append((gold, colour_of(gold), cells))
    return {"labels": labels, "rows": rows}
