"""Plain text: one note per file, or one note per line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from innominate.core.document import Document, Rejected
from innominate.core.errors import FormatError
from innominate.core.protocols import SourceFile, Writer
from innominate.formats.decoding import decode_recorded, text_bytes
from innominate.formats.durable import PARTIAL
from innominate.formats.folder_writer import FolderWriter
from innominate.formats.sources import file_id, read_bytes, type_of
from innominate.formats.writing import AppendWriter

# Files of these types have a structure. If no format knows it, to take it for the text of a note would be wrong.
STRUCTURED = {
    *(".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".xml", ".html", ".parquet", ".db", ".sqlite", ".sqlite3"),
    *(".conll", ".iob", ".bio", ".ann", ".pdf", ".doc", ".docx", ".rtf", ".xls", ".xlsx", ".zip", PARTIAL),
}


class TextFormat:
    """One note per file, with the path as its id; with `lines`, one note per line.

    >>> TextFormat().files(Document("n1", "Eva slept."))
    {'.txt': b'Eva slept.'}
    """

    name = "text"
    suffixes: tuple[str, ...] = (".txt",)
    holds_spans = False

    def __init__(self, *, lines: bool = False) -> None:
        self._lines = lines

    @property
    def one_file(self) -> bool:
        """Whether all notes are written into one file."""
        return self._lines

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        """Anything may be a note, except a file of a type that has a structure."""
        return type_of(file) not in STRUCTURED

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Read the file as one note, or each of its lines as one."""
        decoded = decode_recorded(read_bytes(file), file.name)
        meta = {} if decoded.encoding == "utf_8" else {"encoding": decoded.encoding}
        if not self._lines:
            yield Document(file.id, decoded.text, meta=meta)
            return
        for number, line in enumerate(decoded.text.split("\n"), start=1):
            if line.strip():
                yield Document(f"{file.id}:{number}", line.removesuffix("\r"), meta=meta)

    def files(self, document: Document) -> Mapping[str, bytes]:
        """The text, exactly."""
        return {".txt": text_bytes(document.text)}

    def open_writer(self, target: Path | str, resume_at: Mapping[str, Any] | None = None) -> Writer:
        """Write into a folder, or lines into one file."""
        if self._lines:
            return _LinesWriter(target, resume_at)
        return FolderWriter(self, target, resume_at=resume_at)


class OneText(TextFormat):
    """The text of one note in one file, whatever it is called: `deidentify note.txt -o clean.txt`."""

    one_file = True

    def encode(self, document: Document) -> bytes:
        """The text, exactly."""
        return text_bytes(document.text)

    def open_writer(self, target: Path | str, resume_at: Mapping[str, Any] | None = None) -> Writer:
        """Write one file."""
        return _OneNoteWriter(self, target, resume_at)


class _OneNoteWriter(AppendWriter):
    """Has room for one note, which is called as the file is: so it is called when the file is read."""

    def __init__(self, format: OneText, target: Path | str, resume_at: Mapping[str, Any] | None) -> None:
        super().__init__(format, target, resume_at=resume_at)
        self.last_id = file_id(Path(target).name)
        self._full = bool(resume_at and resume_at["full"])

    def write(self, document: Document) -> None:
        """Write the note; a second one is refused."""
        if self._full:
            raise FormatError("the output is one file of text and holds one note; name a folder for several")
        super().write(document)
        self._full = True

    def commit(self) -> Mapping[str, Any]:
        """Force it to disk."""
        return {**super().commit(), "full": self._full}


class _Lines(TextFormat):
    """One note per line in one file. The ids are lost: they become line numbers."""

    def encode(self, document: Document) -> bytes:
        """One line; a note of several lines is refused, because its parts would come back as several notes."""
        if not document.text.strip() or "\n" in document.text or document.text.endswith("\r"):
            raise FormatError(f"{document.id}: one note per line cannot hold an empty note or one of several lines")
        return text_bytes(document.text) + b"\n"


class _LinesWriter(AppendWriter):
    """Counts the lines it writes, because the spans beside the file are found by the number of their line."""

    def __init__(self, target: Path | str, resume_at: Mapping[str, Any] | None) -> None:
        super().__init__(_Lines(), target, resume_at=resume_at)
        self._file_id = file_id(Path(target).name)
        self._lines = int(resume_at["lines"]) if resume_at else 0

    @property
    def last_id(self) -> str:
        """The id that the last document has when the file is read."""
        return f"{self._file_id}:{self._lines}"

    def write(self, document: Document) -> None:
        """Append one line."""
        super().write(document)
        self._lines += 1

    def commit(self) -> Mapping[str, Any]:
        """Force everything to disk."""
        return {**super().commit(), "lines": self._lines}
