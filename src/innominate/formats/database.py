"""Tables of databases, read as a stream and written in transactions. Needs SQLAlchemy, which comes with the extra `db`.

A source is a URL such as `sqlite:///notes.db?table=notes&text=body&id=note_id&patient=pid`. Names of tables and columns are
looked up in the database and never become part of a statement as they are; reading opens the database read-only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from innominate.core import Document, FormatError, PluginError, Rejected, UsageError
from innominate.core.protocols import SourceFile
from innominate.formats.rows import NumberedRow, Rows
from innominate.formats.sources import DatabaseSource, is_database
from innominate.formats.table_columns import DocumentColumns

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
    one_file = True

    def __init__(
        self,
        *,
        table: str | None = None,
        text_column: str = "text",
        id_column: str | None = None,
        patient_column: str | None = None,
        spans_column: str = "spans",
    ) -> None:
        self.options = {"table": table, "text": text_column, "id": id_column, "patient": patient_column, "spans": spans_column}

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        """A database comes as a URL and never as a file."""
        return isinstance(file, DatabaseSource)

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Yield one document per row, in the order of the primary key."""
        if not isinstance(file, DatabaseSource):
            raise UsageError(f"{file.name}: this is a file; give a database as a URL such as sqlite:///notes.db?table=notes")
        address, given = split_url(file.url)
        options = {**self.options, **given}
        with _connect(address, file.name) as connection:
            table = _find_table(connection, options["table"])
            named = _document_columns(table, options)
            named.check(table.columns.keys(), f"table {table.name}")
            yield from named.documents(table.columns.keys(), _read_rows(connection, table, named.id), file)

    def open_writer(self, target: Path | str, resume_at: Mapping[str, Any] | None = None) -> DatabaseWriter:
        """Write into a table, which is made if it is not there; a transaction ends at each commit."""
        if not is_database(str(target)):
            raise UsageError("a database is written by its URL, such as sqlite:///notes.db?table=notes")
        address, given = split_url(str(target))
        from innominate.formats.database_writer import DatabaseWriter, TableToWrite

        options = {**self.options, **given}
        id = options["id"] or "id"
        named = DocumentColumns(str(options["text"]), id, str(options["spans"]), options["patient"])
        table = TableToWrite(options["table"] or "notes", named.names(), id)
        return DatabaseWriter(make_engine(address), table, named.text_row, resumed=resume_at is not None)


def open_rows(source: DatabaseSource) -> Rows:
    """Open a table as rows of cells."""
    address, options = split_url(source.url)

    def read() -> Iterator[NumberedRow]:
        with _connect(address, source.name) as connection:
            yield from _read_rows(connection, _find_table(connection, options.get("table")))

    with _connect(address, source.name) as connection:
        columns = _find_table(connection, options.get("table")).columns.keys()
    return Rows(source.name, source.id, tuple(columns), read)


def open_rows_writer(url: str, columns: Iterable[str], row_of: Callable[[Document], dict[str, Any]]) -> DatabaseWriter:
    """Write a table with columns of text and no key."""
    address, options = split_url(url)
    from innominate.formats.database_writer import DatabaseWriter, TableToWrite

    return DatabaseWriter(make_engine(address), TableToWrite(options.get("table", "rows"), list(columns)), row_of)


def split_url(url: str) -> tuple[sa.URL, dict[str, str]]:
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
    return address.difference_update_query(OURS).set(drivername=driver), given


@contextmanager
def _connect(address: sa.URL, source: str) -> Iterator[sa.Connection]:
    """Connect for reading. Of an error of the library, whose message may hold values, only the kind is told."""
    engine, kind = make_engine(read_only(address)), ""
    try:
        with engine.connect() as connection:
            yield connection
    except _sqlalchemy().exc.SQLAlchemyError as error:
        kind = type(error).__name__
    finally:
        engine.dispose()
    if kind:
        raise FormatError(f"the database cannot be read ({kind})", source=source)


def _sqlalchemy() -> Any:
    try:
        import sqlalchemy
    except ImportError:
        raise PluginError("databases need SQLAlchemy, which is not installed: pip install 'innominate[db]'") from None
    return sqlalchemy


def make_engine(address: sa.URL) -> sa.Engine:
    """Make the engine that opens connections; nothing is opened yet."""
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
    """SQLite would stop at a text that is not UTF-8, and quote it; so the bytes are kept apart for `has_undecodable`."""
    connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")


def read_only(address: sa.URL) -> sa.URL:
    """The same database, in which nothing can be changed where the driver allows to say so; one must be there."""
    if not address.drivername.startswith("sqlite") or not address.database:
        return address
    path = Path(address.database)
    if not path.is_file():
        raise UsageError(f"{path}: there is no such database")
    return address.set(database=f"file:{quote(str(path.resolve()))}", query={"mode": "ro", "uri": "true"})


def _read_rows(connection: sa.Connection, table: sa.Table, id: str | None = None) -> Iterator[NumberedRow]:
    """Stream the rows in the order of the primary key, or else of the id."""
    sqlalchemy = _sqlalchemy()
    columns = list(table.columns)
    if connection.dialect.name == "sqlite":  # as stored: SQLite has dates that are none, and one would end the stream
        columns = [sqlalchemy.type_coerce(column, sqlalchemy.types.NullType()).label(column.name) for column in columns]
    order = list(table.primary_key.columns) or ([table.columns[id]] if id else [])
    settings = {"postgresql_readonly": True} if connection.dialect.name == "postgresql" else {}
    stream = connection.execution_options(stream_results=True, yield_per=_ROWS, **settings)
    yield from enumerate(stream.execute(sqlalchemy.select(*columns).order_by(*order)), start=1)


def _find_table(connection: sa.Connection, name: str | None) -> sa.Table:
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


def _document_columns(table: sa.Table, options: Mapping[str, str | None]) -> DocumentColumns:
    """The columns by name; without a name for the id `id` is taken, or else the primary key."""
    id, key = options["id"], [column.name for column in table.primary_key.columns]
    if id is None:
        id = "id" if "id" in table.columns or len(key) != 1 else key[0]
    return DocumentColumns(str(options["text"]), id, str(options["spans"]), options["patient"])
