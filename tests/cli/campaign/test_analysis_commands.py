"""`campaign analyse`, `reference` and `feedback` as a manager gives them."""

import json
import sqlite3
from pathlib import Path

import pytest
from smtp_server import Inbox, LocalController
from typer.testing import CliRunner

from innominate.cli.app import app
from innominate.core import UsageError
from innominate.formats import read_documents

EXAMPLE = Path(__file__).parents[3] / "examples" / "campaign"


def run(*arguments):
    return CliRunner().invoke(app, ["campaign", *map(str, arguments)])


@pytest.fixture
def contest(tmp_path):
    place = tmp_path / "contest.db"
    for done in (run("new", EXAMPLE / "contest.toml", "-o", place), run("import", place, EXAMPLE / "prodigy.jsonl")):
        assert done.exit_code == 0, done.output
    return place


def test_analyse_writes_results_and_pages_without_a_word_of_the_notes(contest, tmp_path):
    done = run("analyse", contest, "-o", tmp_path / "out", "--workers", "1")
    assert done.exit_code == 0, done.output
    assert "gamma per sample" in done.output
    assert max(map(len, done.output.splitlines())) <= 100
    result = json.loads((tmp_path / "out" / "analysis.json").read_text(encoding="utf-8"))
    board = json.loads((tmp_path / "out" / "scoreboard.json").read_text(encoding="utf-8"))
    assert result["tasks"]["n"] == sum(row["tasks"] for row in board["individuals"]) == 27
    assert result["parameters"]["sample"]["seed"] == 4577
    assert {row["name"] for row in board["teams"]} == {"gnocchi", "farfalle"}
    texts = [json.loads(line)["text"] for line in (EXAMPLE / "prodigy.jsonl").read_text(encoding="utf-8").splitlines()]
    for name in ("analysis.json", "analysis.html", "scoreboard.json", "scoreboard.html"):
        written = (tmp_path / "out" / name).read_text(encoding="utf-8")
        assert all(line not in written for text in texts for line in text.splitlines() if len(line) > 12)


def test_from_the_queue_to_a_whole_reference(contest, tmp_path):
    """What two annotators do not agree on is left out, decided, and then in."""
    first = run("reference", contest, "-o", tmp_path / "first.jsonl", "--workers", "1")
    assert first.exit_code == 0, first.output
    waiting = (tmp_path / "first.jsonl.decisions.jsonl").read_text(encoding="utf-8").splitlines()
    settled = {document.id for document in read_documents(tmp_path / "first.jsonl")}
    lines = [json.loads(line) for line in waiting]
    assert lines
    assert not settled & {line["sample"] for line in lines}

    decided = tmp_path / "decided.jsonl"
    keep = {True: "keep", False: "drop"}
    answers = [{**line, "decision": keep[number % 2 == 0], "by": "mk"} for number, line in enumerate(lines)]
    decided.write_text("".join(json.dumps(line) + "\n" for line in answers), encoding="utf-8")
    place = tmp_path / "second.jsonl"
    second = run("reference", contest, "-o", place, "--corrections", decided, "--workers", "1")
    assert second.exit_code == 0, second.output
    documents = {document.id: document for document in read_documents(place)}
    assert (tmp_path / "second.jsonl.decisions.jsonl").read_text(encoding="utf-8") == ""
    assert settled < documents.keys()
    for line in answers:
        spans = {(span.start, span.end, span.label) for span in documents[line["sample"]].spans}
        assert ((*line["segment"], line["category"]) in spans) == (line["decision"] == "keep")
    meta = documents[lines[0]["sample"]].meta
    assert meta["n_annotators"] == len(meta["annotators"]) == 2
    assert meta["gamma"] < 1
    assert any(alignment["corrected"] for alignment in meta["alignments"])


def test_provisional_has_every_sample_as_the_votes_stand(contest, tmp_path):
    run("reference", contest, "-o", tmp_path / "all.jsonl", "--provisional", "--workers", "1")
    documents = list(read_documents(tmp_path / "all.jsonl"))
    assert len(documents) == 14
    assert any(document.meta["pending"] for document in documents)


def test_decisions_are_not_overwritten(contest, tmp_path):
    run("reference", contest, "-o", tmp_path / "r.jsonl", "--workers", "1")
    place = tmp_path / "r.jsonl.decisions.jsonl"
    place.write_text(place.read_text(encoding="utf-8").replace('"decision": ""', '"decision": "keep"', 1), encoding="utf-8")
    before = place.read_bytes()
    done = run("reference", contest, "-o", tmp_path / "r.jsonl", "--workers", "1")
    assert isinstance(done.exception, UsageError)
    assert place.read_bytes() == before


def test_a_bad_corrections_file_is_listed_by_line_and_the_rest_goes_on(contest, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text('nonsense\n{"sample": "dossier#1", "at": [0, 1], "segment": null}\n', encoding="utf-8")
    done = run("reference", contest, "-o", tmp_path / "r.jsonl", "--corrections", bad, "--workers", "1")
    assert done.exit_code == 1, done.output
    said = " ".join(done.stderr.split())
    assert "bad.jsonl:1: this is not a JSON object" in said
    assert "bad.jsonl:2: 0..1 of sample 'dossier#1' names no alignment" in said
    assert (tmp_path / "r.jsonl").is_file()


def test_feedback_for_everybody_and_a_dry_run_by_default(contest, tmp_path):
    mail = tmp_path / "mail.toml"
    mail.write_text('[mail]\nhost = "localhost"\nsender = "contest@example.org"\nport = 1\nsecurity = "none"\n')
    done = run("feedback", contest, "-o", tmp_path / "out", "--mail", mail, "--workers", "1")
    assert done.exit_code == 0, done.output
    assert "nothing was sent" in done.stderr
    assert sorted(path.name for path in (tmp_path / "out").glob("*.txt")) == [
        f"{name}.txt" for name in ("linguine", "srock", "whatever", "zarp")
    ]
    text = (tmp_path / "out" / "srock.txt").read_text(encoding="utf-8")
    assert text.startswith("Annotation Contest Feedback\nAuto-Generated Report\n")
    assert "PERSONNES:LIEN_DE_PARENTÉ" in text
    assert "Text span: " in (tmp_path / "out" / "zarp.txt").read_text(encoding="utf-8")


def test_a_store_that_somebody_sent_cannot_choose_where_files_are_written(contest, tmp_path):
    with sqlite3.connect(contest) as connection:
        tables = [name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")]
        for (trigger,) in connection.execute("select name from sqlite_master where type = 'trigger'").fetchall():
            connection.execute(f"drop trigger {trigger}")
        for table in tables:
            columns = [row[1] for row in connection.execute(f"pragma table_info({table})")]
            for column in {"annotator", "id"} & set(columns):
                connection.execute(f"update {table} set {column} = '../../escaped' where {column} = 'srock'")
            if "data" in columns:
                connection.execute(f"""update {table} set data = replace(data, '"srock"', '"../../escaped"')""")
    (tmp_path / "deep" / "er").mkdir(parents=True)
    for command, output in (("feedback", "out"), ("export", "answers")):
        run(command, contest, "-o", tmp_path / "deep" / "er" / output, *(("--workers", "1") if command == "feedback" else ()))
        written = list((tmp_path / "deep" / "er" / output).iterdir())
        assert any("%2E%2E%2F%2E%2E%2Fescaped" in path.name for path in written)
    assert not list(tmp_path.glob("escaped*")) + list(tmp_path.glob("deep/escaped*"))


def test_send_needs_a_server(contest, tmp_path):
    assert isinstance(run("feedback", contest, "-o", tmp_path / "out", "--send").exception, UsageError)


def test_feedback_is_sent_and_a_failure_is_said(contest, tmp_path):
    """The server does not know Ben, who is zarp; the other three get their mail."""
    inbox = Inbox(refuse="ben@")
    server = LocalController(inbox)
    server.start()
    try:
        mail = tmp_path / "mail.toml"
        mail.write_text(
            f'[mail]\nhost = "127.0.0.1"\nsender = "contest@example.org"\nport = {server.port}\nsecurity = "none"\n'
        )
        done = run("feedback", contest, "-o", tmp_path / "out", "--mail", mail, "--send", "--workers", "1")
    finally:
        server.stop()
    assert done.exit_code == 1
    assert "3 of 4 mails sent" in done.stderr
    assert "not sent to zarp <ben@hospital.example>: the server refused the address (550)" in " ".join(done.stderr.split())
    reports = {mail["To"]: mail.get_body(["plain"]).get_content() for mail in inbox.mails}
    people = {"anna": "linguine", "chloe": "whatever", "dario": "srock"}
    assert reports.keys() == {f"{name}@hospital.example" for name in people}
    for name, who in people.items():
        assert f"Annotator: {who}" in reports[f"{name}@hospital.example"]
