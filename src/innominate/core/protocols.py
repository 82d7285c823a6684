"""What the parts of Innominate look like from outside. Anything with these methods fits; nothing inherits from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Protocol, runtime_checkable

from innominate.core.document import Document, Rejected
from innominate.core.edits import Edit
from innominate.core.span import Span


class SourceFile(Protocol):
    """One input file, wherever it comes from. Readers open it, and may look at its neighbours."""

    @property
    def name(self) -> str:
        """What to call it in messages."""

    @property
    def id(self) -> str:
        """The id of the document if the file holds one document and no id of its own."""

    def open(self) -> BinaryIO:
        """Open it from the beginning, as bytes."""

    def sibling(self, suffix: str) -> SourceFile | None:
        """The file of the same name with another suffix, if there is one."""


@runtime_checkable
class Format(Protocol):
    """A file format. Options such as an XPath or column names are arguments of its constructor.

    It reads one file as a stream; a bad record is yielded as `Rejected` in its place and the rest goes on. It writes either
    into one file (`FileFormat`) or into a folder (`FolderFormat`), and is then only asked for bytes: opening, committing
    and resuming are done in one place for all formats, `innominate.formats.writing`. Or it brings its own (`WriterFormat`).
    """

    name: str
    suffixes: tuple[str, ...]
    holds_spans: bool  # if not, spans go to a `.spans.jsonl` beside the output

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        """Say from the name and the first 64 kB whether this is the format."""

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Yield what the file holds."""


@runtime_checkable
class FileFormat(Format, Protocol):
    """All documents in one file."""

    def encode(self, document: Document) -> bytes:
        """One document as it is appended to the file."""


@runtime_checkable
class HeadedFormat(FileFormat, Protocol):
    """One whose file begins with something, as the names of columns."""

    def header(self) -> bytes:
        """What stands once at the beginning of the file."""


@runtime_checkable
class ArrayFormat(HeadedFormat, Protocol):
    """One whose file is an array: something stands between two documents, and something at the end."""

    separator: bytes

    def footer(self) -> bytes:
        """What stands once at the end of the file."""


@runtime_checkable
class FolderFormat(Format, Protocol):
    """One file, or a few that belong together, per document."""

    def files(self, document: Document) -> Mapping[str, bytes]:
        """The contents of each file by its suffix: `{".txt": ..., ".ann": ...}`."""


@runtime_checkable
class WriterFormat(Format, Protocol):
    """One that brings a writer of its own."""

    @property
    def one_file(self) -> bool:
        """Whether it writes one file, or one table, and not a folder."""

    def open_writer(self, target: Path | str, resume_at: Mapping[str, Any] | None = None) -> Writer:
        """Open an output, or go on with one from the position of an earlier commit."""


@runtime_checkable
class Writer(Protocol):
    """Writes documents one by one. `commit` makes all written so far durable and says where the output stands."""

    def write(self, document: Document) -> None:
        """Write one document."""

    def commit(self) -> Mapping[str, Any]:
        """Force what was written to disk and return a position from which writing can be resumed."""

    def close(self) -> None:
        """Commit, and put the output under its final name."""

    def abandon(self) -> None:
        """Let go of the output; what is not complete keeps its temporary name, and can be resumed."""


@runtime_checkable
class NumberingWriter(Writer, Protocol):
    """One whose documents have other ids when they are read, such as the numbers of their lines."""

    @property
    def last_id(self) -> str:
        """The id that the last document has when it is read."""


@runtime_checkable
class Cleaner(Protocol):
    """One step of pre-processing. It says what it would change and changes nothing."""

    name: str

    def edits(self, text: str) -> list[Edit]:
        """Return the edits that make the cleaned view."""


@runtime_checkable
class Detector(Protocol):
    """Finds identifiers. What else one may be able to do is in the protocols below, each asked for by itself."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def labels(self) -> frozenset[str]:
        """Labels that it can give."""

    def detect(self, document: Document) -> Sequence[Span]:
        """Return spans of the text as given; spans that the document carries are not looked at."""


@runtime_checkable
class BatchDetector(Protocol):
    """A detector that is faster on many documents at once."""

    def detect_many(self, documents: Sequence[Document]) -> list[Sequence[Span]]:
        """Return the spans of each document, in order."""


@runtime_checkable
class ApartDetector(BatchDetector, Protocol):
    """One that may be asked about notes that have nothing to do with each other."""

    @property
    def apart(self) -> bool:
        """Whether what is found in a note does not depend on those beside it."""


@runtime_checkable
class TaxonomyDetector(Protocol):
    """A detector that says in which taxonomy it speaks; others speak that of their language."""

    @property
    def taxonomy(self) -> str:
        """Its name, or nothing for labels of one's own."""


@runtime_checkable
class AfterRulesDetector(Protocol):
    """A detector to which the spans of the rules are evidence, so that they need not run again where they ran already."""

    def after_rules(self, documents: Sequence[Document], by_rules: Sequence[Sequence[Span]]) -> list[Sequence[Span]]:
        """Return the spans of each document, given those of the rules."""


@runtime_checkable
class Concealer(Protocol):
    """Turns spans into edits that hide them."""

    name: str

    def edits(self, document: Document) -> list[Edit]:
        """Return one edit per span; the spans do not overlap."""
