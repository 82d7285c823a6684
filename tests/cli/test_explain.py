"""`detect --explain`: why each span that is returned is there, whoever found it, and why nothing was found somewhere."""

import re

import pytest
from typer.testing import CliRunner

from innominate.cli.app import app
from innominate.core import Document
from innominate.run.explaining import explain
from innominate.run.pipeline import Pipeline
from innominate.run.settings import Settings
from innominate.synth.generate import generate

NOTE = "Vu par le Dr Rochat le 18.03.2022. Tél : 021 314 11 11"


@pytest.fixture
def note(tmp_path):
    (tmp_path / "note.txt").write_text(NOTE)
    return tmp_path / "note.txt"


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_every_span_says_its_rule_and_what_it_rests_on(note):
    shown = run("detect", note, "--lang", "fr", "--detector", "rules", "--explain").output
    assert "Rochat PERSONNEL_MÉDICAL 13:19" in shown
    assert "found by the rule fr.date.numeric" in shown
    assert "it rests on this" in shown


@pytest.mark.parametrize("detector", ["rules", "crf", "union"])
@pytest.mark.parametrize("lang", ["fr", "es"])
def test_what_is_explained_is_what_is_returned(lang, detector):
    settings = Settings(lang=lang, detector=detector)
    for document in generate(lang, 5, seed=3, split="test"):
        explained = list(explain(document, settings))
        assert tuple(one.span for one in explained) == Pipeline(settings).detect(document).spans
        assert {one.found_by.split()[3] for one in explained} <= {"rule", "model"}
        assert all(one.reasons for one in explained if one.span.source.startswith("rules:"))


def test_the_command_explains_what_the_command_returns(note, tmp_path):
    explained = run("detect", note, "--lang", "fr", "--explain").output
    printed = run("detect", note, "--lang", "fr").output
    assert re.findall(r"\d+:\d+ [\d.]+ \S+", explained) == re.findall(r"\d+:\d+ [\d.]+ \S+", printed)
    assert "found by the model combined" in explained
    assert "fr.date.numeric  DATE  “18.03.2022”  says the same" in explained


def test_a_model_alone_is_explained_too(note):
    shown = run("detect", note, "--lang", "fr", "--detector", "crf", "--explain").output
    assert "found by the model crf, 1.00 sure" in shown
    assert "fr.date" not in shown


def test_places_are_those_of_the_original_though_rules_see_a_view():
    document = Document("n", "<p>Vu le 18.<b>03</b>.2022</p>")
    (one,) = explain(document, Settings(lang="fr"))
    assert one.span.of(document.text) == "18.<b>03</b>.2022"
    assert {document.text[reason.start : reason.end] for reason in one.reasons} == {"18.<b>03</b>.2022"}


def test_labels_of_another_taxonomy_do_not_make_a_rule_disagree():
    document = Document("n", NOTE)
    date = next(one for one in explain(document, Settings(lang="fr", taxonomy="i2b2")) if one.span.label == "DATE")
    doctor = next(one for one in explain(document, Settings(lang="fr", taxonomy="i2b2")) if one.span.label == "DOCTOR")
    for one in (date, doctor):
        assert any("says the same" in reason.why for reason in one.reasons)


def test_known_identifiers_say_so(tmp_path):
    (tmp_path / "p.csv").write_text("id,nom\n7,Zwyxelhof\n")
    settings = Settings(lang="fr", detector="rules", patients=str(tmp_path / "p.csv"))
    (one,) = explain(Document("n", "zwyxelhof dort", meta={"patient": "7"}), settings)
    assert one.found_by.startswith("known from the patient file")


def test_a_range_without_a_span_says_why(note):
    assert "no pattern matched here" in run("detect", note, "--lang", "fr", "--at", "0:2").output


def test_a_range_outside_the_note_and_a_detector_without_rules_are_refused(note):
    assert "ends after" in str(run("detect", note, "--lang", "fr", "--at", "0:999").exception)
    assert "has none" in str(run("detect", note, "--lang", "fr", "--detector", "crf", "--at", "0:2").exception)
