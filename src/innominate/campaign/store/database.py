"""One way to speak to SQLite and to PostgreSQL: transactions, named parameters, and commits that are on disk.

Statements are written once, with `:name` for parameters. SQLite comes with Python; PostgreSQL needs the extra `db`.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Iterator, Mapping, Sequence
from queue import Empty, LifoQueue
from typing import Any, Protocol

from innominate.campaign.store.address import StoreAddress
from innominate.campaign.store.postgresql import PostgreSql
from innominate.campaign.store.sqlite import Sqlite
from innominate.core import InnominateError

Row = Sequence[Any]


class StoreError(InnominateError):
    """The store could not do what was asked, or could not say that it did. To ask again does no harm."""


class Driver(Protocol):
    """What differs between two databases. Everything else is the same SQL."""

    @property
    def name(self) -> str:
        """What the database is called."""

    @property
    def serial(self) -> str:
        """The type of a column with a number that the database gives."""

    @property
    def locking(self) -> str:
        """What makes a SELECT keep its rows until the transaction ends."""

    @property
    def errors(self) -> type[Exception]:
        """What it raises."""

    def connect(self) -> Any:
        """Open a connection on which nothing is committed by itself."""

    def begin(self, connection: Any, *, write: bool) -> None:
        """Begin a transaction. One that writes sees everything that was committed before it."""

    def statement(self, sql: str) -> str:
        """Write `:name` as this database wants it."""

    def script(self, connection: Any, sql: str) -> None:
        """Run several statements inside the transaction."""

    def alone(self, connection: Any) -> None:
        """Wait until no other process changes the schema."""


class Transaction:
    """Statements that are committed together or not at all."""

    def __init__(self, driver: Driver, connection: Any) -> None:
        self.driver, self._connection = driver, connection

    def rows(self, sql: str, **parameters: Any) -> list[Row]:
        """Run a query and return all rows."""
        return list(self._connection.execute(self.driver.statement(sql), parameters).fetchall())

    def row(self, sql: str, **parameters: Any) -> Row | None:
        """Run a query and return its first row, if there is one."""
        found = self.rows(sql, **parameters)
        return found[0] if found else None

    def locked(self, sql: str, **parameters: Any) -> Row | None:
        """Like `row`; nobody else can lock the same row before the transaction ends."""
        return self.row(sql + self.driver.locking, **parameters)

    def run(self, sql: str, **parameters: Any) -> None:
        """Run a statement that changes something."""
        self._connection.execute(self.driver.statement(sql), parameters)

    def run_many(self, sql: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run a statement once per row."""
        if rows:
            self._connection.cursor().executemany(self.driver.statement(sql), rows)

    def script(self, sql: str) -> None:
        """Run several statements, such as a migration."""
        self.driver.script(self._connection, sql.replace("{serial}", self.driver.serial))

    def alone(self) -> None:
        """Wait until no other process changes the schema."""
        self.driver.alone(self._connection)


class Database:
    """Opens connections when they are needed and keeps the idle ones; safe to use from many threads."""

    def __init__(self, address: StoreAddress) -> None:
        self.address = address
        self._driver: Driver = Sqlite(address) if address.is_sqlite else PostgreSql(address)
        self._idle: LifoQueue[Any] = LifoQueue()
        weakref.finalize(self, _close_all, self._idle, self._driver.errors)  # who forgets to close leaves nothing open

    @contextlib.contextmanager
    def transaction(self, *, write: bool = True) -> Iterator[Transaction]:
        """Yield a transaction. When the block is left without an error it is committed, and on disk."""
        connection, kind = None, ""
        try:
            connection = self._connection()
            self._driver.begin(connection, write=write)
            yield Transaction(self._driver, connection)
            connection.commit()
        except self._driver.errors as error:  # its message may hold values
            kind = type(error).__name__
        except BaseException:
            self._discard(connection)
            raise
        else:
            self._idle.put(connection)
        if kind:
            self._discard(connection)
            self.close()  # if the server was restarted, all of them are broken
            raise StoreError(f"{self.address.name}: this was not saved for certain ({kind}); send it again")

    def close(self) -> None:
        """Close the idle connections."""
        _close_all(self._idle, self._driver.errors)

    def _connection(self) -> Any:
        try:
            return self._idle.get_nowait()
        except Empty:
            return self._driver.connect()

    def _discard(self, connection: Any) -> None:
        """Close a connection, which rolls back what was not committed; one that is broken already is no loss."""
        if connection is not None:
            with contextlib.suppress(self._driver.errors):
                connection.close()


def _close_all(idle: LifoQueue[Any], errors: type[Exception]) -> None:
    with contextlib.suppress(Empty):
        while True:
            connection = idle.get_nowait()
            with contextlib.suppress(errors):
                connection.close()
