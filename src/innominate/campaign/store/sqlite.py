"""SQLite: one file, one writer at a time, every commit forced to disk."""

from __future__ import annotations

import os
import re
import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import quote

from innominate.campaign.store.address import StoreAddress
from innominate.core import UsageError

WAIT = 30.0  # seconds for which a writer waits for another one


class Sqlite:
    """A file on a local disk. Readers never wait; writers wait for each other."""

    name = "sqlite"
    serial = "INTEGER PRIMARY KEY AUTOINCREMENT"
    locking = ""  # there is one writer at a time anyway
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
