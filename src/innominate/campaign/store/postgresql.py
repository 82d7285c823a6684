"""PostgreSQL: for many annotators at once. Needs psycopg, which comes with the extra `db`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from innominate.campaign.store.address import StoreAddress
from innominate.core import PluginError

_PARAMETER = re.compile(r"(?<!:):([a-z]\w*)")
_LOCK = 4_711_001  # the number of our lock on the schema; any will do that no other program takes


class PostgreSql:
    """A database by its URL. Rows are locked one by one, so people wait only for who is at the same chunk."""

    name = "postgresql"
    serial = "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
    locking = " FOR NO KEY UPDATE"  # rows that refer to this one may still be added

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

    def statement(self, sql: str) -> str:
        """Write `:name` as `%(name)s`."""
        return _converted(sql)

    def script(self, connection: Any, sql: str) -> None:
        """PostgreSQL runs several statements in one go."""
        connection.execute(sql)

    def alone(self, connection: Any) -> None:
        """Take a lock that lasts until the transaction ends."""
        connection.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")


@lru_cache(maxsize=256)
def _converted(sql: str) -> str:
    return _PARAMETER.sub(r"%(\1)s", sql)
