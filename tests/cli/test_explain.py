"""`detect --explain`: why the rules found a span, and why they found nothing."""

from typer.testing import CliRunner

from innominate.cli.app import app

NOTE = "Vu par le Dr Rochat le 18.03.2022. Tél : 021 314 11 11"


def _run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_every_span_says_its_rule_and_what_it_rests_on(tmp_path):
    note = tmp_path / "note.txt"
    note.write_text(NOTE)
    shown = _run("detect", note, "--lang", "fr", "--explain").output
    assert "Rochat PERSONNEL_MÉDICAL 13:19" in shown
    assert "fr.date.numeric" in shown
    assert "it rests on this" in shown


def test_a_range_without_a_span_says_why(tmp_path):
    note = tmp_path / "note.txt"
    note.write_text(NOTE)
    assert "no pattern matched here" in _run("detect", note, "--lang", "fr", "--at", "0:2").output


def test_a_range_outside_the_note_and_a_detector_without_rules_are_refused(tmp_path):
    note = tmp_path / "note.txt"
    note.write_text(NOTE)
    assert "ends after" in str(_run("detect", note, "--lang", "fr", "--at", "0:999").exception)
    assert "has none" in str(_run("detect", note, "--lang", "fr", "--detector", "crf", "--explain").exception)
