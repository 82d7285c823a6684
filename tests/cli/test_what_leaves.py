"""What lies around a note and leaves with it, or does not: spans, ids and names of files, metadata."""

import json

import pytest
from test_concealment import FIRST, SECOND, done, run, write_notes

from innominate.conceal.keys import HEADER

PSEUDO = ("--policy", "pseudo", "--key", "k.key")


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.key").write_text(f"{HEADER}\n{bytes(range(32)).hex()}\n")
    write_notes(tmp_path / "in.jsonl", ("7", FIRST), ("7", SECOND))
    return tmp_path


# --- spans


@pytest.mark.parametrize(
    "to", ["jsonl", "csv", "doccano", "prodigy", "label-studio", "conll", "brat", "i2b2", "text", "mimic"]
)
def test_beside_pseudonyms_no_span_says_which_words_are_false(here, to):
    done("conceal", "in.jsonl", "-o", "out", "--to", to, *PSEUDO)
    assert not list(here.glob("out*spans*"))
    written = [path for path in (here / "out", *(here / "out").rglob("*")) if path.is_file()]
    assert written
    for path in written:
        told = path.read_text()
        assert "pseudo" not in told.replace("out", "")
        assert not any(label in told for label in ("PATIENT_E", "DATE", "[**"))
    record = json.loads((here / "out.run.json").read_text())
    assert record["spans"] == {"PATIENT_E": 2, "DATE": 3, "EMPLACEMENT_GÉOGRAPHIQUE": 1, "IPP": 1}


@pytest.mark.parametrize("to", ["jsonl", "brat", "text"])
@pytest.mark.parametrize("policy", ["pseudo", "class"])
def test_spans_go_into_a_file_of_the_owner_if_one_is_named(here, to, policy):
    done("conceal", "in.jsonl", "-o", "out", "--to", to, "--policy", policy, "--key", "k.key", "--spans", "owner/spans.jsonl")
    owned = here / "owner" / "spans.jsonl"
    assert owned.stat().st_mode & 0o777 == 0o600
    assert [len(line["spans"]) for line in lines(owned)] == [4, 3]
    assert {span["source"] for line in lines(owned) for span in line["spans"]} == {policy}
    assert not list(here.glob("out*spans*"))
    if to == "jsonl":
        assert [note["spans"] for note in lines(here / "out")] == [[], []]
        for note, line in zip(lines(here / "out"), lines(owned), strict=True):
            assert note["id"] == line["id"]
            assert all(note["text"][span["start"] : span["end"]].strip() for span in line["spans"])


def test_without_pseudonyms_spans_stay_where_they_were(here):
    done("conceal", "in.jsonl", "-o", "out.jsonl", "--policy", "mask", "--key", "k.key")
    assert [len(note["spans"]) for note in lines(here / "out.jsonl")] == [4, 3]


def test_entities_of_another_sort_stay_beside_pseudonyms(here):
    write_notes(here / "e.jsonl", ("7", "[Eva](PATIENT_E) a de l'[asthme](DISEASE)."))
    done("conceal", "e.jsonl", "-o", "out.jsonl", "--entities", "DISEASE", *PSEUDO, "--spans", "owner.jsonl")
    (note,) = lines(here / "out.jsonl")
    assert [note["text"][span["start"] : span["end"]] for span in note["spans"]] == ["asthme"]
    assert [span["label"] for span in lines(here / "owner.jsonl")[0]["spans"]] == ["PATIENT_E"]


def test_a_file_of_spans_that_is_there_already_is_not_overwritten(here):
    (here / "owner.jsonl").write_text("mine\n")
    result = run("conceal", "in.jsonl", "-o", "out.jsonl", *PSEUDO, "--spans", "owner.jsonl")
    assert "owner.jsonl is there already" in str(result.exception)
    assert (here / "owner.jsonl").read_text() == "mine\n"
    assert not (here / "out.jsonl").exists()
