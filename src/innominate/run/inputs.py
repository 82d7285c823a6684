"""The input of a run: several sources read as one stream."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from innominate.core import Document, Rejected, UsageError
from innominate.core.protocols import SourceFile
from innominate.formats import read, read_documents, recognise
from innominate.formats.sources import DatabaseSource, files_of, is_database, type_of

_WITHOUT_METADATA = ("text", "brat", "conll")


class Source(Protocol):
    """What a run reads."""

    def names(self) -> list[str]:
        """What the record calls it, without any password."""

    def items(self) -> Iterator[Document | Rejected]:
        """Yield what the source holds, in order."""

    def can_be_read_again(self) -> bool:
        """Whether a second look finds the same."""

    def have_no_metadata(self) -> bool:
        """Whether the notes can say nothing about themselves."""

    def fingerprint(self) -> str:
        """A hash that changes with the input."""

    def size(self) -> int:
        """Bytes of input, as far as they can be known."""

    def count(self) -> int | None:
        """How many notes there will be, if that is known."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """Sources, and how to read them. Standard input and databases are read once, when asked for."""

    sources: tuple[str, ...]
    format: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    patient_from: str = ""  # an expression whose first group is the patient in the path of a file

    def __post_init__(self) -> None:
        if self.patient_from:
            _check_expression(self.patient_from)

    def names(self) -> list[str]:
        """The sources without passwords; files that a shell has listed are counted, because their names may tell a patient."""
        listed = self.listed()
        others = [name_without_password(source) for source in self.sources if source not in listed]
        return [*others, f"{len(listed)} files"] if listed else others

    def listed(self) -> list[str]:
        """The files among the sources, if there are several."""
        files = [source for source in self.sources if source != "-" and Path(source).is_file()]
        return files if len(files) > 1 else []

    def items(self) -> Iterator[Document | Rejected]:
        """Yield what the sources hold, in order."""
        items = read(list(self.sources), self.format, **self.options)
        return map(self._with_patient, items) if self.patient_from else items

    def documents(self) -> Iterator[Document]:
        """Yield the documents; raise at the first that cannot be read."""
        return read_documents(list(self.sources), self.format, **self.options)

    def _with_patient(self, item: Document | Rejected) -> Document | Rejected:
        found = re.search(self.patient_from, item.source) if isinstance(item, Document) else None
        if not isinstance(item, Document) or not found or not found[1]:
            return item
        return replace(item, meta={**item.meta, "patient": found[1]})

    def _paths(self) -> list[Path]:
        """The files behind the sources, as far as they are files."""
        sources = [source for source in self.sources if source != "-" and "://" not in source]
        return [Path(file.name) for source in sources for file in files_of(source)]

    def file_count(self) -> int:
        """How many files there are; standard input and databases are not among them."""
        return len(self._paths())

    def size(self) -> int:
        """Bytes of input, as far as they can be known."""
        return sum(path.stat().st_size for path in self._paths() if path.is_file())

    def count(self) -> int | None:
        """How many notes there will be, if every file is one note; None if only reading can tell."""
        paths = self._paths()
        if len(paths) < len(self.sources) or not paths:
            return None
        return len(paths) if len(paths) > len(self.sources) else None

    def fingerprint(self) -> str:
        """A hash of names, sizes and times of change of the input files, to notice that a resumed run reads other input."""
        asked = (self.sources, self.format, sorted(self.options.items()), self.patient_from)
        digest = hashlib.sha256(repr(asked).encode())
        for path in self._paths():
            state = path.lstat()  # a link that leads nowhere is withheld when it is read
            digest.update(repr((str(path), state.st_size, state.st_mtime_ns)).encode())
        return digest.hexdigest()[:16]

    def can_be_read_again(self) -> bool:
        """Whether a second look finds the same; not so for standard input and pipes."""
        return all(source != "-" and ("://" in source or not _is_pipe(Path(source))) for source in self.sources)

    def have_no_metadata(self) -> bool:
        """Whether the notes can say nothing about themselves, as plain texts."""
        if self.patient_from:
            return False
        if self.format:
            return self.format in _WITHOUT_METADATA
        return all(type_of(file) in (".txt", ".ann") for source in self.sources for file in files_of(source))

    def first_file(self) -> SourceFile:
        """The first of the files."""
        return next(files_of(self.sources[0]))

    def first_format(self) -> str:
        """The name of the format of the first file; standard input, which can be read but once, is written as JSONL."""
        if self.format:
            return self.format
        return "jsonl" if self.sources[0] == "-" else recognise(self.first_file()).name


def name_without_password(place: str) -> str:
    """A source or an output as it may be shown.

    >>> name_without_password("postgresql://eva:secret@db.local/notes"), name_without_password("notes/")
    ('postgresql://db.local/notes', 'notes/')
    """
    return DatabaseSource(place).name if is_database(place) else place


def show_command(arguments: Sequence[str], listed: Collection[str] = ()) -> list[str]:
    """A command as a record may show it: no user and password of a database, and files that a shell has listed counted.

    >>> show_command(["innominate", "detect", "7.txt", "8.txt", "-o", "db://eva:secret@host/notes"], ["7.txt", "8.txt"])
    ['innominate', 'detect', '2 files', '-o', 'db://host/notes']
    """
    shown: list[str] = []
    for argument in arguments:
        if argument in listed:
            shown += [f"{len(listed)} files"] * (f"{len(listed)} files" not in shown)
            continue
        before, url, after = argument.partition("://")
        scheme = re.search(r"[A-Za-z][A-Za-z0-9+.-]*$", before) if url else None
        if scheme:
            argument = before[: scheme.start()] + name_without_password(scheme[0] + url + after)
        shown.append(re.sub(r"(?i)((?:password|passphrase|secret|token)=).*", r"\1...", argument))
    return shown


def _check_expression(expression: str) -> None:
    try:
        groups = re.compile(expression).groups
    except re.error as error:
        raise UsageError(f"--patient-from {expression!r} is no regular expression: {error}") from None
    if not groups:
        raise UsageError(rf"--patient-from {expression!r} has no group, which says where the patient is, as in '/(\d+)_'")


def _is_pipe(path: Path) -> bool:
    return path.exists() and not (path.is_file() or path.is_dir())
