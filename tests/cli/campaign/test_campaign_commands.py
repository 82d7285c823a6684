"""The commands as a manager gives them."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from innominate.cli.app import app
from innominate.core import UsageError
from innominate.formats import read_documents

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples" / "campaign"


def run(*arguments):
    return CliRunner().invoke(app, ["campaign", *map(str, arguments)])


@pytest.fixture
def contest(tmp_path):
    done = run("new", EXAMPLE / "contest.toml", "-o", tmp_path / "contest.db")
    assert done.exit_code == 0, done.output
    return tmp_path / "contest.db"


def numbers(contest):
    return json.loads(run("status", contest, "--json").output)


def test_from_notes_to_answers_and_back_to_notes(contest, tmp_path):
    done = run("import", contest, EXAMPLE / "prodigy.jsonl")
    assert done.exit_code == 0, done.output
    found = numbers(contest)
    assert found["total"] == {"name": "all", "tasks": 27, "goal": 56, "share": 27 / 56}
    assert [(team["name"], team["tasks"], team["goal"]) for team in found["teams"]] == [
        ("farfalle", 15, 32),
        ("gnocchi", 12, 24),
    ]
    assert found["chunks_by_annotators"] == {"0": 0, "1": 1, "2": 13}
    shown = run("status", contest).output
    assert "linguine" in shown
    assert "67%" in shown
    assert max(map(len, shown.splitlines())) <= 80

    assert run("export", contest, "-o", tmp_path / "answers").exit_code == 0
    assert sorted(path.name for path in (tmp_path / "answers").iterdir()) == [
        f"{name}.jsonl" for name in ("linguine", "srock", "whatever", "zarp")
    ]
    done = run("export", contest, "-o", tmp_path / "brat", "--to", "brat", "--annotator", "zarp", "--documents", "--partial")
    assert done.exit_code == 0, done.output
    originals = {document.id: document.text for document in read_documents(ROOT / "samples" / "fr")}
    documents = list(read_documents(tmp_path / "brat"))
    assert documents
    for document in documents:
        assert document.text == originals[document.id]


def test_the_reference_is_exported_from_a_file_of_chunks(contest, tmp_path):
    assert run("export", contest, "-o", tmp_path / "tasks.jsonl", "--tasks").exit_code == 0
    done = run(
        "export", contest, "-o", tmp_path / "gold", "--to", "i2b2", "--reference", tmp_path / "tasks.jsonl", "--documents"
    )
    assert done.exit_code == 0, done.output
    assert len(list(read_documents(tmp_path / "gold"))) == 3
    (tmp_path / "other.jsonl").write_text('{"id": "lettre_de_sortie#1", "text": "Eva"}\n')
    refused = run("export", contest, "-o", tmp_path / "x", "--reference", tmp_path / "other.jsonl")
    assert isinstance(refused.exception, UsageError)


def test_everything_goes_out_and_into_another_store(contest, tmp_path):
    run("import", contest, EXAMPLE / "prodigy.jsonl")
    assert run("export", contest, "-o", tmp_path / "all.jsonl", "--to", "answers").exit_code == 0
    assert run("new", EXAMPLE / "contest.toml", "-o", tmp_path / "again.db").exit_code == 0
    assert run("import", tmp_path / "again.db", tmp_path / "all.jsonl").exit_code == 0
    assert numbers(tmp_path / "again.db") == numbers(contest)


def test_what_is_kept_out_is_listed_and_the_exit_code_says_so(contest, tmp_path):
    good, *_ = (EXAMPLE / "prodigy.jsonl").read_text(encoding="utf-8").splitlines()
    bad = json.dumps({**json.loads(good), "_session_id": "nobody_gnocchi"})
    (tmp_path / "x.jsonl").write_text(f"{good}\n{bad}\n", encoding="utf-8")
    done = run("import", contest, tmp_path / "x.jsonl")
    assert done.exit_code == 1
    assert "x.jsonl:2: the annotator 'nobody_gnocchi' is not registered" in done.output.replace("\n", "")
    assert numbers(contest)["total"]["tasks"] == 1


def test_a_campaign_changes_while_it_runs(contest, tmp_path):
    folder = tmp_path / "changed"
    folder.mkdir()
    text = (EXAMPLE / "contest.toml").read_text().replace("../../samples/fr", str(ROOT / "samples"))
    (folder / "contest.toml").write_text(text.replace("goal = 12", "goal = 30"))
    sheet = (EXAMPLE / "registration.csv").read_text()
    (folder / "registration.csv").write_text(sheet + "gogi,gnocchi,,,\n")
    (folder / "guidelines.md").write_text("# Second version\n")
    (folder / "training.txt").write_text((EXAMPLE / "training.txt").read_text())
    # the notes of the samples have other ids from above, so all are new; the one for training is there already
    done = run("update", contest, folder / "contest.toml")
    assert done.exit_code == 0, done.output
    found = numbers(contest)
    assert (found["guidelines"], len(found["annotators"]), found["total"]["goal"]) == (2, 5, 140)
    assert found["chunks"] > 30
    again = run("update", contest, folder / "contest.toml")
    assert "choices as before, 0 annotators new or changed, 0 new notes" in " ".join(again.output.split())


def test_nothing_is_left_behind_by_a_campaign_that_could_not_be_made(tmp_path):
    (tmp_path / "c.toml").write_text(
        'name="c"\ntaxonomy="chuv"\nnotes=["a.jsonl"]\n[training]\nnotes=["b.jsonl"]\n[[annotators]]\nid="e"\nteam="t"\n'
    )
    (tmp_path / "a.jsonl").write_text('{"id": "n", "text": "Eva"}\n')
    (tmp_path / "b.jsonl").write_text('{"id": "n", "text": "Ola"}\n')
    refused = run("new", tmp_path / "c.toml")
    assert "another text" in str(refused.exception)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "b.jsonl", "c.toml"]
    (tmp_path / "b.jsonl").write_text('{"id": "m", "text": "Ola"}\n')
    assert run("new", tmp_path / "c.toml").exit_code == 0
    assert "there already" in str(run("new", tmp_path / "c.toml").exception)


def test_a_note_that_cannot_be_kept_is_left_out_and_the_rest_goes_on(tmp_path):
    (tmp_path / "c.toml").write_text('name="c"\ntaxonomy="chuv"\nnotes=["a.jsonl"]\n[[annotators]]\nid="e"\nteam="t"\n')
    (tmp_path / "a.jsonl").write_text('{"id": "n\\u0000", "text": "Eva"}\n{"id": "m"}\n{"id": "k", "text": "Ola"}\n')
    done = run("new", tmp_path / "c.toml")
    assert done.exit_code == 1
    assert done.output.count("left out:") == 2
    assert numbers(tmp_path / "c.db")["documents"] == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["status", "nowhere.db"], "no such store"),
        (["new", "nowhere.toml"], "nowhere.toml"),
        (["export", "nowhere.db", "-o", "x", "--tasks", "--annotator", "eva"], "choose one"),
        (["import", "nowhere.db", "x"], "no such store"),
    ],
)
def test_wrong_use_is_explained(arguments, says):
    assert says in str(run(*arguments).exception)
