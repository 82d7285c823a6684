"""Lists that a user adds to those of the packs: big national ones, or the staff of the hospital. Kept in the user's folder."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterator
from pathlib import Path

from innominate.core import UsageError
from innominate.detect.rules.sources import added_words, data_folder, list_entries
from innominate.formats.decoding import decode


def add_words(
    name: str, lang: str, path: Path, *, column: str | None = None, at_least: float = 0, count: str | None = None
) -> int:
    """Add the words of a text or CSV file (gzipped or not) to a list, and return how many words the list then has.

    With `count` and `at_least`, only rows whose count reaches it are taken: rare names are often misspelt ones.
    """
    found = {word for word in _words(path, column, count, at_least) if len(word) > 1}
    if not found:
        raise UsageError(f"{path}: no words were found; name the column with --column")
    target = list_path(name, lang)
    target.parent.mkdir(parents=True, exist_ok=True)
    words = sorted(found | (set(list_entries(target.read_text(encoding="utf-8"))) if target.exists() else set()))
    target.write_text("\n".join(words) + "\n", encoding="utf-8")
    added_words.cache_clear()
    return len(words)


def list_path(name: str, lang: str) -> Path:
    """Where an added list lies. `names:first` of a library and a list of a pack are extended under the same name."""
    plain = name.replace(":", "_")
    if not plain.replace("_", "").replace("-", "").isalnum():
        raise UsageError(f"{name!r} is no name of a list; use letters, digits, dashes and one colon")
    return data_folder() / lang / f"{plain}.txt"


def added_lists() -> list[tuple[str, str, int]]:
    """Language, name and number of words of every list that was added."""
    found = sorted(data_folder().glob("*/*.txt"))
    return [(path.parent.name, path.stem, len(list_entries(path.read_text(encoding="utf-8")))) for path in found]


def _words(path: Path, column: str | None, count: str | None, at_least: float) -> Iterator[str]:
    data = path.read_bytes()
    text = decode(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data, str(path)).lstrip("\ufeff")
    if column is None and count is None:
        yield from (line.strip() for line in list_entries(text))
        return
    first = text.partition("\n")[0]
    delimiter = max(",;\t|", key=first.count)
    for row in csv.DictReader(io.StringIO(text), delimiter=delimiter):
        word = row.get(column or next(iter(row)))
        if word is None:
            raise UsageError(f"{path}: there is no column {column!r}; there are: {', '.join(map(str, row))}")
        if count is None or _number(row.get(count)) >= at_least:
            yield word.strip()


def _number(text: str | None) -> float:
    try:
        return float((text or "0").replace("'", "").replace(" ", ""))
    except ValueError:
        return 0.0
