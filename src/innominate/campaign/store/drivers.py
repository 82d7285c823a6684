"""Where a store is, and what differs between a file and a PostgreSQL database."""

from __future__ import annotations

import os
import re
import sqlite3
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from innominate.core import PluginError, UsageError

WAIT = 30.0  # seconds for which a writer waits for another one
_PARAMETER = re.compile(r"(?<!:):([a-z]\w*)")
_LOCK = 4_711_001  # the number of our lock on the schema; any will do that no other program takes


@dataclass(frozen=True, slots=True)
class StoreAddress:
    """A file for SQLite or the URL of a PostgreSQL database. Its name shows neither user nor password nor options.

    >>> StoreAddress.of("contest.db").path.name, StoreAddress.of("postgresql://eva:secret@db.local/contest?sslmode=require").name
    ('contest.db', 'postgresql://db.local/contest')
    """

    name: str
    url: str = field(default="", repr=False)
    path: Path = field(default_factory=Path)

    @property
    def is_sqlite(self) -> bool:
        """Say whether the store is a file."""
        return not self.url

    @classmethod
    def of(cls, store: str | Path) -> StoreAddress:
        """Read an address as people write it: `contest.db`, `sqlite:///contest.db` or `postgresql://...`."""
        text = str(store)
        scheme, separator, rest = text.partition("://")
        if not separator:
            return cls(text, path=Path(text))
        if scheme == "sqlite":
            path = Path(unquote(rest.partition("?")[0].removeprefix("/")))
            return cls(str(path), path=path)
        if scheme.partition("+")[0] in ("postgresql", "postgres"):
            return cls(f"postgresql://{rest.rpartition('@')[2].partition('?')[0]}", f"postgresql://{rest}")
        raise UsageError(f"a store is a file or the URL of a PostgreSQL database, not {scheme}://...")


class Sqlite:
    """A file on a local disk. Readers never wait; writers wait for each other."""

    name = "sqlite"
    serial = "INTEGER PRIMARY KEY AUTOINCREMENT"
    locking = ""  # there is one writer at a time anyway
    migrated = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'"  # whether there is a campaign
    errors = sqlite3.Error

    def __init__(self, address: StoreAddress) -> None:
        self._path = address.path

    def connect(self) -> sqlite3.Connection:
        """Open the file, which must be there."""
        place = f"file:{quote(str(self._path))}?mode=rw"
        connection = sqlite3.connect(place, timeout=WAIT, isolation_level=None, check_same_thread=False, uri=True)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")  # NORMAL would lose commits when the power fails
        connection.execute("PRAGMA foreign_keys = ON")
        return connection

    def begin(self, connection: Any, *, write: bool) -> None:
        """Begin; a writer waits here for its turn, and not at its first change, when it would be too late to wait."""
        connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")

    def statement(self, sql: str) -> str:
        """SQLite knows `:name`."""
        return sql

    def script(self, connection: Any, sql: str) -> None:
        """Run statement by statement: `executescript` would commit."""
        statement = ""
        for line in re.sub(r"(?m)^--.*\n", "", sql).splitlines(keepends=True):
            statement += line
            if sqlite3.complete_statement(statement):
                connection.execute(statement)
                statement = ""

    def alone(self, connection: Any) -> None:
        """A writer is alone."""


def make_file(path: Path) -> None:
    """Make an empty file that only its owner can read, because it will hold notes; SQLite's other files get its rights."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        raise UsageError(f"{path} is there already; choose another name, or go on with it: campaign update") from None
    except FileNotFoundError:
        raise UsageError(f"{path}: there is no folder {path.parent}; make it first") from None


class PostgreSql:
    """A database by its URL. Rows are locked one by one, so people wait only for who is at the same chunk."""

    name = "postgresql"
    serial = "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
    locking = " FOR NO KEY UPDATE"  # rows that refer to this one may still be added
    migrated = "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'migrations'"

    def __init__(self, address: StoreAddress) -> None:
        try:
            import psycopg
        except ImportError:
            raise PluginError("PostgreSQL needs psycopg, which is not installed: pip install 'innominate[db]'") from None
        self._psycopg, self._url = psycopg, address.url
        self.errors: type[Exception] = psycopg.Error

    def connect(self) -> Any:
        """Open a connection; a commit returns when it is on disk, whatever the server's default is."""
        connection = self._psycopg.connect(self._url, connect_timeout=10)
        connection.execute("SET synchronous_commit TO on")
        connection.commit()
        return connection

    def begin(self, connection: Any, *, write: bool) -> None:
        """A transaction begins with its first statement; each statement sees what was committed before it."""

    @staticmethod
    @lru_cache(maxsize=256)
    def statement(sql: str) -> str:
        """Write `:name` as `%(name)s`."""
        return _PARAMETER.sub(r"%(\1)s", sql)

    def script(self, connection: Any, sql: str) -> None:
        """PostgreSQL runs several statements in one go."""
        connection.execute(sql)

    def alone(self, connection: Any) -> None:
        """Take a lock that lasts until the transaction ends."""
        connection.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
