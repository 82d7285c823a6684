"""The run record as an audit trail: what it tells, its chain, and that `doctor --record` notices what does not fit."""

import json
import sys

import pytest
from test_concealment import done, run

from innominate.conceal.keys import new_key
from innominate.run.audit import hash_record
from innominate.run.batch import Tally
from innominate.run.inputs import Inputs
from innominate.run.job import Job
from innominate.run.materials import hash_materials
from innominate.run.settings import Settings

NOTES = [
    {"id": "n1", "text": "Vu [le].", "spans": [{"start": 0, "end": 2, "label": "NOM"}], "meta": {"lang": "fr"}},
    {
        "id": "n2",
        "text": "Eva is 45.",
        "spans": [{"start": 0, "end": 3, "label": "PATIENT"}, {"start": 7, "end": 9, "label": "AGE"}],
    },
]
POLICY = 'title = "Ages stay"\nstrategy = "class"\n\n[labels]\nAGE = "keep"\n'


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    new_key(tmp_path / "k.key")
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(note) + "\n" for note in NOTES) + "no json\n")
    return tmp_path


def conceal(*more):
    assert run("conceal", "in.jsonl", "-o", "out.jsonl", "--key", "k.key", *more).exit_code == 1  # one is not read


def record_of(here, name="out.jsonl.run.json"):
    return json.loads((here / name).read_text())


def doctor(record="out.jsonl.run.json"):
    result = run("doctor", "--record", record)
    return result.exit_code, " ".join(result.output.split())


def test_a_record_tells_what_became_of_each_label_and_what_it_was_made_with(here, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["innominate", "conceal", "in.jsonl", "-o", "out.jsonl", "--key", "k.key"])
    conceal("--policy", "class")
    record = record_of(here)
    assert record["concealment"]["labels"] == {"AGE": {"class": 1}, "NOM": {"class": 1}, "PATIENT": {"class": 1}}
    assert record["formats"] == {"jsonl": 2, "not read": 1}
    assert sum(record["languages"].values()) == 2
    assert record["languages"]["fr"] >= 1
    assert record["command"] == ["innominate", "conceal", "in.jsonl", "-o", "out.jsonl", "--key", "k.key"]
    assert record["starts"] == [record["started"]]
    assert {len(record["made_with"][what]) for what in ("code", "rules_and_lists")} == {64}
    assert record["made_with"]["models"] == {}  # nothing is detected
    secret = (here / "k.key").read_text().split()
    assert not [word for word in secret if len(word) > 20 and word in json.dumps(record)]


def test_what_a_policy_keeps_is_counted(here):
    (here / "ages.toml").write_text(POLICY)
    conceal("--policy", "ages.toml")
    assert record_of(here)["concealment"]["labels"]["AGE"] == {"keep": 1}
    assert "AGE: 1 kept as they were" in doctor()[1]


def test_models_and_own_files_are_known_by_their_hash(here):
    (here / "known.csv").write_text("patient,name\n7,Eva\n")
    one = hash_materials(Settings(patients="known.csv"), "deidentify")
    assert list(one["models"]) == ["detect/contextual/models/student"]
    (here / "known.csv").write_text("patient,name\n7,Evo\n")
    two = hash_materials(Settings(patients="known.csv"), "deidentify")
    assert one["own"]["patients"] != two["own"]["patients"]
    assert one["models"] == two["models"]


def test_files_that_a_shell_has_listed_and_passwords_are_not_in_the_command(here, monkeypatch):
    for name in ("700169.txt", "700170.txt"):
        (here / name).write_text("slept.")
    sources = ("700169.txt", "700170.txt")
    typed = (
        "innominate",
        "conceal",
        "--resume",
        *sources,
        "--to-option=url=postgresql://eva:pw@db/x",
        "--option",
        "password=pw",
    )
    Job("conceal", Inputs(sources), "out", Settings(lang="en"), command=typed).run()
    shown = record_of(here, "out.run.json")["command"]
    assert shown == [
        "innominate",
        "conceal",
        "--resume",
        "2 files",
        "--to-option=url=postgresql://db/x",
        "--option",
        "password=...",
    ]


def test_every_resume_is_in_the_record_with_its_time(here, monkeypatch):
    job = Job("conceal", Inputs(("in.jsonl",)), "out.jsonl", Settings(lang="en"))
    times = iter(["first", "second", "third", "the end"])
    monkeypatch.setattr("innominate.run.job._now", lambda: next(times))
    for resume in (False, True):
        with monkeypatch.context() as context:
            context.setattr(Tally, "add", lambda *_: (_ for _ in ()).throw(OSError("killed")))
            with pytest.raises(OSError, match="--resume"):
                Job(**{**vars(job), "resume": resume}).run()
    Job(**{**vars(job), "resume": True}).run()
    record = record_of(here)
    assert (record["starts"], record["started"], record["ended"]) == (["first", "second", "third"], "first", "the end")
    assert "resumed 2 times: second, third" in doctor()[1]


def test_doctor_explains_a_record_and_finds_that_all_fits(here):
    conceal()
    code, says = doctor()
    assert code == 0
    assert "Of 3 notes 2 were written and 1 withheld." in says
    assert "PATIENT: 1 by class" in says
    assert "out.jsonl has the bytes that were written" in says


def change_output(here):
    (here / "out.jsonl").write_text((here / "out.jsonl").read_text().replace("AGE", "age"))


def delete_output(here):
    (here / "out.jsonl").unlink()


def change_record(here, **fields):
    record = {**record_of(here), **fields}
    (here / "out.jsonl.run.json").write_text(json.dumps(record))


def change_counts_and_hash(here):
    record = {**record_of(here), "notes": {"in": 9, "out": 2, "quarantined": 1}}
    change_record(here, **{**record, "sha256": hash_record(record)})


@pytest.mark.parametrize(
    ("tamper", "says"),
    [
        (change_output, "out.jsonl is NOT what was written"),
        (delete_output, "out.jsonl is not here"),
        (lambda here: change_record(here, started="2001-01-01"), "the record was changed after it was written"),
        (lambda here: change_record(here, previous=None), "the record was changed after it was written"),
        (change_counts_and_hash, "notes in are NOT notes out"),
    ],
)
def test_what_does_not_fit_is_said_with_exit_code_1(here, tamper, says):
    conceal()
    (here / "out.jsonl").unlink()
    conceal("--policy", "mask")
    assert doctor()[0] == 0
    tamper(here)
    code, output = doctor()
    assert code == 1
    assert says in output


def test_a_record_holds_the_one_before_it_and_notices_a_change_there(here):
    conceal()
    first = record_of(here)
    (here / "out.jsonl").unlink()
    conceal("--policy", "mask")
    second = record_of(here)
    assert second["previous"] == first
    second["previous"]["notes"]["out"] = 7
    second["sha256"] = hash_record(second)
    change_record(here, **second)
    code, says = doctor()
    assert code == 1
    assert "record 1 before it was changed" in says


def test_a_folder_has_one_hash_that_knows_every_file(here):
    (here / "notes").mkdir()
    for name in ("a", "b"):
        (here / "notes" / f"{name}.txt").write_text("slept.")
    done("conceal", "notes", "-o", "clean", "--lang", "en")
    assert doctor("clean.run.json")[0] == 0
    next((here / "clean").iterdir()).rename(here / "clean" / "other.txt")
    assert doctor("clean.run.json")[0] == 1


@pytest.mark.parametrize(
    ("content", "says"), [("{", "no JSON"), ("[]", "is not a run record"), ('{"a": 1}', "is not a run record")]
)
def test_what_is_no_record_is_refused(here, content, says):
    (here / "x.json").write_text(content)
    assert says in str(run("doctor", "--record", "x.json").exception)
    assert "cannot read the run record" in str(run("doctor", "--record", "none.json").exception)
