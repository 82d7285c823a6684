"""A campaign from the first suggestion to the last mail, by the command line alone; the size of the thesis is a benchmark."""

import json

import pytest
from smtp_server import Inbox, LocalController
from typer.testing import CliRunner

from innominate.cli.app import app
from innominate.core import annotated
from innominate.formats import read_documents

NOTE = annotated("vu le [3 mai](DATE) à [Nyon](EMPLACEMENT_GÉOGRAPHIQUE) par [Rochat](PERSONNEL_MÉDICAL) ce jour", id="n")
PLAN = """
name = "crossed"
taxonomy = "chuv"
notes = ["notes.jsonl"]
annotators_per_chunk = 0
goal = 40
annotators = [
    {id = "eva", team = "gnocchi", email = "eva@hospital.example"},
    {id = "ola", team = "gnocchi", email = "ola@hospital.example"},
    {id = "siv", team = "farfalle", email = "siv@hospital.example"},
]
[[conditions]]
name = "plain"
retention = 0.0
[[conditions]]
name = "spoilt"
retention = 1.0
perturbation = 0.5
"""


def run(*arguments, code=0):
    done = CliRunner().invoke(app, ["campaign", *map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    """Three people on 40 chunks; each sees suggestions on every other one, half of them spoilt."""
    folder = tmp_path_factory.mktemp("crossed")
    record = {"text": NOTE.text, "spans": [{"start": s.start, "end": s.end, "label": s.label} for s in NOTE.spans]}
    lines = [json.dumps({"id": f"d{n}", **record}) + "\n" for n in range(40)]
    (folder / "notes.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / "plan.toml").write_text(PLAN, encoding="utf-8")
    run("simulate", folder / "plan.toml", "-o", folder / "sim", "--lang", "fr")
    return folder / "sim"


@pytest.fixture
def store(simulated):
    return simulated / "campaign.db"


def test_estimates_of_a_crossed_over_design(simulated):
    found = {one["name"]: one for one in read(simulated / "simulation.json")["estimates"]}
    assert 110 < found["tasks"]["truth"] == found["tasks"]["estimate"] <= 120  # a few are ignored
    for name in ("plain", "spoilt"):
        assert found[f"group crossed over, {name}: seconds per task"]["error"] == pytest.approx(0, abs=1.5)
    assert found["reference recall, all decided"]["estimate"] >= found["reference recall, all samples"]["estimate"]
    assert found["marks that are nothing, all decided, by annotator"]["error"] == pytest.approx(0, abs=0.01)


def test_agreement_is_worked_out_once(store, tmp_path, monkeypatch):
    """The simulation has analysed already, so no other command works out a gamma."""

    def never(*_):
        raise AssertionError("worked out again")

    monkeypatch.setattr("innominate.campaign.agreement.many.compute_gamma", never)
    run("analyse", store, "-o", tmp_path / "analysis")
    run("reference", store, "-o", tmp_path / "reference.jsonl")
    run("feedback", store, "-o", tmp_path / "feedback")
    with pytest.raises(AssertionError, match="worked out again"):
        run("analyse", store, "--seed", "1", "--workers", "1")


def test_scoreboard(store, tmp_path):
    run("analyse", store, "-o", tmp_path, "--workers", "1")
    board = read(tmp_path / "scoreboard.json")
    people = {row["name"]: row for row in board["individuals"]}
    assert people.keys() == {"eva", "ola", "siv"}
    assert board["goal"]["of"] == 120
    assert (
        board["goal"]["tasks"]
        == sum(row["tasks"] for row in people.values())
        == read(tmp_path / "analysis.json")["tasks"]["n"]
    )
    assert min(row["total_rank"] for row in people.values()) == 1
    assert all(0.5 < row["quality"] <= 1 for row in people.values())
    assert {row["name"] for row in board["teams"]} == {"gnocchi", "farfalle"}
    page = (tmp_path / "scoreboard.html").read_text(encoding="utf-8")
    assert all(name in page for name in (*people, "gnocchi", "farfalle"))


def test_experiment(store, tmp_path):
    run("experiment", store, "-o", tmp_path, "--rule", "any")
    (group,) = read(tmp_path / "experiment.json")["groups"].values()
    timed = {name: one["tasks"] for name, one in group["conditions"].items()}  # all but everybody's first and breaks
    assert timed.keys() == {"plain", "spoilt"}
    assert all(50 < tasks <= 60 for tasks in timed.values())
    assert sum(timed.values()) <= 117
    assert group["models"]["duration"]["annotators"] == 3
    assert "spoilt" in (tmp_path / "experiment.html").read_text(encoding="utf-8")


def test_decisions_then_sets(store, tmp_path):
    run("reference", store, "-o", tmp_path / "first.jsonl")
    queue = tmp_path / "first.jsonl.decisions.jsonl"
    decided = tmp_path / "decided.jsonl"
    decided.write_text(queue.read_text(encoding="utf-8").replace('"decision": ""', '"decision": "keep"'), encoding="utf-8")
    run("reference", store, "-o", tmp_path / "all.jsonl", "--corrections", decided)
    assert len(list(read_documents(tmp_path / "all.jsonl"))) == 40
    run("split", tmp_path / "all.jsonl", "-o", tmp_path / "sets")
    sets = read(tmp_path / "sets" / "split.json")["methods"]["rare-first"]["sets"]
    assert not sets["test"]["below"]
    assert sets["test"]["gamma"] >= sets["training"]["gamma"]


def test_feedback_on_paper_and_by_mail(store, tmp_path):
    inbox = Inbox()
    server = LocalController(inbox)
    server.start()
    try:
        mail = tmp_path / "mail.toml"
        mail.write_text(
            f'[mail]\nhost = "127.0.0.1"\nsender = "c@hospital.example"\nport = {server.port}\nsecurity = "none"\n'
        )
        run("feedback", store, "-o", tmp_path / "out", "--mail", mail, "--send")
    finally:
        server.stop()
    assert {mail["To"] for mail in inbox.mails} == {f"{who}@hospital.example" for who in ("eva", "ola", "siv")}
    for letter in inbox.mails:
        who = letter["To"].partition("@")[0]
        written = (tmp_path / "out" / f"{who}.txt").read_text(encoding="utf-8")
        assert letter.get_body(["plain"]).get_content().split() == written.split()
        page = (tmp_path / "out" / f"{who}.html").read_text(encoding="utf-8")
        assert f"Annotator: {who}" in written
        assert who in page
        assert letter.get_body(["html"]).get_content().split() == page.split()
