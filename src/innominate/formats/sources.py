"""Where documents come from: a file, a folder, a glob, standard input or a database.

Nothing is ever copied to a temporary file: standard input stays in memory and compressed files are read as streams.
"""

from __future__ import annotations

import glob
import io
import logging
import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from innominate.core.errors import FormatError, UsageError
from innominate.core.protocols import SourceFile
from innominate.formats.file_names import id_of_name
from innominate.formats.gzip_streams import GZIP_MAGIC, open_gzip

HEAD = 64 * 1024  # bytes that a format may look at to recognise a file
MAX_NOTE = 256 * 1024 * 1024  # bytes of one note, far above any real one; a limit against files that would fill the memory
DATABASES = ("sqlite", "postgresql", "postgres", "mysql", "mariadb", "mssql", "oracle")
STANDS_FOR = {".ann": ".txt"}  # a brat annotation file is never a document of its own if its text is beside it

_URL = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]+)://")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DiskFile:
    """A file on disk, compressed with gzip or not."""

    path: Path
    id: str

    @property
    def name(self) -> str:
        """Its path as it was given."""
        return str(self.path)

    def open(self) -> BinaryIO:
        """Open it from the beginning; what gzip packed is unpacked on the way."""
        stream = self.path.open("rb")
        if stream.peek(2)[:2] == GZIP_MAGIC:
            return open_gzip(stream, self.name)
        return stream

    def sibling(self, suffix: str) -> DiskFile | None:
        """The file of the same name with another suffix, compressed or not."""
        plain = path_without_gz(self.path)
        for path in (plain.with_suffix(suffix), plain.with_suffix(suffix + ".gz")):
            if path.is_file():
                return DiskFile(path, self.id)
        return None


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """Bytes in memory that are read like a file.

    >>> MemoryFile("example", b"Eva slept.").open().read(3)
    b'Eva'
    """

    name: str
    data: bytes = field(repr=False)
    id: str = "stdin"

    def open(self) -> BinaryIO:
        """Open it from the beginning."""
        stream = io.BytesIO(self.data)
        return open_gzip(stream, self.name) if self.data[:2] == GZIP_MAGIC else stream

    def sibling(self, suffix: str) -> None:
        """Nothing lies beside it."""


@dataclass(frozen=True, slots=True)
class DatabaseSource:
    """A database URL. Only the `database` format reads it; its name shows neither user nor password nor options.

    >>> DatabaseSource("postgresql://eva:secret@db.local/notes?sslmode=require").name
    'postgresql://db.local/notes'
    """

    url: str = field(repr=False)

    @property
    def name(self) -> str:
        """The URL without user, password and options."""
        scheme, _, rest = self.url.partition("://")
        return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}"

    @property
    def id(self) -> str:
        """The name of the database."""
        return self.name.rpartition("/")[2] or "database"

    def open(self) -> BinaryIO:
        """A database has no bytes to open."""
        raise FormatError("this is a database: read it with the format 'database'", source=self.name)

    def sibling(self, suffix: str) -> None:
        """Nothing lies beside it."""


def files_of(source: str | Path) -> Iterator[SourceFile]:
    """List the input files of a source in a fixed order. A source that is not there, or is empty, is an error at once."""
    if isinstance(source, str):
        if source == "-":
            return iter([MemoryFile("standard input", sys.stdin.buffer.read())])
        if _URL.match(source):
            return iter([_database(source)])
    path = Path(source)
    if path.is_dir():
        return _at_least_one(_in_folder(path), f"{path}: there is no file in this folder; name one that holds the notes")
    if path.exists():  # a pipe such as /dev/fd/63 is as good as a file
        main = _main_file(path)
        return iter([_read_pipe(path) if not path.is_file() else DiskFile(main, file_id(main.name))])
    if glob.has_magic(str(source)):
        return _at_least_one(_in_glob(str(source)), f"{source}: no file matches; quote the pattern and check the folder")
    raise UsageError(f"{source}: there is no such file or folder; check the path, or use '-' for standard input")


def is_database(source: str) -> bool:
    """Say whether a source or an output is a database URL.

    >>> is_database("sqlite:///notes.db"), is_database("notes.db")
    (True, False)
    """
    return bool(_URL.match(source))


def folder_of(source: str | Path) -> Path | None:
    """The folder that ids are relative to, if the source is a folder or a glob."""
    if Path(source).is_dir():
        return Path(source)
    if Path(source).exists() or not glob.has_magic(str(source)):
        return None
    fixed = list(Path(source).parts)
    while fixed and any(glob.has_magic(part) for part in fixed):
        fixed.pop()
    return Path(*fixed)


def file_id(relative: str) -> str:
    """The id of a document that is a file of its own: the path without its suffix, with `/`.

    >>> file_id("ward 3/note.2021.txt.gz"), file_id("report.17")
    ('ward 3/note.2021', 'report.17')
    """
    path = path_without_gz(Path(relative))
    # `report.17` and `report.18` are two notes: only something that looks like a file type is cut off
    stem = path.with_suffix("") if re.fullmatch(r"\.[A-Za-z][A-Za-z0-9]{0,9}", path.suffix) else path
    return id_of_name(stem.as_posix())


def path_without_gz(path: Path) -> Path:
    """The path without a final `.gz`."""
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


def type_of(file: SourceFile) -> str:
    """The suffix of a file in lower case, whether it is compressed or not.

    >>> type_of(MemoryFile("NOTES.CSV.gz", b""))
    '.csv'
    """
    return path_without_gz(Path(file.name)).suffix.lower()


def head_of(file: SourceFile) -> bytes:
    """The first bytes of a file, from which formats recognise it."""
    if isinstance(file, DatabaseSource):
        return b""
    with file.open() as stream:
        return stream.read(HEAD)


def read_bytes(file: SourceFile) -> bytes:
    """The whole of a file that holds one note, or few; one that is far too large for that is refused."""
    with file.open() as stream:
        data = stream.read(MAX_NOTE + 1)
    if len(data) > MAX_NOTE:
        raise FormatError(f"larger than {MAX_NOTE // 1024**2} MB, too large for one note", source=file.name)
    return data


def _database(url: str) -> DatabaseSource:
    scheme = url.partition(":")[0].lower()
    if scheme.partition("+")[0] not in DATABASES:
        raise UsageError(f"{scheme}: only files and databases are read ({', '.join(DATABASES)}); nothing is downloaded")
    return DatabaseSource(url)


def _read_pipe(path: Path) -> MemoryFile:
    return MemoryFile(str(path), path.read_bytes(), path.stem)


def _at_least_one(files: Iterable[SourceFile], otherwise: str) -> Iterator[SourceFile]:
    """Look for the first file at once, so that an empty source is an error before any work begins."""
    iterator = iter(files)
    for first in iterator:
        return chain([first], iterator)
    raise UsageError(otherwise)


def _in_folder(folder: Path) -> Iterator[SourceFile]:
    root = folder.resolve()

    def refuse(error: OSError) -> None:  # else its notes would be missing, and nobody would know
        raise UsageError(
            f"a folder in {folder} cannot be read ({error.strerror}); make it readable, or leave it out"
        ) from None

    for parent, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(parent, name)
            if name.startswith(".") or _main_file(path) != path or _is_sidecar(path):
                continue
            if path.is_symlink() and path.exists() and not path.resolve().is_relative_to(root):
                _log.warning("%s: a link that leads out of this folder is not followed", folder)  # its own name may tell
            elif path.is_file() or (path.is_symlink() and not path.exists()):  # one that leads nowhere is withheld by name
                yield DiskFile(path, file_id(path.relative_to(folder).as_posix()))


def _in_glob(pattern: str) -> Iterator[SourceFile]:
    folder = folder_of(pattern) or Path()
    seen: set[Path] = set()
    for name in sorted(glob.glob(pattern, recursive=True)):
        path = _main_file(Path(name))
        if path in seen or not path.is_file() or _is_sidecar(path):
            continue
        seen.add(path)
        yield DiskFile(path, file_id(path.relative_to(folder).as_posix()))


def _main_file(path: Path) -> Path:
    """The file that a document is read from: for `note.ann` that is the `note.txt` beside it, if there is one."""
    plain = path_without_gz(path)
    suffix = STANDS_FOR.get(plain.suffix.lower())
    if suffix is None:
        return path
    main = DiskFile(path, "").sibling(suffix)
    return main.path if main else path


def _is_sidecar(path: Path) -> bool:
    """Say whether the file holds only the spans of an output that lies beside it."""
    if not path.name.endswith(".spans.jsonl"):
        return False
    stem = path.name.removesuffix(".spans.jsonl")
    return any(stem in (other.stem, other.name) for other in path.parent.iterdir() if other != path)
