"""Writing documents into a table of a database."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from innominate.core import Document, FormatError, ProcessingError, UsageError
from innominate.formats.rows import encode_cells

_ROWS = 500  # sent at a time; all up to a commit are one transaction


@dataclass(frozen=True, slots=True)
class TableToWrite:
    """The name of a table that is written, its columns, and the one among them that tells rows apart, if there is one."""

    name: str
    columns: list[str]
    key: str | None = None


class DatabaseWriter:
    """Inserts rows. Whatever is not committed is not in the table.

    The database itself keeps what was committed, so to resume is to write on; a document that was committed after the position
    was noted down is written again and takes the place of its first version.
    """

    def __init__(
        self, engine: sa.Engine, table: TableToWrite, row_of: Callable[[Document], dict[str, Any]], *, resumed: bool = False
    ) -> None:
        self._engine, self._row_of, self._key, self._resumed = engine, row_of, table.key, resumed
        self._rows: list[dict[str, Any]] = []
        self._seen: set[int] = set()
        self._documents = 0
        try:
            self._table = _make_table(engine, table, resumed=resumed)
            self._connection = engine.connect()
        except sa.exc.SQLAlchemyError as error:
            engine.dispose()
            raise ProcessingError("opening the table", error) from None

    def write(self, document: Document) -> None:
        """Write one document."""
        row = self._row_of(document)
        self._check(row)
        self._rows.append(row)
        self._documents += 1
        if len(self._rows) >= _ROWS:
            self._flush()

    def commit(self) -> Mapping[str, Any]:
        """End the transaction; rows without a key could not be told apart when resumed, so all of them are one."""
        if self._key is None:
            return {}
        self._flush()
        self._send(self._connection.commit)
        return {"documents": self._documents}

    def close(self) -> None:
        """Commit and leave."""
        self._flush()
        self._send(self._connection.commit)
        self.abandon()

    def abandon(self) -> None:
        """Leave; what was not committed is rolled back."""
        self._connection.close()
        self._engine.dispose()

    def _check(self, row: Mapping[str, Any]) -> None:
        """Refuse now what the database would refuse later, together with the others of its transaction."""
        values = "".join(value for value in row.values() if isinstance(value, str))
        encode_cells(values)
        if "\0" in values and self._engine.dialect.name == "postgresql":
            raise FormatError("PostgreSQL cannot hold a text with NUL characters")
        if self._key:
            id = row[self._key]
            if hash(id) in self._seen:
                raise FormatError(f"the id {id!r} was already written; ids must be unique")
            self._seen.add(hash(id))

    def _flush(self) -> None:
        rows, self._rows = self._rows, []
        if not rows:
            return
        if self._resumed and self._key:
            again = self._table.delete().where(self._table.columns[self._key].in_([row[self._key] for row in rows]))
            self._send(lambda: self._connection.execute(again))
        self._send(lambda: self._connection.execute(self._table.insert(), rows))

    def _send(self, action: Callable[[], Any]) -> None:
        try:
            action()
        except sa.exc.SQLAlchemyError as error:  # its message may hold values
            raise ProcessingError("writing to the table", error) from None


def _make_table(engine: sa.Engine, wanted: TableToWrite, *, resumed: bool) -> sa.Table:
    """Find the table or make it. One that holds rows already is not ours to write into."""
    name = wanted.name
    with engine.begin() as connection:
        if sa.inspect(connection).has_table(name):
            table = sa.Table(name, sa.MetaData(), autoload_with=connection)
            missing = [column for column in wanted.columns if column not in table.columns]
            if missing:
                raise UsageError(f"table {name} lacks the column {', '.join(missing)}; choose another table")
            if not resumed and connection.execute(sa.select(sa.literal(1)).select_from(table).limit(1)).first():
                raise UsageError(f"table {name} holds rows already; choose another table or empty it")
            return table
        if resumed:
            raise UsageError(f"cannot resume: there is no table {name}; start again")
        columns = [sa.Column(column, sa.Text, primary_key=column == wanted.key) for column in wanted.columns]
        table = sa.Table(name, sa.MetaData(), *columns)
        table.create(connection)
        return table
