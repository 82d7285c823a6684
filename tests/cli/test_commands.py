"""The commands as a user runs them."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from innominate.cli.app import app
from innominate.core import InnominateError
from innominate.labels import taxonomy
from innominate.languages import language_codes

SAMPLES = Path(__file__).parents[2] / "samples"


def run(*arguments, **options):
    return CliRunner().invoke(app, [str(argument) for argument in arguments], **options)


@pytest.mark.parametrize("command", ["deidentify", "detect", "preview", "convert", "synth", "labels", "doctor"])
def test_every_command_has_help_with_an_example(command):
    shown = run(command, "--help")
    assert shown.exit_code == 0
    assert f"innominate {command}" in shown.output or command == "doctor"


def test_deidentify_the_samples(tmp_path):
    done = run("deidentify", SAMPLES, "-o", tmp_path / "out.jsonl", "--keep-ids")
    assert done.exit_code == 0, done.output
    notes = {note["id"]: note for note in map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())}
    assert "<DATE>" in notes["fr/lettre_de_sortie"]["text"]
    assert "18 mars 2022" not in notes["fr/lettre_de_sortie"]["text"]
    assert {note["meta"]["lang"] for note in notes.values()} == set(language_codes())


def test_detect_writes_spans_without_text(tmp_path):
    done = run("detect", SAMPLES / "sv", "-o", tmp_path / "spans.jsonl", "--taxonomy", "i2b2")
    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in (tmp_path / "spans.jsonl").read_text().splitlines()]
    assert set(lines[0]) == {"id", "spans"}
    found = {span["label"] for line in lines for span in line["spans"]}
    assert {"DATE", "PHONE"} <= found <= set(taxonomy("i2b2").labels)


def test_preview_shows_before_and_after():
    done = run("preview", SAMPLES / "fr" / "lettre_de_sortie.txt")
    assert done.exit_code == 0, done.output
    assert "18 mars 2022 DATE" in done.output
    assert "le <DATE>" in done.output


def test_preview_as_a_page(tmp_path):
    assert run("preview", SAMPLES, "--html", tmp_path / "page.html").exit_code == 0
    assert "<mark" in (tmp_path / "page.html").read_text()


def test_convert_there_and_back(tmp_path):
    assert run("synth", "--lang", "fr", "-n", "5", "-o", tmp_path / "a.jsonl").exit_code == 0
    assert run("convert", tmp_path / "a.jsonl", "-o", tmp_path / "brat", "--to", "brat").exit_code == 0
    assert run("convert", tmp_path / "brat", "-o", tmp_path / "b.jsonl").exit_code == 0
    first, second = ([json.loads(x) for x in (tmp_path / f"{n}.jsonl").read_text().splitlines()] for n in "ab")
    assert [(d["id"], d["text"], d["spans"]) for d in first] == [(d["id"], d["text"], d["spans"]) for d in second]


def test_standard_input_is_read(tmp_path):
    done = run("deidentify", "-", "-o", tmp_path / "out.jsonl", "--lang", "fr", input="Vu le 18.03.2022")
    assert done.exit_code == 0, done.output
    assert "<DATE>" in (tmp_path / "out.jsonl").read_text()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["deidentify", "nowhere", "-o", "out"], "no such file"),
        (["deidentify", SAMPLES, "-o", "out", "--policy", "vanish"], "class, hipaa-safe-harbor"),
        (["deidentify", SAMPLES, "-o", "out", "--lang", "xx"], "choose one of: auto, "),
        (["detect", SAMPLES, "-o", "out", "--taxonomy", "nhs"], "chuv"),
        (["detect", SAMPLES, "-o", "out", "--format", "papyrus"], "brat"),
        (["convert", SAMPLES, "-o", "out", "--option", "xyz"], "KEY=VALUE"),
        (["labels", "nhs"], "chuv"),
    ],
)
def test_wrong_use_is_explained_and_nothing_is_written(arguments, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert isinstance(done.exception, InnominateError)
    assert says in str(done.exception)
    assert not list(tmp_path.iterdir())


def test_a_table_keeps_its_columns_but_not_what_may_identify(tmp_path):
    rows = "id;name;type;body\n1;Rochat;letter;vu le 18.03.2022\n2;Chollet;note;ok\n"
    (tmp_path / "in.csv").write_text(rows)
    done = run("deidentify", tmp_path / "in.csv", "-o", tmp_path / "out.csv", "--lang", "fr", "--option", "text_column=body")
    assert done.exit_code == 0, done.output
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert lines[0] == "id;type;body;spans;meta"
    assert re.match(r"N[0-9a-f]{16};letter;vu le <DATE>;", lines[1])
    assert "Rochat" not in (tmp_path / "out.csv").read_text()


def test_from_a_database_into_a_database(tmp_path, monkeypatch):
    import sqlite3

    monkeypatch.chdir(tmp_path)
    with sqlite3.connect(tmp_path / "notes.db") as base:
        base.execute("create table notes (nr integer primary key, body text, name text)")
        base.execute("insert into notes values (1, 'vu le 18.03.2022', 'Rochat')")
    source = "sqlite:///notes.db?table=notes&id=nr&text=body"
    done = run("deidentify", source, "-o", "sqlite:///clean.db?table=notes", "--lang", "fr")
    assert done.exit_code == 0, done.output
    with sqlite3.connect(tmp_path / "clean.db") as base:
        (row,) = base.execute("select * from notes").fetchall()
    assert "vu le <DATE>" in row
    assert "Rochat" not in row


def test_a_folder_that_holds_files_is_not_mixed_with_new_ones(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "old.txt").write_text("Rochat")
    done = run("deidentify", SAMPLES / "fr", "-o", tmp_path / "out", "--to", "text")
    assert "holds files already" in str(done.exception)


def test_labels_and_doctor():
    assert "ÉTAT_CIVIL" in run("labels", "chuv").output
    assert "MEDICALRECORD" in run("labels", "chuv", "--to", "i2b2").output
    doctor = run("doctor")
    assert doctor.exit_code == 0, doctor.output
    assert "union" in doctor.output


def test_doctor_says_that_the_native_rules_are_missing(monkeypatch):
    monkeypatch.setattr("innominate.cli.doctor.native", None)
    assert "the native part of the rules is not built" in " ".join(run("doctor").output.split())
