from __future__ import annotations

import gzip
import io
import os
import sys
from pathlib import Path

import pytest

from innominate.core import FormatError, UsageError
from innominate.formats import files_of, gzip_streams, read, read_documents, recognise
from innominate.formats.sources import DatabaseSource, DiskFile, MemoryFile, head_of, read_bytes


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    (root / "ward 3").mkdir(parents=True)
    (root / "b.txt").write_text("second")
    (root / "a.txt").write_text("first")
    (root / "ward 3" / "note.2021.txt").write_text("third")
    (root / ".hidden.txt").write_text("no")
    (root / ".git").mkdir()
    (root / ".git" / "config.txt").write_text("no")
    return root


def test_a_folder_is_read_in_order_without_hidden_files(folder: Path):
    assert [file.id for file in files_of(folder)] == ["a", "b", "ward 3/note.2021"]


def test_a_single_file_is_called_by_its_stem(folder: Path):
    assert [file.id for file in files_of(str(folder / "ward 3" / "note.2021.txt"))] == ["note.2021"]


def test_ids_of_a_glob_are_relative_to_its_fixed_part(folder: Path):
    assert [file.id for file in files_of(f"{folder}/**/*.txt")] == ["a", "b", "ward 3/note.2021"]
    assert [file.id for file in files_of(f"{folder}/w*/*.txt")] == ["ward 3/note.2021"]


def test_a_file_with_brackets_in_its_name_is_not_a_glob(tmp_path: Path):
    (tmp_path / "[1].txt").write_text("x")
    assert [file.id for file in files_of(tmp_path / "[1].txt")] == ["[1]"]


def test_numbers_are_not_file_types(tmp_path: Path):
    for name in ("report.17", "report.18"):
        (tmp_path / name).write_text("x")
    assert [document.id for document in read_documents(tmp_path)] == ["report.17", "report.18"]


def test_links_out_of_the_folder_are_not_followed(folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture):
    (tmp_path / "secret.txt").write_text("no")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "up").symlink_to(tmp_path)
    assert [file.id for file in files_of(folder)] == ["a", "b", "ward 3/note.2021"]
    assert "a link that leads out of this folder is not followed" in caplog.text
    assert "link.txt" not in caplog.text  # names of files tell who was treated


def test_a_folder_that_cannot_be_read_is_said_and_not_skipped(folder: Path, monkeypatch: pytest.MonkeyPatch):
    scan = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("ward 3"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(UsageError, match=r"a folder in .*notes cannot be read \(Permission denied\)") as error:
        list(files_of(folder))
    assert "ward 3" not in str(error.value)


@pytest.mark.parametrize(
    ("source", "advice"),
    [
        ("nowhere.txt", "check the path"),
        ("nowhere/*.txt", "no file matches"),
        ("https://example.org/x", "nothing is downloaded"),
    ],
)
def test_a_source_that_is_not_there_says_what_to_do(source: str, advice: str):
    with pytest.raises(UsageError, match=advice):
        read(source)  # at once, not at the first document


def test_an_empty_folder_is_an_error(tmp_path: Path):
    (tmp_path / ".hidden").write_text("x")
    with pytest.raises(UsageError, match="no file in this folder"):
        files_of(tmp_path)


def test_standard_input_stays_in_memory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"id": "n1", "text": "Eva"}\n')))
    assert [document.id for document in read_documents("-")] == ["n1"]


def test_compressed_files_are_like_others(tmp_path: Path):
    (tmp_path / "note.txt.gz").write_bytes(gzip.compress("Née".encode()))
    (tmp_path / "more.jsonl.gz").write_bytes(gzip.compress(b'{"id": "m", "text": "x"}\n'))
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(b"Eva"))
    (tmp_path / "b.ann.gz").write_bytes(gzip.compress(b"T1\tNAME 0 3\tEva\n"))
    found = {document.id: document for document in read_documents(tmp_path)}
    assert found["note"].text == "Née"
    assert found["m"].text == "x"
    assert len(found["b"].spans) == 1


def test_a_file_that_unpacks_to_something_enormous_is_rejected(tmp_path: Path):
    (tmp_path / "bomb.txt.gz").write_bytes(gzip.compress(b"0" * (gzip_streams.FREE + 2**20)))
    (rejected,) = read(tmp_path)
    assert "200 times" in rejected.reason


@pytest.mark.parametrize("cut", [5, 20, -3])
def test_a_damaged_gzip_file_is_rejected(tmp_path: Path, cut: int):
    (tmp_path / "n.txt.gz").write_bytes(gzip.compress(b"Eva slept. " * 50)[:cut])
    (rejected,) = read(tmp_path)
    assert "damaged" in rejected.reason


def test_a_note_larger_than_memory_allows_is_rejected(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("innominate.formats.sources.MAX_NOTE", 10)
    with pytest.raises(FormatError, match="too large"):
        read_bytes(MemoryFile("x", b"0" * 11))


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://eva:geheim@db/notes",
        "postgresql+psycopg://eva:ge@heim@db/notes",
        "postgresql://eva:ge/heim@db/notes?password=geheim",
        "mysql://eva:ge?heim@db/notes",
    ],
)
def test_a_password_is_never_shown(url: str):
    (source,) = files_of(url)
    assert isinstance(source, DatabaseSource)
    assert "heim" not in source.name + repr(source) + source.id
    with pytest.raises(FormatError) as caught:
        source.open()
    assert "heim" not in str(caught.value)
    assert head_of(source) == b""


def test_a_database_is_recognised_as_one():
    assert recognise(DatabaseSource("sqlite:///notes.db")).name == "database"


def test_siblings_share_the_id(folder: Path):
    (folder / "a.ann").write_text("")
    first = DiskFile(folder / "a.txt", "a")
    assert first.sibling(".ann") == DiskFile(folder / "a.ann", "a")
    assert first.sibling(".xml") is None


def test_several_sources_are_one_read(folder: Path, tmp_path: Path):
    (tmp_path / "a.txt").write_text("again")
    items = list(read([folder, tmp_path / "a.txt"]))
    assert [item.id for item in items] == ["a", "b", "ward 3/note.2021", "a"]
    assert "second document" in items[-1].reason
