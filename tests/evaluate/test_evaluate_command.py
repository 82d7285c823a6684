"""`innominate evaluate` from files to table, JSON and page."""

import json
import re

import pytest
from evaluate_oracles import COPIED, differences
from typer.testing import CliRunner

from innominate.cli.app import app
from innominate.core import InnominateError, annotated
from innominate.evaluate import Evaluation
from innominate.formats import write
from innominate.report.evaluation import arrange_confusion, render_evaluation

GOLD = [annotated("Seen by [Dr <Keita>](DOCTOR) on [3 May 2071](DATE).", "n1"), annotated("Nothing here.", "n2")]
SYSTEM = [annotated("Seen by [Dr <Keita>](PATIENT) on 3 May 2071.", "n1"), annotated("[Nothing](DATE) here.", "n2")]


def run(*arguments):
    outcome = CliRunner().invoke(app, ["evaluate", *map(str, arguments)], catch_exceptions=True)
    if outcome.exception and not isinstance(outcome.exception, SystemExit):
        raise outcome.exception
    return outcome


@pytest.fixture
def files(tmp_path):
    write(GOLD, tmp_path / "gold.jsonl", "jsonl")
    write(SYSTEM, tmp_path / "system.jsonl", "jsonl")
    return tmp_path


@pytest.mark.parametrize("standard", ["i2b2", "tab", "spans"])
def test_every_standard_prints_its_table_and_the_sentence(files, standard):
    outcome = run(files / "gold.jsonl", files / "system.jsonl", "--standard", standard)
    assert outcome.exit_code == 0
    assert "Any-label recall" in outcome.output
    assert "from n = 2." in " ".join(outcome.output.split())


def test_the_json_can_be_compared_with_the_official_numbers(tmp_path):
    expected = json.loads((COPIED / "i2b2" / "expected.json").read_text(encoding="utf-8"))["edge"]["patient_as_doctor"]
    folder = COPIED / "i2b2" / "edge" / "patient_as_doctor"
    run(folder / "gold", folder / "system", "--standard", "i2b2", "--json", tmp_path / "r.json")
    found = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["systems"]["system"]
    assert differences(found["blocks"], expected["blocks"]) == []


def test_meddocan_from_brat_with_its_sentences(tmp_path):
    expected = json.loads((COPIED / "meddocan" / "expected.json").read_text(encoding="utf-8"))["edge"]["nested_shrinks"]
    folder = COPIED / "meddocan" / "edge" / "nested_shrinks"
    options = ["--standard", "meddocan", "--sentences", COPIED / "meddocan" / "sentences", "--json", tmp_path / "r.json"]
    run(folder / "gold", folder / "system", *options)
    found = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["systems"]["system"]
    assert differences({part: found[part] for part in ("ner", "span_merged")}, {"ner": expected["ner"]}) == []


def test_spans_without_text_are_joined_with_the_gold(files):
    lines = [
        json.dumps({"id": d.id, "spans": [{"start": s.start, "end": s.end, "label": s.label} for s in d.spans]}) for d in GOLD
    ]
    (files / "spans.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run(files / "gold.jsonl", files / "spans.jsonl", "--json", files / "r.json")
    found = json.loads((files / "r.json").read_text(encoding="utf-8"))
    assert found["systems"]["spans"]["overall"]["strict"]["f1"] == 1


def test_a_missing_document_stops_the_command(files):
    write(SYSTEM[:1], files / "short.jsonl", "jsonl")
    with pytest.raises(InnominateError, match="'n2'"):
        run(files / "gold.jsonl", files / "short.jsonl")
    outcome = run(files / "gold.jsonl", files / "short.jsonl", "--missing", "empty")
    assert "count as nothing found" in " ".join(outcome.output.split())


def test_two_systems_are_compared(files):
    outcome = run(files / "gold.jsonl", files / "system.jsonl", files / "gold.jsonl", "--json", files / "r.json")
    assert "Differences, first minus second" in outcome.output
    assert list(json.loads((files / "r.json").read_text(encoding="utf-8"))["systems"]) == ["system", "gold"]


def test_the_json_holds_no_text(files):
    run(files / "gold.jsonl", files / "system.jsonl", "--json", files / "r.json")
    assert "Keita" not in (files / "r.json").read_text(encoding="utf-8")


def test_the_page_is_self_contained_and_escapes_text(files):
    run(files / "gold.jsonl", files / "system.jsonl", "--html", files / "p.html")
    page = (files / "p.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in page
    assert not re.search(r"(?:src|href)=\"?(?:https?:)?//", page)
    assert "Dr &lt;Keita&gt;" in page
    assert "<Keita>" not in page
    assert 'id="hide"' in page
    assert "<svg" in page


def test_a_page_without_text_holds_none(files):
    run(files / "gold.jsonl", files / "system.jsonl", "--html", files / "p.html", "--no-text")
    page = (files / "p.html").read_text(encoding="utf-8")
    assert "Keita" not in page
    assert 'id="hide"' not in page
    assert "n1 · 8–18" in page


@pytest.mark.parametrize("standard", ["i2b2", "tab", "spans"])
def test_a_page_of_several_systems(standard):
    result = Evaluation(standard).run(GOLD, {"one": SYSTEM, "two": GOLD})
    page = render_evaluation(result, {document.id: document.text for document in GOLD})
    assert 'id="comparison"' in page
    assert "only two" in page


def test_the_matrix_has_what_was_missed_and_invented_last():
    found = arrange_confusion({"A": {"A": 3, "(none)": 1}, "(none)": {"B": 2}})
    assert found["labels"] == ["A", "B", "(none)"]
    assert [cell["shade"] for cell in found["rows"][0][2]] == [75, 0, 25]
