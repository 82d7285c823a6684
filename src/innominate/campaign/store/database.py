"""One way to speak to SQLite and to PostgreSQL: transactions, named parameters, commits that are on disk, and the schema.

Statements are written once, with `:name` for parameters. SQLite comes with Python; PostgreSQL needs the extra `db`. Migrations
are numbered SQL files; one for one database has its name in front of `.sql`.
"""

from __future__ import annotations

import contextlib
import re
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from queue import Empty, LifoQueue
from typing import Any

from innominate.campaign.store.drivers import PostgreSql, Sqlite, StoreAddress
from innominate.core import InnominateError, UsageError

Driver = Sqlite | PostgreSql  # what differs between two databases; everything else is the same SQL
Row = Sequence[Any]
_NAME = re.compile(r"(?P<number>\d{3})_\w+(?:\.(?P<database>\w+))?\.sql")


class StoreError(InnominateError):
    """The store could not do what was asked, or could not say that it did. To ask again does no harm."""


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

    def count(self, sql: str, **parameters: Any) -> int:
        """Run a query for one number; 0 if there is none."""
        row = self.row(sql, **parameters)
        return int(row[0]) if row and row[0] else 0

    def locked(self, sql: str, **parameters: Any) -> Row | None:
        """Like `row`; nobody else can lock the same row before the transaction ends."""
        return self.row(sql + self.driver.locking, **parameters)

    def run(self, sql: str, **parameters: Any) -> None:
        """Run a statement that changes something."""
        self._connection.execute(self.driver.statement(sql), parameters)

    def insert(self, table: str, /, *, replaces: Sequence[str] = (), **values: Any) -> None:
        """Add a row. With `replaces`, a row that has the same values in these columns gets the other ones."""
        others = ", ".join(f"{name} = excluded.{name}" for name in values if name not in replaces)
        more = f" ON CONFLICT ({', '.join(replaces)}) DO UPDATE SET {others}" if replaces else ""
        self.run(_insertion(table, values) + more, **values)

    def insert_many(self, table: str, rows: Sequence[Mapping[str, Any]], more: str = "") -> None:
        """Add rows that have the same columns."""
        if rows:
            self._connection.cursor().executemany(self.driver.statement(_insertion(table, rows[0]) + more), rows)

    def script(self, sql: str) -> None:
        """Run several statements, such as a migration."""
        self.driver.script(self._connection, sql.replace("{serial}", self.driver.serial))

    def alone(self) -> None:
        """Wait until no other process changes the schema."""
        self.driver.alone(self._connection)


def _insertion(table: str, names: Iterable[str]) -> str:
    names = list(names)
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(f':{name}' for name in names)})"


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
    while not idle.empty():
        with contextlib.suppress(Empty, errors):
            idle.get_nowait().close()


def is_there(transaction: Transaction) -> bool:
    """Say whether the database holds a campaign."""
    return transaction.row(transaction.driver.migrated) is not None


def missing_migrations(transaction: Transaction) -> list[int]:
    """The numbers of the migrations that a store still needs."""
    done = {row[0] for row in transaction.rows("SELECT number FROM migrations")}
    wanted = read_migrations(transaction.driver.name)
    if done - wanted.keys():
        raise UsageError("this store was made by a newer version of Innominate; use that version")
    return sorted(wanted.keys() - done)


def migrate(transaction: Transaction, now: float) -> None:
    """Make the schema, or bring it up to date, while nobody else does."""
    transaction.alone()
    if not is_there(transaction):
        transaction.run("CREATE TABLE migrations (number INTEGER PRIMARY KEY, at DOUBLE PRECISION NOT NULL)")
    for number in missing_migrations(transaction):
        transaction.script(read_migrations(transaction.driver.name)[number])
        transaction.insert("migrations", number=number, at=now)


@cache
def read_migrations(database: str) -> dict[int, str]:
    """The scripts for one database by their numbers.

    >>> sorted(read_migrations("sqlite")) == sorted(read_migrations("postgresql"))
    True
    """
    scripts: dict[int, str] = {}
    for entry in (files("innominate.campaign.store") / "data").iterdir():
        name = _NAME.fullmatch(entry.name)
        if name and name["database"] in (None, database):
            scripts[int(name["number"])] = entry.read_text(encoding="utf-8")
    return scripts
