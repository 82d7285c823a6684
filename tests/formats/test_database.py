"""Databases, with SQLite: read-only and streamed in, one transaction per commit out."""

import sqlite3
import sys

import pytest

from innominate.core import Document, FormatError, PluginError, Rejected, Span, UsageError
from innominate.formats.database import DatabaseFormat
from innominate.formats.sources import DatabaseSource, MemoryFile

pytest.importorskip("sqlalchemy")


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path}/not es?.db".replace("?", "%3F")


def fill(path, *statements):
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(*statement) if isinstance(statement, tuple) else connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.fixture
def notes(tmp_path):
    path = tmp_path / "notes.db"
    fill(
        path,
        'CREATE TABLE notes (note_id INTEGER PRIMARY KEY, pid TEXT, body TEXT, written DATETIME, "a b" BLOB)',
        "CREATE TABLE other (x)",
        "INSERT INTO notes VALUES (2, 'p2', 'Ola', 'yesterday', x'01'), (1, 'p1', 'Eva', '2151-07-16', NULL)",
    )
    return f"sqlite:///{path}?table=notes&text=body&id=note_id&patient=pid"


def read(url, **options):
    return list(DatabaseFormat(**options).read(DatabaseSource(url)))


def write(url, *documents, resume_at=None, **options):
    writer = DatabaseFormat(**options).open_writer(url, resume_at)
    for document in documents:
        writer.write(document)
    writer.close()


def test_a_table_by_its_columns_in_the_order_of_its_key(notes):
    assert read(notes) == [
        Document("1", "Eva", (), {"written": "2151-07-16", "a b": None, "patient": "p1"}),
        Document("2", "Ola", (), {"written": "yesterday", "a b": "01", "patient": "p2"}),
    ]


def test_options_may_be_given_apart_and_the_key_is_the_id(notes):
    plain = notes.partition("?")[0]
    assert [document.id for document in read(plain, table="notes", text_column="body")] == ["1", "2"]


def test_reading_is_read_only(notes, tmp_path):
    from sqlalchemy.exc import SQLAlchemyError

    from innominate.formats import database

    address, _ = database.split_url(notes)
    engine = database.make_engine(database.read_only(address))
    with engine.connect() as connection, pytest.raises(SQLAlchemyError):
        connection.exec_driver_sql("DELETE FROM notes")
    engine.dispose()
    with pytest.raises(UsageError, match="no such database"):
        read(f"sqlite:///{tmp_path}/missing.db?table=x")
    assert not (tmp_path / "missing.db").exists()


@pytest.mark.parametrize("name", ["nots", 'notes"; DROP TABLE notes; --', "main.nots", "x.y"])
def test_names_are_looked_up_and_never_run(notes, name):
    with pytest.raises((UsageError, FormatError)):
        read(notes.replace("table=notes", f"table={name}"))
    assert len(read(notes)) == 2


def test_unknown_names_list_what_there_is(notes):
    with pytest.raises(UsageError, match="no table 'nots'; the tables are: notes, other"):
        read(notes.replace("table=notes", "table=nots"))
    with pytest.raises(UsageError, match="name a table"):
        read(notes.replace("table=notes&", ""))
    with pytest.raises(FormatError, match="no column 'bdy'; the table has 5 columns"):
        read(notes.replace("text=body", "text=bdy"))
    assert len(read(notes.replace("table=notes", "table=main.notes"))) == 2


def test_bad_rows_are_rejected_and_the_rest_goes_on(tmp_path):
    fill(
        tmp_path / "n.db",
        "CREATE TABLE notes (id TEXT, text TEXT, spans TEXT)",
        """INSERT INTO notes VALUES ('1', NULL, NULL), ('2', CAST(x'457661FF' AS TEXT), NULL), ('3', 'Eva', '[[0,9,"X"]]'),
           ('4', 'Eva', '[[0,3,"X"]]'), (NULL, 'Eva', NULL), ('7', x'457661', NULL)""",
    )
    found = read(f"sqlite:///{tmp_path}/n.db")
    rejected = {entry.id: entry.reason for entry in found if isinstance(entry, Rejected)}
    assert rejected.keys() == {"1", "2", "3", "n.db:1"}
    assert not any("Eva" in reason for reason in rejected.values())
    assert [entry for entry in found if isinstance(entry, Document)] == [
        Document("4", "Eva", (Span(0, 3, "X"),)),
        Document("7", "Eva"),
    ]


@pytest.mark.parametrize(
    "text", ["👩‍⚕️ Eva", "Ne\u0301e Eva", "a\r\nb\rc\nEva", "a\0Eva\0", "'; DROP TABLE notes; -- Eva", "Eva"]
)
def test_any_text_survives(url, text):
    start = text.index("Eva")
    spans = (Span(start, start + 3, "ÂGE", 0.5, "crf"), Span(start, start + 1, "B C"))
    documents = [Document("n1", text, spans, {"patient": "p1", "n": [1, None, "\0"]}), Document("n2", "")]
    write(f"{url}?patient=pid", *documents)
    assert read(f"{url}?patient=pid") == documents


def test_ten_megabytes_on_one_line_before_a_name(url):
    document = Document("n1", "x" * 10_000_000 + " Eva", (Span(10_000_001, 10_000_004, "NAME"),))
    write(url, document)
    assert read(url) == [document]


def test_thousands_of_rows(url):
    documents = [Document(f"n{number:05}", "Eva") for number in range(3000)]
    write(url, *documents)
    assert read(url) == documents


def test_only_what_was_committed_is_there_and_writing_goes_on_from_it(url):
    writer = DatabaseFormat().open_writer(url)
    writer.write(Document("n1", "Eva"))
    assert writer.commit() == {"documents": 1}
    writer.write(Document("n2", "Eva"))
    writer._flush()
    writer.abandon()
    assert [document.id for document in read(url)] == ["n1"]
    write(url, Document("n1", "Eva again"), Document("n2", "Eva"), resume_at={"documents": 0})
    assert [(document.id, document.text) for document in read(url)] == [("n1", "Eva again"), ("n2", "Eva")]


def test_a_table_with_rows_or_of_another_shape_is_left_alone(url, notes):
    write(url, Document("n1", "Eva"))
    with pytest.raises(UsageError, match="holds rows already"):
        write(url, Document("n2", "Eva"))
    with pytest.raises(UsageError, match="lacks the column"):
        write(notes, Document("n2", "Eva"))
    with pytest.raises(UsageError, match="cannot resume"):
        write(url + "?table=new", resume_at={"documents": 1})


def test_what_cannot_be_written_is_refused_alone(url):
    writer = DatabaseFormat().open_writer(url)
    writer.write(Document("n1", "Eva"))
    for document in (Document("n1", "Eva"), Document("n2", "Eva \ud800")):
        with pytest.raises(FormatError) as caught:
            writer.write(document)
        assert "Eva" not in str(caught.value)
    writer.close()
    assert len(read(url)) == 1


def test_errors_never_show_values_or_passwords():
    for bad in ("postgresql://eva:secret@[/x", "nosuch://eva:secret@x/y", "sqlite"):
        with pytest.raises((UsageError, PluginError, FormatError)) as caught:
            read(bad)
        assert "secret" not in str(caught.value)


def test_a_file_is_not_a_database():
    assert DatabaseFormat().recognise(DatabaseSource("sqlite:///x.db"), b"")
    assert not DatabaseFormat().recognise(MemoryFile("x.db", b""), b"SQLite format 3")
    with pytest.raises(UsageError):
        list(DatabaseFormat().read(MemoryFile("x.db", b"")))
    with pytest.raises(UsageError):
        DatabaseFormat().open_writer("out.db")


def test_without_sqlalchemy_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    with pytest.raises(PluginError, match=r"pip install 'innominate\[db\]'"):
        read("sqlite:///x.db")
    with pytest.raises(PluginError, match=r"pip install 'innominate\[db\]'"):
        DatabaseFormat().open_writer("sqlite:///x.db")
