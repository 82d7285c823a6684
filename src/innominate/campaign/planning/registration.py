"""The registration sheet: who annotates, and in which team."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from innominate.campaign.records import Annotator
from innominate.core import UsageError
from innominate.formats import decode

_ID = re.compile(r"[^\W_][\w.@+ -]{0,63}")  # what may stand in a session id, a file name and a URL
_COLUMNS = ("id", "team", "name", "email", "goal", "also")


def read_sheet(path: Path) -> list[Annotator]:
    """Read a CSV file with the columns id and team and, if wanted, name, email, goal and also (other names, after `;`)."""
    try:
        text = decode(path.read_bytes(), str(path)).removeprefix("\ufeff")
    except OSError as error:
        raise UsageError(f"cannot read the registration sheet {path}: {error.strerror}") from None
    rows = list(csv.DictReader(io.StringIO(text), delimiter=_delimiter(text)))
    if not rows or not {"id", "team"} <= rows[0].keys():
        raise UsageError(f"{path}: a registration sheet has a header with at least id and team, and a row per person")
    entries = [{key: value for key, value in row.items() if key in _COLUMNS and value} for row in rows]
    return annotators_from(entries, str(path))


def annotators_from(entries: Iterable[Mapping[str, Any]], source: str) -> list[Annotator]:
    """Check the entries of a registration and make annotators of them.

    >>> annotators_from([{"id": "eva", "team": "gnocchi", "also": "3;eva@example.org"}], "sheet")[0].also
    ('3', 'eva@example.org')
    """
    return [_annotator(entry, f"{source}, annotator {number}") for number, entry in enumerate(entries, start=1)]


def _annotator(entry: Mapping[str, Any], where: str) -> Annotator:
    unknown = sorted(entry.keys() - set(_COLUMNS))
    if unknown:
        raise UsageError(f"{where}: unknown {', '.join(unknown)}; there are: {', '.join(_COLUMNS)}")
    id, team = str(entry.get("id", "")).strip(), str(entry.get("team", "")).strip()
    for what, value in (("id", id), ("team", team)):
        if not _ID.fullmatch(value):
            raise UsageError(f"{where}: {what} {value!r} needs 1 to 64 letters, digits, blanks or any of . @ + - _")
    goal = entry.get("goal", 0)
    if not str(goal).strip().isdecimal():
        raise UsageError(f"{where}: the goal is a number of tasks")
    also = entry.get("also", ())
    names = also.split(";") if isinstance(also, str) else [str(name) for name in also]
    others = tuple(name.strip() for name in names if name.strip())
    return Annotator(id, team, str(entry.get("name", "")), str(entry.get("email", "")), int(goal), others)


def _delimiter(text: str) -> str:
    header = text.partition("\n")[0]
    return max(",;\t", key=header.count)
