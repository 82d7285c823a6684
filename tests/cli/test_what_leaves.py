"""What lies around a note and leaves with it, or does not: spans, ids and names of files, metadata."""

import json
import re
from datetime import date

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


FORMATS = ["jsonl", "csv", "doccano", "prodigy", "label-studio", "conll", "brat", "i2b2", "text", "mimic"]


@pytest.mark.parametrize("to", FORMATS)
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


# --- ids and names of files

NUMBER, WARD = "700169_2021-03-10_10084", "Chambre de Zwyxelhof"
ALL_FORMATS = [*FORMATS, "marked", "hospital-xml", "parquet", "database"]


@pytest.fixture
def folder(here):
    """Notes whose files and folders are named after somebody; one of them cannot be read."""
    (here / "notes" / WARD).mkdir(parents=True)
    (here / "notes" / WARD / f"{NUMBER}.txt").write_text("Vu le 18.03.2022 pour un contrôle.")
    (here / "notes" / WARD / f"{NUMBER}_2.txt").write_text("Va bien.")
    (here / "notes" / WARD / f"{NUMBER}_3.jsonl").write_text("not json")
    return here


def everything(here, output="out"):
    """All that a run left behind, names and contents, but for the owner's list of what was withheld."""
    found = []
    for path in here.rglob(f"{output}*"):
        for one in (path, *(path.rglob("*") if path.is_dir() else ())):
            if not one.name.endswith(".quarantine.jsonl"):
                found.append(one.relative_to(here).as_posix())
                found.append(one.read_bytes().decode("utf-8", "replace") if one.is_file() else "")
    return "\n".join(found)


@pytest.mark.parametrize("options", [("--key", "k.key", "--policy", "pseudo"), ("--policy", "class")], ids=["key", "no key"])
@pytest.mark.parametrize("to", ALL_FORMATS)
def test_no_id_and_no_name_of_a_file_leaves_in_any_format(folder, to, options):
    output = "sqlite:///out.db?table=notes" if to == "database" else "out"
    result = run("deidentify", "notes", "-o", output, "--to", to, "--lang", "fr", "--detector", "rules", *options)
    assert result.exit_code == 1, result.output  # one was withheld
    left = everything(folder)
    assert "contrôle" in left or to in ("conll", "parquet")
    for secret in (NUMBER, "700169", "10084", "Zwyxelhof"):
        assert secret not in left
        assert secret not in result.output


def test_with_a_key_ids_are_the_same_in_the_next_run_and_without_one_in_no_other(folder):
    for name, options in {"a": PSEUDO, "b": PSEUDO, "c": (), "d": ()}.items():
        run("deidentify", "notes", "-o", f"{name}.jsonl", "--to", "jsonl", "--detector", "rules", *options)
    a, b, c, d = ([note["id"] for note in lines(folder / f"{name}.jsonl")] for name in "abcd")
    assert a == b
    assert len({*a, *c, *d}) == 6
    assert all(id.isalnum() and id.isascii() and len(id) < 20 for id in (*a, *c))


def test_ids_depend_on_the_patient_too(here):
    write_notes(here / "x.jsonl", ("7", FIRST))
    write_notes(here / "y.jsonl", ("8", FIRST))
    for name in "xy":
        done("conceal", f"{name}.jsonl", "-o", f"out_{name}.jsonl", *PSEUDO)
    assert lines(here / "out_x.jsonl")[0]["id"] != lines(here / "out_y.jsonl")[0]["id"]


def test_ids_are_kept_if_asked_for_and_that_is_said(folder):
    result = run("deidentify", "notes", "-o", "out", "--to", "text", "--detector", "rules", "--keep-ids")
    assert (folder / "out" / WARD / f"{NUMBER}.txt").exists()
    assert "ids and names of files are kept" in " ".join(result.stderr.split())


def test_who_looks_keeps_the_ids(folder):
    run("detect", "notes", "-o", "found.jsonl", "--to", "jsonl", "--detector", "rules", "--lang", "fr")
    assert [note["id"] for note in lines(folder / "found.jsonl")] == [f"{WARD}/{NUMBER}", f"{WARD}/{NUMBER}_2"]


def test_what_was_withheld_is_listed_for_the_owner_alone(folder):
    run("deidentify", "notes", "-o", "out", "--to", "text", "--detector", "rules", *PSEUDO)
    listed = folder / "out.quarantine.jsonl"
    assert listed.stat().st_mode & 0o777 == 0o600
    (entry,) = lines(listed)
    assert (entry["number"], entry["source"]) == (3, f"notes/{WARD}/{NUMBER}_3.jsonl")
    assert len(entry["id"]) < 20


def test_a_note_that_fails_later_is_found_by_its_file_too(folder, monkeypatch):
    (folder / "notes" / WARD / f"{NUMBER}_3.jsonl").unlink()
    slow = ("--time-limit", "0.000001", "--lang", "fr", "--detector", "rules")
    run("deidentify", "notes", "-o", "out", "--to", "text", *slow)
    assert [entry["source"] for entry in lines(folder / "out.quarantine.jsonl")] == [
        f"notes/{WARD}/{NUMBER}.txt",
        f"notes/{WARD}/{NUMBER}_2.txt",
    ]


def test_on_standard_error_no_name_of_a_file_is_listed(folder):
    result = run("deidentify", "notes", "-o", "-", "--to", "jsonl", "--detector", "rules", *PSEUDO)
    assert '"number": 3' in result.stderr
    assert "700169" not in result.output + result.stderr


def test_files_that_a_shell_has_listed_are_counted_in_the_record_not_named(folder):
    files = [f"notes/{WARD}/{NUMBER}.txt", f"notes/{WARD}/{NUMBER}_2.txt"]
    done("deidentify", *files, "-o", "out", "--to", "text", "--detector", "rules", *PSEUDO)
    assert json.loads((folder / "out.run.json").read_text())["sources"] == ["2 files"]


def test_a_vault_knows_a_note_by_both_its_ids(here):
    sealed = ["--vault", "v.vault"]
    words = {"INNOMINATE_PASSPHRASE": "correct horse battery"}
    done("conceal", "in.jsonl", "-o", "out.jsonl", *sealed, env=words)
    ours = [note["id"] for note in lines(here / "out.jsonl")]
    assert "n1" not in ours
    for id, number in (("n2", 1), (ours[0], 0)):
        (here / "back.jsonl").unlink(missing_ok=True)
        why = ["--reason", "incidental finding", "-o", "back.jsonl"]
        done("reidentify", "out.jsonl", *sealed, "--id", id, *why, env=words)
        (back,) = lines(here / "back.jsonl")
        original = lines(here / "in.jsonl")[number]
        assert (back["id"], back["text"]) == (original["id"], original["text"])


# --- patients


def test_the_patient_is_taken_from_the_path_of_a_file(folder):
    (folder / "notes" / WARD / f"{NUMBER}_3.jsonl").unlink()
    options = ("--to", "jsonl", "--lang", "fr", "--detector", "rules", *PSEUDO, "--keep-meta", "patient")
    result = done("deidentify", "notes", "-o", "a.jsonl", *options, "--patient-from", r"/(\d{6})_")
    one, two = (note["meta"]["patient"] for note in lines(folder / "a.jsonl"))
    assert one == two
    assert "name no patient" not in result.stderr
    result = done("deidentify", "notes", "-o", "b.jsonl", *options, "--patient-from", r"10084_(\d)\.txt")
    assert "1 of 2 notes name no patient" in " ".join(result.stderr.split())
    assert json.loads((folder / "b.jsonl.run.json").read_text())["concealment"]["notes_without_patient"] == 1


@pytest.mark.parametrize(("expression", "says"), [("(", "is no regular expression"), (r"\d+", "has no group")])
def test_an_expression_for_patients_that_is_none_is_refused_at_once(folder, expression, says):
    result = run("deidentify", "notes", "-o", "out", "--patient-from", expression)
    assert says in str(result.exception)
    result = run("deidentify", "notes", "-o", "out", "--patient-from", "(.)", "--patient-key", "mrn")
    assert "--patient-key" in str(result.exception)


@pytest.mark.parametrize("to", ["text", "jsonl"])
def test_the_run_says_how_many_notes_name_no_patient(folder, to):
    (folder / "notes" / WARD / f"{NUMBER}_3.jsonl").unlink()
    result = done("deidentify", "notes", "-o", "out", "--to", to, "--detector", "rules")
    assert "2 of 2 notes name no patient" in " ".join(result.stderr.split())
    assert json.loads((folder / "out.run.json").read_text())["concealment"]["notes_without_patient"] == 2


# --- metadata


def write_meta(here, **meta):
    """A note of a visit on 18 March 2022 that says more about itself."""
    note = json.loads((here / "in.jsonl").read_text().splitlines()[0])
    (here / "m.jsonl").write_text(json.dumps({**note, "meta": {"lang": "fr", "patient": "4711", **meta}}) + "\n")


def day_of(text):
    return date(*map(int, reversed(re.search(r"(\d\d)\.(\d\d)\.(\d{4})", text).groups())))


@pytest.mark.parametrize("patient", ["4711", None], ids=["of a patient", "of nobody"])
def test_a_kept_date_is_shifted_as_the_dates_of_the_note_are(here, patient):
    write_meta(here, patient=patient, note_date="2022-03-18", seen=["18.03.2022", None])
    done("conceal", "m.jsonl", "-o", "out.jsonl", *PSEUDO, "--keep-meta", "note_date=DATE,seen=date")
    (note,) = lines(here / "out.jsonl")
    assert note["meta"]["note_date"] == day_of(note["text"]).isoformat() != "2022-03-18"
    assert note["meta"]["seen"] == [day_of(note["text"]).strftime("%d.%m.%Y"), None]


@pytest.mark.parametrize(("policy", "shown"), [("class", "<DATE>"), ("mask", "XXXX")])
def test_what_is_kept_by_its_kind_is_concealed_as_the_policy_says(here, policy, shown):
    write_meta(here, note_date="2022-03-18", ward="Gériatrie", type="letter", stay=10084)
    kept = "lang,type,note_date=DATE,ward=keep,stay=id"
    done("conceal", "m.jsonl", "-o", "out.jsonl", "--policy", policy, "--keep-meta", kept)
    (note,) = lines(here / "out.jsonl")
    assert note["meta"].pop("stay") not in (10084, "10084")
    assert note["meta"] == {"lang": "fr", "type": "letter", "note_date": shown, "ward": "Gériatrie"}


@pytest.mark.parametrize("policy", ["pseudo", "class"])
@pytest.mark.parametrize(
    "options",
    [
        ("--keep-meta", "patient"),
        ("--patient-key", "mrn", "--keep-meta", "mrn"),
        ("--patient-key", "id", "--keep-meta", "patient"),
    ],
)
def test_the_patient_leaves_as_a_pseudonym_with_every_policy_or_not_at_all(here, policy, options):
    write_meta(here, mrn="4711")
    done("conceal", "m.jsonl", "-o", "out.jsonl", "--policy", policy, "--key", "k.key", *options)
    told = (here / "out.jsonl").read_text()
    assert "4711" not in told
    assert '"n1"' not in told
    assert re.fullmatch("P[0-9a-f]{16}", json.loads(told)["meta"][options[-1]])
    result = run("conceal", "m.jsonl", "-o", "none.jsonl", "--policy", "class", *options)
    assert "needs a key" in str(result.exception)
    assert not (here / "none.jsonl").exists()


@pytest.mark.parametrize(
    ("kept", "says"),
    [
        ("note_date", "note_date=KIND"),
        ("patient=keep", "leaves as a pseudonym"),
        ("ward=WARD", "'WARD', which is no label"),
        ("remark=text", "leave it out"),
    ],
)
def test_metadata_that_might_tell_is_refused_with_what_to_write(here, kept, says):
    write_meta(here, note_date="2022-03-18")
    result = run("conceal", "m.jsonl", "-o", "out.jsonl", *PSEUDO, "--keep-meta", kept)
    assert says in str(result.exception)
    assert not (here / "out.jsonl").exists()


def test_a_value_that_is_no_text_is_not_kept_in_silence(here):
    write_meta(here, stay={"of": "Zwyxelhof"}, type={"of": "Zwyxelhof"})
    result = run("conceal", "m.jsonl", "-o", "out.jsonl", *PSEUDO, "--keep-meta", "stay=id,type")
    assert result.exit_code == 1
    assert lines(here / "out.jsonl.quarantine.jsonl")[0]["step"] == "metadata"
    done("conceal", "m.jsonl", "-o", "b.jsonl", *PSEUDO, "--keep-meta", "type")
    assert "Zwyxelhof" not in everything(here) + (here / "b.jsonl").read_text()


def test_the_record_lists_what_became_of_every_key_and_quotes_none_that_may_be_data(here):
    write_meta(here, note_date="2022-03-18", ward="x", **{"Eva Zwyxelhof": 1, "p700169": 2})
    done("conceal", "m.jsonl", "-o", "out.jsonl", *PSEUDO, "--keep-meta", "lang,patient,note_date=DATE,ward=keep")
    record = json.loads((here / "out.jsonl.run.json").read_text())
    assert record["metadata"] == {
        "lang": "kept",
        "note_date": "concealed as DATE",
        "patient": "pseudonym of the patient",
        "ward": "kept",
    }
    assert record["metadata_not_named"] == 2
    done("conceal", "m.jsonl", "-o", "b.jsonl", *PSEUDO)
    assert json.loads((here / "b.jsonl.run.json").read_text())["metadata"]["ward"] == "dropped"


def test_the_column_of_the_patient_is_kept_under_a_pseudonym(here):
    (here / "t.csv").write_text("id;pid;text;visit;ward\n1;4711;Vu le 18.03.2022;18.03.2022;A\n")
    options = ("--option", "patient_column=pid", "--lang", "fr", "--detector", "rules", "--keep-meta", "patient,visit=DATE")
    done("deidentify", "t.csv", "-o", "out.csv", *PSEUDO, *options)
    header, row = (line.split(";") for line in (here / "out.csv").read_text().splitlines()[:2])
    assert header[:4] == ["id", "pid", "text", "visit"]
    assert re.fullmatch("P[0-9a-f]{16}", row[1])
    assert row[2] == f"Vu le {row[3]}"
    assert "ward" not in header
