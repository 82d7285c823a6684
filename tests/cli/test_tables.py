"""Tables whose cells are identifiers: the same pseudonyms and shifts as the notes, and nothing kept that was not asked for."""

import csv
import json
import re
import sqlite3

import pytest
from test_concealment import FIRST, SECOND, done, run, texts, write_notes

from innominate.conceal.keys import new_key
from innominate.core import InnominateError

TABLE = (
    "pid;nom;naissance;ville;remarque;service\n"
    "7;Eva Christiansen;03.05.1950;Lausanne;Vue le 18.03.2022, Christiansen va bien;cardio de Christiansen\n"
    "8;Paul Rochat;;Nyon;RAS;chirurgie\n"
    "7;Eva Christiansen;03.05.1950;Lausanne;;cardio\n"
)
COLUMNS = "pid=patient,nom=NAME,naissance=DATE,ville=city,remarque=text"
PSEUDO = ["--policy", "pseudo", "--key", "k.key", "--lang", "fr"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    new_key(tmp_path / "k.key")
    (tmp_path / "people.csv").write_text(TABLE, encoding="utf-8")
    return tmp_path


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=";"))


def test_a_table_gets_the_pseudonyms_and_shifts_of_the_notes(here):
    write_notes(here / "in.jsonl", ("7", FIRST), ("7", SECOND))
    done("conceal", "in.jsonl", "-o", "notes.jsonl", *PSEUDO, "--keep-meta", "patient")
    told = done("deidentify", "people.csv", "-o", "clean.csv", *PSEUDO, "--columns", COLUMNS, "--others", "keep")
    assert "3 of 3 rows written" in told.output
    first, second, third = rows(here / "clean.csv")
    note = texts(here / "notes.jsonl")[0]
    given, family = re.match(r"Mme (\S+) (\S+),", note).groups()
    assert first["nom"] == f"{given} {family}"
    assert first["ville"] in note
    assert first["remarque"] == f"Vue le {re.search('vue le ([0-9.]+)', note)[1]}, {family} va bien"
    assert first["service"] == f"cardio de {family}"  # kept, but checked for what the row marks
    assert (third["pid"], third["nom"], third["naissance"]) == (first["pid"], first["nom"], first["naissance"])
    assert second["pid"] != first["pid"]
    assert second["naissance"] == ""
    assert f'"patient": "{first["pid"]}"' in (here / "notes.jsonl").read_text()


def test_columns_that_are_not_named_are_dropped_only_if_that_is_said(here):
    result = run("deidentify", "people.csv", "-o", "clean.csv", *PSEUDO, "--columns", COLUMNS)
    assert "service" in str(result.exception)
    assert "--others drop" in str(result.exception)
    done("deidentify", "people.csv", "-o", "clean.csv", *PSEUDO, "--columns", COLUMNS, "--others", "drop")
    assert list(rows(here / "clean.csv")[0]) == ["pid", "nom", "naissance", "ville", "remarque"]


@pytest.mark.parametrize(("policy", "name"), [("class", "<NAME>"), ("mask", "XXXX"), ("remove", "")])
def test_other_policies_need_no_key_and_conceal_the_patient_too(here, policy, name):
    done(
        "deidentify", "people.csv", "-o", "c.csv", "--lang", "fr", "--policy", policy, "--columns", COLUMNS, "--others", "drop"
    )
    first = rows(here / "c.csv")[0]
    assert first["nom"] == name
    assert first["pid"] != "7"


def test_from_parquet_to_parquet_and_from_a_database_to_a_database(here):
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    done("deidentify", "people.csv", "-o", "c.csv", *PSEUDO, "--columns", COLUMNS, "--others", "drop")
    wanted = [tuple(row.values()) for row in rows(here / "c.csv")]
    source = [dict(row, pid=int(row["pid"])) for row in rows(here / "people.csv")]
    pyarrow.parquet.write_table(arrow.Table.from_pylist(source), here / "in.parquet")
    done("deidentify", "in.parquet", "-o", "out.parquet", *PSEUDO, "--columns", COLUMNS, "--others", "drop")
    found = pyarrow.parquet.read_table(here / "out.parquet").to_pylist()
    assert [tuple(value or "" for value in row.values()) for row in found] == wanted
    with sqlite3.connect(here / "in.db") as base:
        base.execute("create table people (nr integer primary key, pid, nom, naissance, ville, remarque)")
        values = [tuple(row.values())[:5] for row in source]
        base.executemany("insert into people (pid, nom, naissance, ville, remarque) values (?, ?, ?, ?, ?)", values)
    to = "sqlite:///out.db?table=clean"
    done("deidentify", "sqlite:///in.db?table=people", "-o", to, *PSEUDO, "--columns", COLUMNS, "--others", "drop")
    with sqlite3.connect(here / "out.db") as base:
        assert [tuple(v or "" for v in row) for row in base.execute("select * from clean")] == wanted


def test_rows_that_cannot_be_read_are_quarantined(here):
    with (here / "people.csv").open("a") as file:
        file.write("9;too;few\n")
    result = run("deidentify", "people.csv", "-o", "c.csv", "--lang", "fr", "--columns", COLUMNS, "--others", "drop")
    assert result.exit_code == 1
    columns = json.loads((here / "c.csv.run.json").read_text())["metadata"]
    assert set(columns.values()) >= {"dropped", "concealed as NAME", "concealed as DATE"}
    (entry,) = map(json.loads, (here / "c.csv.quarantine.jsonl").read_text().splitlines())
    assert (entry["source"], entry["line"]) == ("people.csv", 5)


def test_the_vault_brings_no_cell_into_the_open_and_workers_change_no_byte(here):
    options = [*PSEUDO, "--columns", COLUMNS, "--others", "keep"]
    done("deidentify", "people.csv", "-o", "one.csv", *options)
    sealed = ["--vault", "v.vault", "--workers", "2"]
    done("deidentify", "people.csv", "-o", "two.csv", *options, *sealed, env={"INNOMINATE_PASSPHRASE": "correct horse"})
    assert (here / "one.csv").read_bytes() == (here / "two.csv").read_bytes()
    assert "Christiansen" not in (here / "v.vault").read_text()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--columns", "name=NAME", "--others", "drop", *PSEUDO], "no column 'name'; the table has"),
        (["--columns", "nom=NOMBRE", "--others", "drop", *PSEUDO], "'NOMBRE', which is no label"),
        (["--columns", "nom=NAME", "--others", "drop", *PSEUDO], "COLUMN=patient"),
        (["--columns", "nom", "--others", "drop", *PSEUDO], "COLUMN=KIND"),
        (["--columns", "pid=patient,nom=patient", "--others", "drop", *PSEUDO], "two columns"),
        (["--columns", "nom=NAME", "--others", "blur", *PSEUDO], "keep or drop"),
        (["--columns", COLUMNS, "--others", "drop", *PSEUDO[:-2]], "--lang"),
        (["--columns", COLUMNS, "--others", "drop", "--lang", "fr", "--policy", "pseudo"], "keys new"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_written(here, options, says):
    before = sorted(here.iterdir())
    result = run("deidentify", "people.csv", "-o", "c.csv", *options)
    assert isinstance(result.exception, InnominateError), result.output
    assert says in str(result.exception)
    assert sorted(here.iterdir()) == before


def test_a_row_without_its_patient_is_an_error_before_anything_is_written(here):
    with (here / "people.csv").open("a") as file:
        file.write(";Blanc Luc;;Nyon;;\n")
    result = run("deidentify", "people.csv", "-o", "c.csv", *PSEUDO, "--columns", COLUMNS, "--others", "drop")
    assert "1 of 4" in str(result.exception)
    assert not (here / "c.csv").exists()
