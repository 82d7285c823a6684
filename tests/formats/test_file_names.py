from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innominate.core import Document, FormatError, UsageError
from innominate.formats import read, write
from innominate.formats.file_names import fold_name, id_of_name, name_of_id
from innominate.formats.folder_writer import FolderWriter
from innominate.formats.text import TextFormat

HOSTILE = [
    # out of the folder
    *(
        "..",
        ".",
        "../x",
        "../../etc/passwd",
        "a/../../b",
        "a/..",
        "a/.",
        "./a",
        "a/./b",
        "/",
        "//",
        "/etc/passwd",
        "//server/share",
    ),
    *("C:\\Windows", "C:/Windows", "\\\\server\\share", "..\\..\\x", "~", "~root", "~/x", "file:///etc/passwd", "%2e%2e/x"),
    *(
        "%2E%2E",
        "..%2Fx",
        "..%c0%afx",
        "....//x",
        ".../x",
        "a//b",
        "a/",
        "/a",
        "a///",
        " /x",
        "x/ ",
        "\u2024\u2024/x",
        "．．/x",
    ),
    # characters that mean something elsewhere
    *(
        "\0",
        "a\0b",
        "a\nb",
        "a\rb",
        "a\tb",
        "\x1b[31mred",
        "\x7f",
        "a\x85b",
        "a\u2028b",
        "\u202etxt.exe",
        "\u200b",
        "\ufeff",
        "a\u00a0",
    ),
    *(
        "-",
        "-rf",
        "--help",
        "-/x",
        "x/-y",
        "*",
        "?",
        "a*b",
        "[a]",
        "{a,b}",
        "$HOME",
        "$(id)",
        "`id`",
        "a;b",
        "a&b",
        "a|b",
        "a>b",
    ),
    *("a<b", 'a"b', "a'b", "a:b", "a:stream", "#", "%", "%%", "%25", "%~2", "a%~2", "%_", "%-", "a%-/b", "a%00", "!x", "a b"),
    # names that some systems keep for themselves
    *(
        "CON",
        "con",
        "con.txt",
        "PRN",
        "AUX",
        "NUL",
        "nul.tar.gz",
        "COM1",
        "lpt9",
        "x/CON/y",
        "CONSOLE",
        "Thumbs.db",
        ".DS_Store",
    ),
    *(".htaccess", ".hidden", "..hidden", "a.", "a..", "a ", " a", ". ", " .", "", " ", "desktop.ini"),
    # names that collide with the files of another document, or with each other
    *(
        "a.txt",
        "a.txt/b",
        "a",
        "A",
        "Ab",
        "aB",
        "AB",
        "ab",
        "é",
        "e\u0301",
        "É",
        "ﬁ",
        "fi",
        "FI",
        "ß",
        "ss",
        "SS",
        "ı",
        "I",
        "i",
        "İ",
    ),
    *("K", "\u212a", "k", "a.ann", "a.txt.partial", ".a.txt.partial", "a.spans.jsonl", "a.gz", "b.txt.gz", "note", "NOTE"),
    # too long, too deep, not a character
    *(
        "x" * 255,
        "x" * 256,
        "X" * 256,
        "é" * 200,
        "🙂" * 300,
        "." * 300,
        "%" * 300,
        "a/" * 200 + "b",
        ("y" * 250 + "/") * 3,
        "\ud800",
    ),
]


def test_there_are_many_hostile_ids():
    assert len(set(HOSTILE)) == len(HOSTILE) >= 140


@pytest.mark.parametrize("id", HOSTILE, ids=range(len(HOSTILE)))
def test_a_name_is_harmless_and_leads_back_to_its_id(id: str):
    name = name_of_id(id)
    assert id_of_name(name) == id
    for part in name.split("/"):
        assert part not in ("", ".", "..")
        assert part[0] not in "-.~ "
        assert part[-1] not in ". "
        assert part.isprintable()
        assert not set(part) & set('<>:"|?*\\')
        assert len(part.encode()) < 200


@given(st.text(max_size=400, alphabet=st.characters()))
def test_any_id_comes_back(id: str):
    assert id_of_name(name_of_id(id)) == id


@given(st.text("%0123456789ABCDEF~_-/a.é", max_size=20))
def test_any_name_has_one_id(name: str):
    assert id_of_name(name) == name or name_of_id(id_of_name(name)) == name or "%~" in name


def test_hostile_ids_stay_in_the_folder_and_never_overwrite(tmp_path: Path):
    documents = [Document(id, f"text {number}") for number, id in enumerate(HOSTILE)]
    write(documents, tmp_path / "out", "text")
    assert os.listdir(tmp_path) == ["out"]
    files = [path.relative_to(tmp_path).as_posix() for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert len(files) == len({fold_name(name) for name in files}) == len(HOSTILE)
    assert {item.id: item.text for item in read(tmp_path / "out", "text")} == {one.id: one.text for one in documents}


def test_a_second_run_keeps_the_names_whatever_the_order(tmp_path: Path):
    documents = [Document(id, f"text {number}") for number, id in enumerate(HOSTILE)]
    write(documents, tmp_path, "text")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.txt")}
    write(reversed(documents), tmp_path, "text")
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.txt")} == before


def test_an_id_longer_than_any_path_is_refused():
    with pytest.raises(FormatError, match="too long"):
        name_of_id("x/" * 3000)


def test_one_id_is_not_written_twice(tmp_path: Path):
    writer = FolderWriter(TextFormat(), tmp_path)
    writer.write(Document("a", "first"))
    with pytest.raises(FormatError, match="already written"):
        writer.write(Document("a", "second"))
    writer.close()
    assert (tmp_path / "a.txt").read_text() == "first"


def test_a_link_in_the_output_folder_is_not_followed(tmp_path: Path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "ward").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="leads out of"):
        write([Document("ward/n1", "text")], tmp_path / "out", "text")
    assert not list((tmp_path / "elsewhere").iterdir())
