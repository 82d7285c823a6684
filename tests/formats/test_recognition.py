from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from innominate.core import Document, FormatError, PluginError, Rejected, UsageError
from innominate.core.protocols import SourceFile
from innominate.formats import MemoryFile, format_named, read, read_documents, recognise
from innominate.formats.jsonl import JsonlFormat
from innominate.formats.text import TextFormat


class Exploding(TextFormat):
    """A reader with a bug, whose message holds the text."""

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        yield Document("before", "x")
        raise KeyError("Eva slept")


def test_a_bug_in_a_reader_costs_one_file_and_leaks_nothing(tmp_path: Path):
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("Eva slept")
    items = list(read(tmp_path, Exploding()))
    assert [item.id for item in items] == ["before", "a", "before", "b"]
    assert items[1].reason == "could not be read (KeyError)"


class Stumbling(TextFormat):
    """A format that cannot even look at a file."""

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        raise ValueError("Eva slept")


def test_a_format_that_stumbles_over_a_file_leaves_it_to_the_others(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("innominate.formats._in_order", lambda: (Stumbling(), TextFormat()))
    assert recognise(MemoryFile("n.txt", b"Eva slept")).name == "text"


def test_an_id_is_read_once():
    items = list(read(MemoryFile("f", b'{"id": "a", "text": "1"}\n{"id": "a", "text": "2"}\n')))
    assert isinstance(items[0], Document)
    assert "second document with this id" in items[1].reason


def test_read_documents_raises_at_the_first_that_is_rejected():
    with pytest.raises(FormatError, match=r"f\.jsonl:2: not JSON"):
        list(read_documents(MemoryFile("f.jsonl", b'{"id": "a", "text": "1"}\n{\n')))


def test_wrong_formats_and_options_raise_at_once(tmp_path: Path):
    (tmp_path / "a.txt").write_text("Eva")
    with pytest.raises(PluginError, match="there are: "):
        read(tmp_path, "word-perfect")
    with pytest.raises(PluginError, match="wrong options"):
        read(tmp_path, "text", colour="red")
    with pytest.raises(UsageError, match="already constructed"):
        read(tmp_path, JsonlFormat(), lines=True)
    with pytest.raises(PluginError, match="wrong options"):
        list(read(tmp_path, colour="red"))


def test_options_reach_a_format_that_was_recognised(tmp_path: Path):
    (tmp_path / "a.txt").write_text("one\n\ntwo\r\n")
    assert [(document.id, document.text) for document in read_documents(tmp_path, lines=True)] == [
        ("a:1", "one"),
        ("a:3", "two"),
    ]


@pytest.mark.parametrize("name", ["x.json", "x.xml", "x.pdf", "x.docx", "x.jsonl.partial"])
def test_a_file_of_an_unknown_structure_is_not_taken_for_a_note(name: str):
    with pytest.raises(FormatError, match="--format"):
        recognise(MemoryFile(name, b"something else entirely"))


@pytest.mark.parametrize("name", ["x.txt", "x", "x.note", "x.17"])
def test_anything_else_may_be_a_note(name: str):
    assert recognise(MemoryFile(name, b"Eva slept.")).name == "text"


def test_a_file_that_may_not_be_opened_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "a.txt").write_text("Eva")
    (tmp_path / "b.txt").write_text("Eva")
    opened = Path.open

    def refuse(path: Path, *args: object, **kwargs: object) -> object:
        if path.name == "a.txt":
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *args, **kwargs)

    monkeypatch.setattr(Path, "open", refuse)
    bad, good = read(tmp_path)
    assert bad.reason == "could not be read (Permission denied)"
    assert isinstance(good, Document)


def test_formats_are_constructed_by_name():
    assert format_named("text", lines=True).name == "text"
