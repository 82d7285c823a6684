"""The patient file: CSV, one patient a line, kept compactly because a hospital has a million of them.

Messages name the file, the line and the column, and never quote a cell.
"""

from __future__ import annotations

import csv
import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, TextIO

from innominate.core import FormatError, UsageError
from innominate.detect.known.numbers import readings
from innominate.formats.decoding import has_undecodable
from innominate.formats.reasons import tell_columns
from innominate.formats.sources import DiskFile
from innominate.formats.text_stream import open_text
from innominate.languages import DEFAULT, load_languages
from innominate.text.accents import fold_word

_FIELD, _LINE = "\x1f", "\x1e"  # between the values of a patient in memory
_BETWEEN_VALUES = re.compile(f"[;|{_FIELD}{_LINE}]")
_COMMA_TOO = re.compile(f"[;|,{_FIELD}{_LINE}]")
_SEPARATORS = {**dict.fromkeys(("birth", "phone", "email", "first", "last"), _COMMA_TOO), "id": None}
_MOST_LINES_NAMED = 8


@dataclass(frozen=True, slots=True)
class Patient:
    """What is known of a patient, by role: `first`, `last`, `birth`, `phone` ..."""

    id: str
    values: Mapping[str, tuple[str, ...]] = field(repr=False)

    def __getitem__(self, role: str) -> tuple[str, ...]:
        return self.values.get(role, ())


class Patients:
    """Patients by id: one block of bytes, and where each begins in it."""

    def __init__(self, records: Iterator[tuple[str, str]]) -> None:
        block = bytearray()
        found: list[tuple[int, int]] = []
        for id, record in records:
            found.append((_hash(id), len(block)))
            block += f"{id}{_FIELD}{record}{_LINE}".encode("utf-8", "surrogatepass")
        found.sort()
        self._hashes = array("Q", (hashed for hashed, _ in found))
        self._starts = array("Q", (start for _, start in found))
        self._block = bytes(block)

    def __len__(self) -> int:
        return len(self._hashes)

    def __contains__(self, id: object) -> bool:
        return next(self._records(str(id).strip()), None) is not None

    def get(self, id: str) -> Patient | None:
        """Return the patient, from all lines of the file with this id; None if there is none.

        >>> patients = Patients(iter([("7", "last\\x1fMeier"), ("7", "last\\x1fMüller")]))
        >>> patients.get("7")["last"], patients.get("8")
        (('Meier', 'Müller'), None)
        """
        id = id.strip()
        values: dict[str, list[str]] = {}
        for record in self._records(id):
            cells = record.split(_FIELD)
            for role, value in zip(cells[::2], cells[1::2], strict=True):
                values.setdefault(role, []).append(value)
        return Patient(id, {role: tuple(dict.fromkeys(all_)) for role, all_ in values.items()}) if values else None

    def full_names(self) -> Iterator[tuple[str, str]]:
        """Every word of a first name with every word of a last name of the same line, folded."""
        for line in self._block.split(_LINE.encode()):
            cells = line.decode("utf-8", "surrogatepass").split(_FIELD)[1:]
            values = list(zip(cells[::2], cells[1::2], strict=True))
            firsts, lasts = (
                [w for role, value in values if role == of for w in _name_words(value)] for of in ("first", "last")
            )
            yield from ((first, last) for first in firsts for last in lasts)

    def _records(self, id: str) -> Iterator[str]:
        hashed = _hash(id)
        position = bisect_left(self._hashes, hashed)
        while position < len(self._hashes) and self._hashes[position] == hashed:
            start = self._starts[position]
            line = self._block[start : self._block.index(_LINE.encode(), start)].decode("utf-8", "surrogatepass")
            own, _, record = line.partition(_FIELD)
            if own == id:
                yield record
            position += 1


@cache
def read_patients(path: Path) -> Patients:
    """Read a patient file; once per process."""
    try:
        with open_text(DiskFile(path, path.stem), newline="") as text:
            return Patients(_records(text, path.name))
    except OSError as error:
        raise UsageError(f"cannot read the patients from {path}: {error.strerror}") from None


def _records(stream: TextIO, source: str) -> Iterator[tuple[str, str]]:
    """Yield the id and the values of every line; lines that cannot be read are named together at the end."""
    first = stream.readline()
    delimiter = max(",;\t|", key=first.count)
    header = next(csv.reader([first], delimiter=delimiter), [])
    columns = [(column, role) for column, role in enumerate(roles_of(header, source)) if role]
    own = next(column for column, role in columns if role == "id")
    wrong: list[tuple[int, str]] = []
    for line, cells in _lines(csv.reader(stream, delimiter=delimiter, strict=True), source):
        if len(cells) != len(header):
            wrong.append((line, f"{len(cells)} cells in a table of {len(header)} columns"))
            continue
        fields, reason, column = _parsed(columns, cells)
        if reason:
            wrong.append((line, f"the column {header[column]!r} {reason}"))
        else:
            yield cells[own].strip(), _FIELD.join(fields)
    if wrong:
        raise FormatError(wrong[0][1] + _others([line for line, _ in wrong[1:]]), source=source, line=wrong[0][0])


def _lines(reader: Any, source: str) -> Iterator[tuple[int, list[str]]]:
    """Yield rows that are not blank, each with the line it begins on."""
    while True:
        line = reader.line_num + 2  # the header is not the reader's
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            raise FormatError(
                "quotes that do not close, or something behind a closing quote", source=source, line=line
            ) from None
        if any(cells):
            yield line, cells


def _others(lines: Sequence[int]) -> str:
    if not lines:
        return ""
    shown = ", ".join(map(str, lines[:_MOST_LINES_NAMED])) + (" ..." if len(lines) > _MOST_LINES_NAMED else "")
    return f"; {len(lines)} more line(s) cannot be read: {shown}"


def _parsed(columns: Sequence[tuple[int, str]], cells: Sequence[str]) -> tuple[list[str], str, int]:
    """Return role and value in turn, or what is wrong and in which column."""
    fields: list[str] = []
    for column, role in columns:
        cell = cells[column]
        if has_undecodable(cell):
            return [], "holds bytes that do not fit the encoding of the file", column
        values = _values(role, cell)
        if role == "id" and not cell.isprintable():
            return [], "holds control characters", column
        if role == "id" and not values:
            return [], "is empty", column
        for value in values:
            if role == "birth" and not readings(value):
                return [], "does not hold a date such as 1950-05-03 or 03.05.1950", column
            fields += (role, value)
    return fields, "", 0


def _values(role: str, cell: str) -> list[str]:
    """Split a cell that holds several values.

    >>> _values("phone", "021 314 11 11; 079 555 01 02"), _values("address", "Rue du Lac 3, 1000 Lausanne")
    (['021 314 11 11', '079 555 01 02'], ['Rue du Lac 3, 1000 Lausanne'])
    """
    separators = _SEPARATORS.get(role, _BETWEEN_VALUES)
    parts = separators.split(cell) if separators else [cell]
    return [value for part in parts if (value := part.strip())]


def _hash(id: Any) -> int:
    return int.from_bytes(blake2b(str(id).encode("utf-8", "surrogatepass"), digest_size=8).digest())


def _name_words(value: str) -> list[str]:
    return [fold_word(word) for word in _LETTERS.findall(value)]


_LETTERS = re.compile(r"[^\W\d_]+")
_NOT_LETTERS = re.compile(r"[^a-z]+")


def roles_of(header: Sequence[str], source: str) -> list[str]:
    """Say for every column what it holds; an unknown one holds nothing for us.

    >>> roles_of(["IPP", "Nom", "Prénom 1", "Prénom 2", "Date de naissance", "Couleur"], "p.csv")
    ['id', 'last', 'first', 'first', 'birth', '']
    """
    names = [_NOT_LETTERS.sub("_", fold_word(name)).strip("_") for name in header]
    own = next((name for name in aliases()["id"] if name in names), None)
    if own is None:
        raise FormatError(f"no column is the patient's id; {tell_columns(header)}", source=source, line=1)
    if names.count(own) > 1:
        raise FormatError(f"two columns are the patient's id; {tell_columns(header)}", source=source, line=1)
    meanings = {name: role for role, known in aliases().items() for name in known if role != "id"}
    meanings |= dict.fromkeys(aliases()["id"], "number") | {own: "id"}
    roles = [meanings.get(name, "") for name in names]
    if not any(role not in ("", "id") for role in roles):
        raise FormatError(f"no column holds anything known of a patient; {tell_columns(header)}", source=source, line=1)
    return roles


@cache
def aliases() -> dict[str, list[str]]:
    """The names that columns may have, by role."""
    default_first = sorted(load_languages(), key=lambda language: language.code != DEFAULT)
    known: dict[str, list[str]] = {}
    for language in default_first:
        for role, names in language.columns.items():
            known.setdefault(role, []).extend(names)
    return known
