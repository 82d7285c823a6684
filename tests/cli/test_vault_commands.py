"""The vault from the command line: written beside a run, opened again for a reason."""

import json
import os
import pwd

import pytest
from test_concealment import FIRST, SECOND, done, read_notes, run, write_notes

from innominate.conceal.keys import new_key
from innominate.conceal.vault import Vault
from innominate.core import InnominateError

WORDS = "correct horse battery"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    new_key(tmp_path / "k.key")
    (tmp_path / "words").write_text(WORDS + "\n")
    write_notes(tmp_path / "in.jsonl", ("7", FIRST), ("7", SECOND))
    options = ["--policy", "pseudo", "--key", "k.key", "--vault", "v.vault", "--passphrase-file", "words", "--keep-ids"]
    done("conceal", "in.jsonl", "-o", "out.jsonl", *options)
    return tmp_path


def test_originals_are_put_back_for_a_reason_that_is_recorded(here):
    options = ["--vault", "v.vault", "--passphrase-file", "words"]
    done("reidentify", "out.jsonl", "-o", "back.jsonl", "--id", "n2", *options, input="incidental finding in the trial\n")
    assert list(read_notes(here / "back.jsonl")) == ["n2"]
    assert read_notes(here / "back.jsonl")["n2"]["text"] == read_notes(here / "in.jsonl")["n2"]["text"]
    log = done("reidentify", *options, "--log").output
    assert "incidental finding in the trial" in log
    assert "n2" in log
    assert "n1" not in log


def test_without_a_reason_nothing_is_shown(here):
    options = ["--vault", "v.vault", "--passphrase-file", "words", "--reason", "why"]
    result = run("reidentify", "out.jsonl", "-o", "back.jsonl", *options)
    assert "needs a reason" in str(result.exception)
    assert not (here / "back.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["out.jsonl", "-o", "back.jsonl", "--vault", "none.vault"], "no vault none.vault"),
        (["out.jsonl", "-o", "back.jsonl", "--vault", "v.vault"], "passphrase is wrong"),
        (["--vault", "v.vault"], "name the concealed notes"),
        (["in.jsonl", "-o", "back.jsonl", "--vault", "v.vault", "--passphrase-file", "words"], "is not the text"),
        (["out.jsonl", "-o", "b", "--id", "n9", "--vault", "v.vault", "--passphrase-file", "words"], "no document 'n9'"),
    ],
)
def test_what_does_not_fit_is_refused(here, arguments, says):
    reason = ["--reason", "incidental finding"] if "words" in arguments else []
    result = run("reidentify", *arguments, *reason, env={"INNOMINATE_PASSPHRASE": "another passphrase"})
    assert isinstance(result.exception, InnominateError)
    assert says in str(result.exception)
    assert not (here / "back.jsonl").exists()


def test_a_second_run_into_one_vault_is_refused_and_writes_nothing(here):
    options = ["--vault", "v.vault", "--passphrase-file", "words"]
    before = (here / "v.vault").read_bytes()
    with Vault.open(here / "v.vault", WORDS):
        refused = run("conceal", "in.jsonl", "-o", "second.jsonl", *options)
        assert "being written by another run" in str(refused.exception)
        assert "nobody was re-identified" in done("reidentify", *options, "--log").output
    assert (here / "v.vault").read_bytes() == before
    assert not list(here.glob("second*"))


def test_an_access_bears_the_name_that_the_system_knows(here):
    options = ["--vault", "v.vault", "--passphrase-file", "words"]
    names = dict.fromkeys(("LOGNAME", "USER", "LNAME", "USERNAME"), "somebody-else")
    done("reidentify", "out.jsonl", "-o", "back.jsonl", "--reason", "incidental finding", *options, env=names)
    log = done("reidentify", *options, "--log").output
    assert pwd.getpwuid(os.getuid()).pw_name in log
    assert "somebody-else" not in log


@pytest.mark.parametrize(
    ("output", "written"),
    [("back.jsonl", "back.jsonl"), ("back", "back"), ("sqlite:///back.db?table=notes", "back.db")],
)
def test_originals_can_be_read_by_their_owner_alone(here, output, written):
    options = ["--vault", "v.vault", "--passphrase-file", "words", "--reason", "incidental finding"]
    done("reidentify", "out.jsonl", "-o", output, *options, *(["--to", "text"] if output == "back" else []))
    path = here / written
    assert {oct(each.stat().st_mode & 0o077) for each in (path, *path.rglob("*"))} == {"0o0"}


@pytest.mark.parametrize(("output", "open_to_all"), [("back", "back"), ("sqlite:///back.db?table=notes", "back.db")])
def test_originals_go_into_nothing_that_others_can_read(here, output, open_to_all):
    options = ["--vault", "v.vault", "--passphrase-file", "words", "--reason", "incidental finding"]
    (here / "back").mkdir(mode=0o755)
    (here / "back.db").touch(mode=0o644)
    refused = run("reidentify", "out.jsonl", "-o", output, *options)
    assert f"others can read {open_to_all}" in str(refused.exception)
    assert "nobody was re-identified" in done("reidentify", *options[:4], "--log").output


def test_the_passphrase_is_asked_for_and_never_stored(here):
    asked = run("conceal", "in.jsonl", "-o", "b.jsonl", "--vault", "new.vault", input=f"{WORDS}\n{WORDS}\n")
    assert asked.exit_code == 0, asked.output
    assert WORDS not in asked.output
    for path in here.iterdir():
        if path.name != "words":
            assert WORDS not in path.read_text()
            assert "Christiansen" not in path.read_text() or path.name == "in.jsonl"
    assert json.loads((here / "b.jsonl.run.json").read_text())["concealment"]["vault"] == "new.vault"


def test_a_vault_is_added_to_by_the_next_run_and_a_wrong_passphrase_writes_nothing(here):
    write_notes(here / "more.jsonl", ("9", "[Paul](PATIENT_E)"))
    result = run("conceal", "more.jsonl", "-o", "c.jsonl", "--vault", "v.vault", env={"INNOMINATE_PASSPHRASE": "wrong words"})
    assert "passphrase is wrong" in str(result.exception)
    assert not (here / "c.jsonl").exists()
    done("conceal", "more.jsonl", "-o", "c.jsonl", "--vault", "v.vault", env={"INNOMINATE_PASSPHRASE": WORDS})
    options = ["--vault", "v.vault", "--passphrase-file", "words", "--reason", "incidental finding"]
    done("reidentify", "c.jsonl", "-o", "back.jsonl", *options)
    assert read_notes(here / "back.jsonl")["n1"]["text"] == "Paul"
