"""Writing documents into a table of a database."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from innominate.core import Document, FormatError, ProcessingError, UsageError
from innominate.formats.table_columns import META, DocumentColumns, json_text

_ROWS = 500  # sent at a time; all up to a commit are one transaction


class DatabaseWriter:
    """Inserts rows with id, text, spans and meta (both JSON). Whatever is not committed is not in the table.

    The database itself keeps what was committed, so to resume is to write on; a document that was committed after the position
    was noted down is written again and takes the place of its first version.
    """

    def __init__(self, engine: sa.Engine, table: str, named: DocumentColumns, *, resumed: bool) -> None:
        self._engine, self._named, self._resumed = engine, named, resumed
        self._rows: list[dict[str, Any]] = []
        self._seen: set[int] = set()
        self._documents = 0
        try:
            self._table = _made(engine, table, named, resumed=resumed)
            self._connection = engine.connect()
        except sa.exc.SQLAlchemyError as error:
            engine.dispose()
            raise ProcessingError("opening the table", error) from None

    def write(self, document: Document) -> None:
        """Write one document."""
        row = self._named.row(document)
        row[self._named.spans] = json_text(row[self._named.spans])
        row[META] = json_text(row[META])
        self._check(row, document.id)
        self._rows.append(row)
        self._documents += 1
        if len(self._rows) >= _ROWS:
            self._flush()

    def commit(self) -> Mapping[str, Any]:
        """End the transaction."""
        self._flush()
        self._send(self._connection.commit)
        return {"documents": self._documents}

    def close(self) -> None:
        """Commit and leave."""
        self.commit()
        self.abandon()

    def abandon(self) -> None:
        """Leave; what was not committed is rolled back."""
        self._connection.close()
        self._engine.dispose()

    def _check(self, row: Mapping[str, Any], id: str) -> None:
        """Refuse now what the database would refuse later, together with the others of its transaction."""
        values = "".join(value for value in row.values() if isinstance(value, str))
        try:
            values.encode("utf-8")
        except UnicodeEncodeError:
            raise FormatError("the text or its meta data holds half of a surrogate pair, which UTF-8 cannot hold") from None
        if "\0" in values and self._engine.dialect.name == "postgresql":
            raise FormatError("PostgreSQL cannot hold a text with NUL characters")
        if hash(id) in self._seen:
            raise FormatError(f"the id {id!r} was already written; ids must be unique")
        self._seen.add(hash(id))

    def _flush(self) -> None:
        rows, self._rows = self._rows, []
        if not rows:
            return
        key = self._named.id or "id"
        if self._resumed:
            again = self._table.delete().where(self._table.columns[key].in_([row[key] for row in rows]))
            self._send(lambda: self._connection.execute(again))
        self._send(lambda: self._connection.execute(self._table.insert(), rows))

    def _send(self, action: Any) -> None:
        try:
            action()
        except sa.exc.SQLAlchemyError as error:  # its message may hold values
            raise ProcessingError("writing to the table", error) from None


def _made(engine: sa.Engine, name: str, named: DocumentColumns, *, resumed: bool) -> sa.Table:
    """Find the table or make it. One that holds rows already is not ours to write into."""
    with engine.begin() as connection:
        inspector = sa.inspect(connection)
        if inspector.has_table(name):
            table = sa.Table(name, sa.MetaData(), autoload_with=connection)
            missing = [column for column in named.names() if column not in table.columns]
            if missing:
                raise UsageError(f"table {name} lacks the column {', '.join(missing)}; choose another table")
            if not resumed and connection.execute(sa.select(sa.literal(1)).select_from(table).limit(1)).first():
                raise UsageError(f"table {name} holds rows already; choose another table or empty it")
            return table
        if resumed:
            raise UsageError(f"cannot resume: there is no table {name}; start again")
        columns = [sa.Column(column, sa.Text, primary_key=column == (named.id or "id")) for column in named.names()]
        table = sa.Table(name, sa.MetaData(), *columns)
        table.create(connection)
        return table
