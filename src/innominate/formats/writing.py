"""One place where output is opened, committed, resumed and put under its final name, for all formats."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from innominate.core.document import Document
from innominate.core.errors import UsageError
from innominate.core.protocols import ArrayFormat, FileFormat, FolderFormat, Format, HeadedFormat, Writer, WriterFormat
from innominate.formats.durable import open_private, partial_of, sync_folder
from innominate.formats.folder_writer import FolderWriter, check_folder
from innominate.formats.sidecar import SidecarWriter, sidecar_of
from innominate.formats.sources import is_database

Position = Mapping[str, Any]


def check_target(format: Format, target: Path | str) -> None:
    """Say what is wrong with an output before anything is done for it: a folder where a file is written, or the reverse."""
    if not isinstance(format, WriterFormat | FileFormat | FolderFormat):
        raise UsageError(f"the format {format.name!r} can be read but not written")
    if is_database(str(target)):
        return
    if format.one_file if isinstance(format, WriterFormat) else isinstance(format, FileFormat):
        check_file(target)
    else:
        check_folder(target, format.name)


def open_writer(format: Format, target: Path | str, *, resume_at: Position | None = None, needs_spans: bool = True) -> Writer:
    """Open an output. With the position of an earlier `commit`, go on from there and forget what came after it.

    Unless spans are what it is about, they are left out where the format cannot hold them and nothing can lie beside it.
    """
    writer: Writer
    if isinstance(format, WriterFormat):
        writer = format.open_writer(target, resume_at)
    elif isinstance(format, FileFormat):
        writer = AppendWriter(format, target, resume_at=resume_at)
    elif isinstance(format, FolderFormat):
        writer = FolderWriter(format, target, resume_at=resume_at)
    else:
        raise UsageError(f"the format {format.name!r} can be read but not written")
    if format.holds_spans:
        return writer
    beside = sidecar_of(target)
    if beside is None and not needs_spans:
        return writer
    return SidecarWriter(writer, AppendWriter, beside, resume_at=resume_at)


def take_back(target: Path | str, position: Position) -> None:
    """Make the files of a run that was stopped while they were given their final names partial again, to be resumed."""
    if is_database(str(target)):
        return
    for path in (Path(target), sidecar_of(target) if position.get("spans") else None):
        if path and path.is_file() and not partial_of(path).exists():
            os.replace(path, partial_of(path))


def check_file(target: Path | str) -> None:
    """Refuse a place where one file cannot be written."""
    path = Path(target)
    if path.is_dir():
        raise UsageError(f"{target} is a folder, and this format writes one file; name a file")
    if path.suffix.lower() == ".gz":
        raise UsageError(f"{target}: output is not compressed; leave out the .gz")


class AppendWriter:
    """Appends documents to `target.partial` and renames it when all are written; `-` is standard output.

    A private file can be read by its owner alone.
    """

    def __init__(
        self, format: FileFormat, target: Path | str, *, resume_at: Position | None = None, private: bool = False
    ) -> None:
        self._format = format
        self._target = None if str(target) == "-" else Path(target)
        self._separator = format.separator if isinstance(format, ArrayFormat) else b""
        self._header = format.header() if isinstance(format, HeadedFormat) else b""
        self._offset = 0
        if self._target is None:
            self._file = _standard_output(resume_at)
        else:
            self._file = _open(self._target, resume_at, private=private)
        if resume_at is None:
            self._put(self._header)
        else:
            self._offset = int(resume_at["offset"])

    def write(self, document: Document) -> None:
        """Append one document."""
        data = self._format.encode(document)
        self._put(self._separator + data if self._offset > len(self._header) else data)

    def commit(self) -> Position:
        """Force everything to disk and say how long the file is."""
        self._file.flush()
        if self._target is not None:
            os.fsync(self._file.fileno())
        return {"offset": self._offset}

    def close(self) -> None:
        """Complete the file and give it its name."""
        if isinstance(self._format, ArrayFormat):
            self._put(self._format.footer())
        self.commit()
        self.abandon()
        if self._target is not None:
            os.replace(partial_of(self._target), self._target)
            sync_folder(self._target.parent)

    def abandon(self) -> None:
        """Let go of the file as it is; it keeps its `.partial` name and can be resumed."""
        if self._target is not None:
            self._file.close()

    def _put(self, data: bytes) -> None:
        self._file.write(data)
        self._offset += len(data)


def _standard_output(resume_at: Position | None) -> BinaryIO:
    if resume_at is not None:
        raise UsageError("what went to standard output cannot be resumed; write to a file")
    return sys.stdout.buffer


def _open(target: Path, resume_at: Position | None, *, private: bool) -> BinaryIO:
    check_file(target)
    partial = partial_of(target)
    if resume_at is None:
        target.parent.mkdir(parents=True, exist_ok=True)
        return open_private(partial) if private else partial.open("wb")
    if not partial.exists() or partial.stat().st_size < resume_at["offset"]:
        raise UsageError(f"cannot resume: {partial} is missing or shorter than what was committed; start again")
    file = partial.open("r+b")
    file.truncate(resume_at["offset"])
    file.seek(resume_at["offset"])
    return file
