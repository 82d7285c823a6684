"""Tables as rows of cells, whether they are read from CSV, Parquet or a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from innominate.core import FormatError, Rejected
from innominate.formats.decoding import has_undecodable
from innominate.formats.json_values import plain_value

NumberedRow = tuple[int, Sequence[Any] | FormatError]  # where a row is, and its cells or what is wrong with them


@dataclass(frozen=True, slots=True)
class Rows:
    """A table that can be read from the beginning as often as one likes, for tables whose cells are identifiers, not notes.

    Every cell is a string; nothing is an empty one. A row that cannot be read comes as `Rejected` in its place.
    """

    name: str
    id: str
    columns: tuple[str, ...]
    read: Callable[[], Iterator[NumberedRow]]
    delimiter: str = ","

    def __iter__(self) -> Iterator[tuple[str, list[str]] | Rejected]:
        """Yield an id that says where the row is, with its cells."""
        for number, found in self.read():
            id = f"{self.id}:{number}"
            try:
                cells = whole_row(found, len(self.columns))
                refuse_undecodable(cells)
            except FormatError as error:
                yield Rejected(id, error.reason, self.name, number)
            else:
                yield id, ["" if cell is None else str(plain_value(cell)) for cell in cells]


def whole_row(cells: Sequence[Any] | FormatError, width: int) -> Sequence[Any]:
    """The cells of a row, unless something is wrong with it."""
    if isinstance(cells, FormatError):
        raise cells
    if len(cells) != width:
        raise FormatError(f"{len(cells)} cells in a table of {width} columns")
    return cells


def refuse_undecodable(cells: Sequence[Any]) -> None:
    """Refuse a row with bytes that were no text."""
    if any(isinstance(cell, str) and has_undecodable(cell) for cell in cells):
        raise FormatError("bytes that do not fit the encoding of the table")


def encode_cells(text: str) -> bytes:
    """What is written of a row as UTF-8; a row that cannot be written is refused before others are sent together with it."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        pass
    raise FormatError("the text or its meta data holds half of a surrogate pair, which UTF-8 cannot hold")
