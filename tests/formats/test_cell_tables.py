"""Tables of cells: CSV, Parquet and databases give the same rows and take the same rows."""

import sqlite3

import pytest

from innominate.core import Document, FormatError, Rejected, UsageError
from innominate.formats.cell_tables import RowFormat, open_rows

ROWS = [["7", "Eva; née Berg"], ["8", ""]]


def documents():
    return [Document(f"n{number}", "\n".join(cells)) for number, cells in enumerate(ROWS)]


def row_format(delimiter=","):
    return RowFormat(("pid", "nom"), lambda document: document.text.split("\n"), delimiter)


def write_table(target):
    writer = row_format().open_writer(target)
    for document in documents():
        writer.write(document)
    writer.commit()
    writer.close()


@pytest.fixture(params=["t.csv", "t.parquet", "sqlite:///t.db?table=people"])
def target(request, tmp_path, monkeypatch):
    pytest.importorskip({"t.parquet": "pyarrow", "t.csv": "csv"}.get(request.param, "sqlalchemy"))
    monkeypatch.chdir(tmp_path)
    return request.param


def test_what_is_written_is_read_and_may_be_read_again(target, tmp_path):
    write_table(target)
    rows = open_rows(target)
    assert rows.columns == ("pid", "nom")
    assert [cells for _, cells in rows] == ROWS
    assert [id for id, _ in rows] == [
        f"{rows.id}:{number}" for number in ((2, 3) if rows.id == "t" and "csv" in target else (1, 2))
    ]
    assert not [path for path in tmp_path.iterdir() if path.name.endswith(".partial")]


def test_a_row_that_utf8_cannot_hold_is_refused_alone(target):
    writer = row_format().open_writer(target)
    with pytest.raises(FormatError, match="surrogate"):
        writer.write(Document("n", "9\n\ud800"))
    writer.write(documents()[0])
    writer.close()
    assert [cells for _, cells in open_rows(target)] == ROWS[:1]


def test_a_table_that_was_given_up_has_no_rows(target, tmp_path):
    writer = row_format().open_writer(target)
    writer.write(documents()[0])
    writer.commit()
    writer.abandon()
    assert not (tmp_path / "t.csv").exists()
    assert not (tmp_path / "t.parquet").exists()
    if "sqlite" in target:
        assert not list(open_rows(target))


@pytest.mark.parametrize("target", ["t.parquet", "sqlite:///t.db"])
def test_what_is_complete_only_at_its_end_cannot_be_resumed(target, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="cannot be resumed"):
        row_format().open_writer(target, {})
    assert not list(tmp_path.iterdir())


def test_a_table_that_holds_rows_is_not_written_into(tmp_path):
    pytest.importorskip("sqlalchemy")
    with sqlite3.connect(tmp_path / "t.db") as base:
        base.execute("create table people (pid, nom)")
        base.execute("insert into people values (1, 'x')")
    with pytest.raises(UsageError, match="holds rows already"):
        row_format().open_writer(f"sqlite:///{tmp_path}/t.db?table=people")


def test_a_bad_row_is_rejected_in_its_place(tmp_path):
    path = tmp_path / "people.csv"
    path.write_bytes(b'pid;nom\n7;Eva\n8\n9;"x" y\n\n10;\xe9\n11;Berg\n')
    found = list(open_rows(str(path)))
    assert [item.id if isinstance(item, Rejected) else item[1] for item in found] == [
        ["7", "Eva"],
        "people:3",
        "people:4",
        ["10", "é"],
        ["11", "Berg"],
    ]
    assert open_rows(str(path)).delimiter == ";"


def test_two_columns_of_one_name_and_other_endings_are_refused(tmp_path):
    (tmp_path / "t.csv").write_text("a,a\n1,2\n")
    with pytest.raises(FormatError, match="two columns"):
        open_rows(str(tmp_path / "t.csv"))
    with pytest.raises(UsageError, match=r"\.csv, \.tsv or \.parquet"):
        row_format().open_writer(tmp_path / "t.xlsx")
