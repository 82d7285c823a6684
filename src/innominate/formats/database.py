"""Tables of databases, read as a stream and written in transactions. Needs SQLAlchemy, which comes with the extra `db`.

A source is a URL such as `sqlite:///notes.db?table=notes&text=body&id=note_id&patient=pid`. Names of tables and columns are
looked up in the database and never become part of a statement as they are; reading opens the database read-only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from innominate.core import Document, FormatError, PluginError, Rejected, UsageError
from innominate.core.protocols import SourceFile
from innominate.formats.json_values import reason_of
from innominate.formats.table_columns import DocumentColumns
from innominate.formats.text_stream import undecodable

if TYPE_CHECKING:
    import sqlalchemy as sa

    from innominate.formats.database_writer import DatabaseWriter

OURS = ("table", "text", "id", "patient", "spans")  # what we take out of the URL before the driver sees it
DRIVERS = {"postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
_ROWS = 500  # fetched at a time


class DatabaseFormat:
    """A table of a database. The options may stand in the URL instead, as table, text, id, patient and spans."""

    name = "database"
    suffixes: tuple[str, ...] = ()
    holds_spans = True

    def __init__(
        self,
        table: str | None = None,
        text_column: str = "text",
        id_column: str | None = None,
        patient_column: str | None = None,
        spans_column: str = "spans",
    ) -> None:
        self.options = {"table": table, "text": text_column, "id": id_column, "patient": patient_column, "spans": spans_column}

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        """A database comes as a URL and never as a file."""
        return isinstance(getattr(file, "url", None), str)

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Yield one document per row, in the order of the primary key."""
        url = getattr(file, "url", None)
        if not isinstance(url, str):
            raise UsageError(f"{file.name}: this is a file; give a database as a URL such as sqlite:///notes.db?table=notes")
        address, options = self._split(url)
        engine = _engine(_read_only(address))
        kind = ""
        try:
            with engine.connect() as connection:
                yield from _documents(connection, options, file)
        except errors() as error:  # its message may hold values
            kind = type(error).__name__
        finally:
            engine.dispose()
        if kind:
            raise FormatError(f"the database cannot be read ({kind})", source=file.name)

    def open_writer(self, target: Path | str, resume_at: Mapping[str, Any] | None = None) -> DatabaseWriter:
        """Write into a table, which is made if it is not there; a transaction ends at each commit."""
        from innominate.formats.database_writer import DatabaseWriter

        if "://" not in str(target):
            raise UsageError("a database is written by its URL, such as sqlite:///notes.db?table=notes")
        address, options = self._split(str(target))
        named = DocumentColumns(str(options["text"]), options["id"] or "id", str(options["spans"]), options["patient"])
        return DatabaseWriter(_engine(address), options["table"] or "notes", named, resumed=resume_at is not None)

    def _split(self, url: str) -> tuple[sa.URL, dict[str, str | None]]:
        """Take our own options out of a URL."""
        sqlalchemy = _sqlalchemy()
        try:
            address = sqlalchemy.make_url(url)
        except (sqlalchemy.exc.ArgumentError, ValueError):
            address = None
        if address is None:
            raise UsageError("this is not a database URL; one looks like sqlite:///notes.db?table=notes")
        given = {key: value for key, value in address.query.items() if key in OURS and isinstance(value, str)}
        driver = DRIVERS.get(address.drivername, address.drivername)
        return address.difference_update_query(OURS).set(drivername=driver), {**self.options, **given}


def open_table(url: str) -> tuple[tuple[str, ...], Callable[[], Iterator[tuple[Any, ...]]]]:
    """The columns of a table, and a function that reads its rows from the beginning."""
    address, options = DatabaseFormat()._split(url)

    def rows() -> Iterator[tuple[Any, ...]]:
        engine = _engine(_read_only(address))
        kind = ""
        try:
            with engine.connect() as connection:
                yield from _plain_rows(connection, options["table"])
        except errors() as error:  # its message may hold values
            kind = type(error).__name__
        finally:
            engine.dispose()
        if kind:
            raise FormatError(f"the database cannot be read ({kind})", source="the database")

    engine = _engine(_read_only(address))
    try:
        with engine.connect() as connection:
            return tuple(_table(connection, options["table"]).columns.keys()), rows
    finally:
        engine.dispose()


def new_table(url: str, columns: Iterable[str]) -> tuple[sa.Connection, sa.Table]:
    """Make a table of text columns in a transaction that the caller ends; one that is there already is not touched."""
    sqlalchemy = _sqlalchemy()
    address, options = DatabaseFormat()._split(url)
    name = options["table"] or "rows"
    connection = _engine(address).connect()
    if sqlalchemy.inspect(connection).has_table(name):
        connection.close()
        raise UsageError(f"there is a table {name} already; name another one, as in ?table=clean")
    table = sqlalchemy.Table(name, sqlalchemy.MetaData(), *(sqlalchemy.Column(c, sqlalchemy.Text) for c in columns))
    table.create(connection)
    return connection, table


def _plain_rows(connection: sa.Connection, name: str | None) -> Iterator[tuple[Any, ...]]:
    sqlalchemy = _sqlalchemy()
    table = _table(connection, name)
    columns = list(table.columns)
    if connection.dialect.name == "sqlite":  # as stored, see `_documents`
        columns = [sqlalchemy.type_coerce(column, sqlalchemy.types.NullType()).label(column.name) for column in columns]
    statement = sqlalchemy.select(*columns).order_by(*table.primary_key.columns)
    for row in connection.execution_options(stream_results=True, yield_per=_ROWS).execute(statement):
        yield tuple(row)


def _sqlalchemy() -> Any:
    try:
        import sqlalchemy
    except ImportError:
        raise PluginError("databases need SQLAlchemy, which is not installed: pip install 'innominate[db]'") from None
    return sqlalchemy


def errors() -> type[Exception]:
    """What the library raises; it is imported only when it is needed."""
    error: type[Exception] = _sqlalchemy().exc.SQLAlchemyError
    return error


def _engine(address: sa.URL) -> sa.Engine:
    sqlalchemy = _sqlalchemy()
    try:
        # the parameters of a statement are texts of notes: no error may show them
        engine: sa.Engine = sqlalchemy.create_engine(address, hide_parameters=True, poolclass=sqlalchemy.pool.NullPool)
    except (ImportError, sqlalchemy.exc.NoSuchModuleError):
        engine = None  # type: ignore[assignment]
    if engine is None:
        raise PluginError(f"the driver for {address.drivername} is not installed: pip install 'innominate[db]'")
    if engine.dialect.name == "sqlite":
        sqlalchemy.event.listen(engine, "connect", _keep_bad_bytes)
    return engine


def _keep_bad_bytes(connection: Any, _record: Any) -> None:
    """SQLite would stop at a text that is not UTF-8, and quote it; so the bytes are kept apart for `undecodable`."""
    connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")


def _read_only(address: sa.URL) -> sa.URL:
    if not address.drivername.startswith("sqlite") or not address.database:
        return address
    path = Path(address.database)
    if not path.is_file():
        raise UsageError(f"{path}: there is no such database")
    return address.set(database=f"file:{quote(str(path.resolve()))}", query={"mode": "ro", "uri": "true"})


def _documents(
    connection: sa.Connection, options: Mapping[str, str | None], file: SourceFile
) -> Iterator[Document | Rejected]:
    sqlalchemy = _sqlalchemy()
    table = _table(connection, options["table"])
    named = _named(table, options)
    named.check(table.columns.keys(), f"table {table.name}")
    columns = list(table.columns)
    if connection.dialect.name == "sqlite":  # as stored: SQLite has dates that are none, and one would end the stream
        columns = [sqlalchemy.type_coerce(column, sqlalchemy.types.NullType()).label(column.name) for column in columns]
    order = list(table.primary_key.columns) or ([table.columns[named.id]] if named.id else [])
    statement = sqlalchemy.select(*columns).order_by(*order)
    settings = {"postgresql_readonly": True} if connection.dialect.name == "postgresql" else {}
    stream = connection.execution_options(stream_results=True, yield_per=_ROWS, **settings)
    for number, row in enumerate(stream.execute(statement).mappings(), start=1):
        yield _entry(named, dict(row), file, number)


def _entry(named: DocumentColumns, row: dict[str, Any], file: SourceFile, number: int) -> Document | Rejected:
    numbered = f"{file.id}:{number}"
    id = named.id_of(row, numbered)
    try:
        if any(isinstance(value, str) and undecodable(value) for value in row.values()):
            raise FormatError("a text that is not UTF-8")
        return named.document(row, id)
    except Exception as error:
        return Rejected(numbered if undecodable(id) else id, reason_of(error), file.name, number)


def _table(connection: sa.Connection, name: str | None) -> sa.Table:
    """Look a table or view up; without a name, take the only one there is."""
    sqlalchemy = _sqlalchemy()
    inspector = sqlalchemy.inspect(connection)
    there = [*inspector.get_table_names(), *inspector.get_view_names()]
    schema = None
    if name is None and len(there) == 1:
        name = there[0]
    elif name is not None and name not in there and "." in name:
        schema, _, name = name.partition(".")
        there = [*inspector.get_table_names(schema=schema), *inspector.get_view_names(schema=schema)]
    if name not in there:
        asked = f"there is no table {name!r}" if name else "name a table, as in ?table=notes"
        raise UsageError(f"{asked}; the tables are: {', '.join(sorted(there)) or 'none'}")
    table: sa.Table = sqlalchemy.Table(name, sqlalchemy.MetaData(), schema=schema, autoload_with=connection)
    return table


def _named(table: sa.Table, options: Mapping[str, str | None]) -> DocumentColumns:
    """The columns by name; without a name for the id `id` is taken, or else the primary key."""
    id, key = options["id"], [column.name for column in table.primary_key.columns]
    if id is None:
        id = "id" if "id" in table.columns or len(key) != 1 else key[0]
    return DocumentColumns(str(options["text"]), id, str(options["spans"]), options["patient"])
