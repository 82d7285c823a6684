"""The page `Add a language` names every file and every field, so that nothing has to be guessed."""

from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import get_type_hints

import pytest

from innominate.languages import Language, language_folder, topics

PAGE = (Path(__file__).parents[2] / "docs" / "add-a-language.md").read_text("utf-8")
GIVEN = {"code", "folder"}  # not written in a file


def nested(cls):
    yield cls
    for kind in get_type_hints(cls).values():
        if is_dataclass(kind):
            yield from nested(kind)


TABLES = {*nested(Language), *(one for one in vars(topics).values() if isinstance(one, type) and is_dataclass(one))}


@pytest.mark.parametrize("table", sorted(TABLES, key=lambda table: table.__name__), ids=lambda table: table.__name__)
def test_every_field_is_on_the_page(table):
    names = [one.name for one in fields(table) if one.name not in GIVEN]
    missing = [name for name in names if f"`{name}`" not in PAGE and f"`[{name}]`" not in PAGE]
    assert not missing


def test_every_file_is_on_the_page():
    for path in language_folder("es").iterdir():
        assert f"`{path.name}" in PAGE, path.name
