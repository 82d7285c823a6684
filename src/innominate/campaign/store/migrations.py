"""The schema and its numbered migrations, which are SQL files; a file for one database has its name in front of `.sql`."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from innominate.campaign.store.database import Transaction
from innominate.core import UsageError

_NAME = re.compile(r"(?P<number>\d{3})_\w+(?:\.(?P<database>\w+))?\.sql")


def is_there(transaction: Transaction) -> bool:
    """Say whether the database holds a campaign."""
    tables = {
        "sqlite": "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'",
        "postgresql": "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'migrations'",
    }
    return transaction.row(tables[transaction.driver.name]) is not None


def missing(transaction: Transaction) -> list[int]:
    """The numbers of the migrations that a store still needs."""
    done = {row[0] for row in transaction.rows("SELECT number FROM migrations")}
    wanted = migrations(transaction.driver.name)
    if done - wanted.keys():
        raise UsageError("this store was made by a newer version of Innominate; use that version")
    return sorted(wanted.keys() - done)


def migrate(transaction: Transaction, now: float) -> None:
    """Make the schema, or bring it up to date, while nobody else does."""
    transaction.alone()
    if not is_there(transaction):
        transaction.run("CREATE TABLE migrations (number INTEGER PRIMARY KEY, at DOUBLE PRECISION NOT NULL)")
    for number in missing(transaction):
        transaction.script(migrations(transaction.driver.name)[number])
        transaction.run("INSERT INTO migrations (number, at) VALUES (:number, :at)", number=number, at=now)


@cache
def migrations(database: str) -> dict[int, str]:
    """The scripts for one database by their numbers.

    >>> sorted(migrations("sqlite")) == sorted(migrations("postgresql"))
    True
    """
    scripts: dict[int, str] = {}
    for entry in (files("innominate.campaign.store") / "data").iterdir():
        name = _NAME.fullmatch(entry.name)
        if name and name["database"] in (None, database):
            scripts[int(name["number"])] = entry.read_text(encoding="utf-8")
    return scripts
