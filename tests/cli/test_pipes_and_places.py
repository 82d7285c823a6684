"""Where a run writes: one file, standard output, and what is said before any model is loaded."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import innominate
from innominate.cli.app import app
from innominate.core import InnominateError, UsageError
from innominate.formats import read_documents
from innominate.run import job, preview

SAMPLES = Path(__file__).parents[2] / "samples"
NOTE = "Vu le 18.03.2022 à 9h30."
CLEAN = "Vu le <DATE> à <TEMPS>."
FRENCH = ("--lang", "fr", "--detector", "rules")


def run(*arguments, **options):
    done = CliRunner().invoke(app, [str(argument) for argument in arguments], **options)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "note.txt").write_text(NOTE, encoding="utf-8")
    return tmp_path


def names(folder):
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize("to", [(), ("--to", "text")])
def test_one_note_into_one_file(here, to):
    assert run("deidentify", "note.txt", "-o", "clean.txt", *to, *FRENCH).exit_code == 0
    assert (here / "clean.txt").read_text(encoding="utf-8") == CLEAN
    (again,) = read_documents("clean.txt")  # with its spans, which lie beside it
    assert [span.of(again.text) for span in again.spans] == ["<DATE>", "<TEMPS>"]


def test_a_folder_is_still_a_folder(here):
    run("deidentify", "note.txt", "-o", "clean", "--keep-ids", *FRENCH)
    assert (here / "clean" / "note.txt").read_text(encoding="utf-8") == CLEAN


def test_several_notes_do_not_fit_into_one_file_of_text(here):
    with pytest.raises(UsageError, match="there are 2 notes; name a folder"):
        run("deidentify", SAMPLES / "sv", "-o", "clean.txt")
    lines = [json.dumps({"id": id, "text": NOTE}) for id in "ab"]
    (here / "two.jsonl").write_text("\n".join(lines))
    assert run("deidentify", "two.jsonl", "-o", "clean.txt", "--to", "text", *FRENCH).exit_code == 1
    assert (here / "clean.txt").read_text(encoding="utf-8") == CLEAN
    assert "holds one note" in (here / "clean.txt.quarantine.jsonl").read_text()


def test_convert_writes_one_file_too(here):
    run("convert", "note.txt", "-o", "same.txt")
    assert (here / "same.txt").read_text(encoding="utf-8") == NOTE


PIPE = [sys.executable, "-m", "innominate", "deidentify", "-o", "-", *FRENCH]


def test_a_pipe_leaves_nothing_behind(here):
    for source in ("-", "note.txt"):
        done = subprocess.run([*PIPE, source], input=NOTE.encode(), capture_output=True, check=True)
        assert CLEAN in done.stdout.decode()
        assert names(here) == {"note.txt"}


def test_what_a_pipe_withholds_is_said_on_standard_error(here):
    lines = b'{"id": "a", "text": "ok"}\n{"id": "b", "text": "Rochat", "spans": [[0, 99, "X"]]}\n'
    done = subprocess.run([*PIPE, "-"], input=lines, capture_output=True, check=False)
    assert done.returncode == 1
    assert [json.loads(line)["text"] for line in done.stdout.splitlines()] == ["ok"]
    withheld = [json.loads(line) for line in done.stderr.splitlines() if line.startswith(b"{")]
    assert [entry["step"] for entry in withheld] == ["read"]
    assert b"Rochat" not in done.stderr
    assert names(here) == {"note.txt"}


def test_from_standard_input_into_a_file_there_is_no_journal_to_go_on_from(here, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("innominate.run.batch._work", stop)
    CliRunner().invoke(app, ["deidentify", "-", "-o", "out.jsonl", *FRENCH], input=NOTE)
    assert not (here / "out.jsonl.journal").exists()
    with pytest.raises(UsageError, match="cannot be resumed"):
        run("deidentify", "-", "-o", "out.jsonl", "--resume", *FRENCH, input=NOTE)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("deidentify", "nowhere", "-o", "out"), "no such file"),
        (("conceal", "nowhere", "-o", "out"), "no such file"),
        (("detect", "nowhere", "-o", "out"), "no such file"),
        (("detect", "nowhere"), "no such file"),
        (("preview", "nowhere"), "no such file"),
        (("deidentify", "note.txt", "-o", "out", "--to", "papyrus"), "papyrus"),
        (("detect", "note.txt", "-o", "out", "--to", "papyrus"), "papyrus"),
        (("detect", "note.txt", "--to", "jsonl"), "name it with -o"),
        (("deidentify", "note.txt", "-o", "full"), "holds files already"),
        (("deidentify", "note.txt", "-o", "old.txt"), "old.txt is there already"),
        (("detect", "note.txt", "-o", "old.txt", "--to", "jsonl"), "old.txt is there already"),
        (("deidentify", "note.txt", "-o", "full", "--to", "jsonl"), "is a folder, and this format writes one file"),
        (("deidentify", "note.txt", "-o", "note.txt", "--to", "brat"), "writes one file per note; name a folder"),
        (("deidentify", "note.txt", "-o", "out.jsonl.gz", "--to", "jsonl"), "leave out the .gz"),
        (("deidentify", "note.txt", "-o", "stopped.jsonl"), "--resume"),
    ],
)
def test_what_is_wrong_with_source_and_output_is_said_before_any_model_is_loaded(here, monkeypatch, arguments, says):
    def load(*_, **__):
        raise AssertionError("a model was loaded first")

    monkeypatch.setattr(job, "check", load)
    monkeypatch.setattr(preview, "check", load)
    (here / "full").mkdir()
    (here / "full" / "old.txt").write_text("x")
    (here / "old.txt").write_text("x")
    (here / "stopped.jsonl.journal").write_text("{}")
    before = names(here)
    with pytest.raises(InnominateError, match=says):
        run(*arguments)
    assert names(here) == before


# --- what a terminal shows


def test_detect_prints_its_spans_without_an_output(here):
    shown = run("detect", "note.txt", *FRENCH)
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    assert lines[0] == "note"
    assert lines[1].split()[:3] == ["18.03.2022", "DATE", "6:16"]
    assert lines[2].split()[:3] == ["9h30", "TEMPS", "19:23"]
    assert names(here) == {"note.txt"}


def test_they_are_in_colour_on_a_terminal(here, monkeypatch):
    from rich.console import Console

    from innominate.cli import detect

    console = Console(force_terminal=True, color_system="truecolor", highlight=False)
    monkeypatch.setattr(detect, "stdout", console)
    with console.capture() as captured:
        run("detect", "note.txt", *FRENCH)
    assert "\x1b[30;48;2;" in captured.get()


def test_a_note_that_cannot_be_looked_at_is_named(here):
    (here / "bad.jsonl").write_text('{"id": "b", "text": "Rochat", "spans": [[0, 99, "X"]]}')
    shown = run("detect", "bad.jsonl", *FRENCH)
    assert shown.exit_code == 1
    assert "withheld: b" in shown.stderr
    assert "Rochat" not in shown.output


def test_the_version_is_printed():
    done = subprocess.run([sys.executable, "-m", "innominate", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"innominate {innominate.__version__}\n"


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("innominate de", {"deidentify", "detect"}),
        ("innominate detect --ex", {"--explain"}),
        ("innominate campaign si", {"simulate"}),
        ("innominate keys ", {"new", "show"}),
    ],
)
def test_a_shell_completes_commands_and_options(words, wanted):
    typed = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1), "_INNOMINATE_COMPLETE": "complete_bash"}
    done = subprocess.run(
        [sys.executable, "-m", "innominate"], env={**os.environ, **typed}, capture_output=True, text=True, check=False
    )
    assert set(done.stdout.split()) == wanted


def test_completion_is_offered_for_the_shell():
    shown = CliRunner().invoke(app, ["--help"]).output
    assert "--install-completion" in shown
