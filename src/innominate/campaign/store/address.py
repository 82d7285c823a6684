"""Where a store is: a file, or a database by its URL."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from innominate.core import UsageError


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
