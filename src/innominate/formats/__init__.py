"""Readers and writers, one file per format. Formats are recognised by what a file holds, not only by its name.

>>> [document.id for document in read_documents(MemoryFile("notes", b'{"id": "n1", "text": "Eva slept."}'))]
['n1']
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from innominate.core import plugins
from innominate.core.document import Document, Rejected
from innominate.core.errors import FormatError, PluginError, UsageError
from innominate.core.protocols import Format, SourceFile
from innominate.core.span import Span
from innominate.formats.decoding import decode
from innominate.formats.reasons import reason_of
from innominate.formats.sidecar import SUFFIX, read_spans, sidecar_of
from innominate.formats.sources import DiskFile, MemoryFile, files_of, folder_of, head_of
from innominate.formats.writing import open_writer

__all__ = [
    "DiskFile",
    "MemoryFile",
    "decode",
    "files_of",
    "format_named",
    "open_writer",
    "read",
    "read_annotated",
    "read_documents",
    "read_spans",
    "recognise",
    "reject_second_ids",
    "write",
]

# Specific before general: each is asked in turn and the first that says yes reads the file. Formats of other packages know
# something that these do not, so they come before all of them.
ORDER = (
    "database",
    "parquet",
    "i2b2",
    "hospital-xml",
    "label-studio",
    "prodigy",
    "doccano",
    "jsonl",
    "brat",
    "conll",
    "mimic",
    "csv",
    "text",
)

Source = str | Path | SourceFile
_log = logging.getLogger(__name__)


def format_named(name: str, **options: Any) -> Format:
    """Construct a format by name.

    >>> format_named("jsonl").suffixes[0]
    '.jsonl'
    """
    format: Format = plugins.load("formats", name, **options)
    return format


def recognise(file: SourceFile) -> Format:
    """Say which format a file has.

    >>> recognise(MemoryFile("notes", b'{"text": "Eva slept.", "label": [[0, 3, "NAME"]]}')).name
    'doccano'
    """
    head = head_of(file)
    for format in _in_order():
        if _recognises(format, file, head):
            return format
    raise FormatError("no format fits; name one with --format", source=file.name)


def read(
    source: Source | Sequence[Source], format: str | Format | None = None, **options: Any
) -> Iterator[Document | Rejected]:
    """Read documents from a file, a folder, a glob, `-`, a database URL, or several of them.

    What cannot be read comes as `Rejected` in its place, and so does the second document of an id. Only a source that is not
    there at all, a format that does not exist or wrong options raise, and they do so at once.
    """
    sources = [source] if isinstance(source, str | Path) or not isinstance(source, Sequence) else list(source)
    chosen = format_named(format, **options) if isinstance(format, str) else format
    if options and chosen is format and chosen is not None:
        raise UsageError("options belong to the name of a format; this one is already constructed")
    files = [(one, _files(one)) for one in sources]
    return reject_second_ids(item for one, found in files for item in _read_source(one, found, chosen, options))


def read_documents(
    source: Source | Sequence[Source], format: str | Format | None = None, **options: Any
) -> Iterator[Document]:
    """Read documents and raise at the first that cannot be read."""
    for item in read(source, format, **options):
        if isinstance(item, Rejected):
            raise FormatError(item.reason, source=item.source or item.id, line=item.line)
        yield item


def read_annotated(source: Source | Sequence[Source], format: str | Format | None = None, **options: Any) -> list[Document]:
    """Read documents to learn from or to measure on; where none of them has a span, the source is not what was meant."""
    documents = list(read_documents(source, format, **options))
    if not any(document.spans for document in documents):
        raise UsageError(f"{source}: no note here has an annotated span, so there is nothing to learn from or to measure on")
    return documents


def write(documents: Iterable[Document], target: Path | str, format: str | Format, **options: Any) -> int:
    """Write all documents and return how many there were. If one cannot be written, nothing gets its final name."""
    writer = open_writer(format_named(format, **options) if isinstance(format, str) else format, target)
    count = 0
    try:
        for document in documents:
            writer.write(document)
            count += 1
        writer.close()
    except BaseException:
        writer.abandon()
        raise
    return count


def _recognises(format: Format, file: SourceFile, head: bytes) -> bool:
    """Ask a format; one that stumbles over a file has not recognised it, and must not cost the note."""
    try:
        return format.recognise(file, head)
    except Exception as error:
        _log.debug("%s: the format %s could not look at it (%s)", file.name, format.name, type(error).__name__)
        return False


@cache
def _in_order() -> tuple[Format, ...]:
    """All formats without options, constructed once: there may be a million small files to recognise."""
    names = plugins.available("formats")
    foreign = sorted(names.keys() - set(ORDER))
    formats: list[Format] = []
    for name in (*foreign, *(name for name in ORDER if name in names)):
        try:
            formats.append(format_named(name))
        except Exception as error:  # an extra that is not installed, a broken plugin: the others work without it
            _log.warning("the format %s cannot be loaded (%s)", name, type(error).__name__)
    return tuple(formats)


def _files(source: Source) -> Iterator[SourceFile]:
    return files_of(source) if isinstance(source, str | Path) else iter([source])


def _read_source(
    source: Source, files: Iterable[SourceFile], format: Format | None, options: dict[str, Any]
) -> Iterator[Document | Rejected]:
    folder = folder_of(source) if isinstance(source, str | Path) else None
    try:
        beside = _spans_beside(folder) if folder else {}
    except Exception as error:  # without their spans the documents would look as if nothing in them were an identifier
        reason = f"the spans beside the folder cannot be read: {reason_of(error)}"
        yield from (Rejected(file.id, reason, file.name) for file in files)
        return
    for file in files:
        yield from _read_file(file, format, options, beside)


def _read_file(
    file: SourceFile, format: Format | None, options: dict[str, Any], beside: dict[str, tuple[Span, ...]]
) -> Iterator[Document | Rejected]:
    """Read one file; whatever happens in it stays in it."""
    try:
        found = format or recognise(file)
        if format is None and options:
            found = format_named(found.name, **options)
        items = found.read(file)
        if not found.holds_spans:
            items = _with_spans(items, {**beside, **_spans_of_file(file)})
        for item in items:
            yield replace(item, source=file.name, format=found.name) if isinstance(item, Document) else item
    except (PluginError, UsageError):
        raise  # wrong options are wrong for every file
    except Exception as error:
        yield Rejected(file.id, reason_of(error), getattr(error, "source", "") or file.name, getattr(error, "line", None))


def _spans_beside(target: Path) -> dict[str, tuple[Span, ...]]:
    path = sidecar_of(target)
    return read_spans(path) if path and path.is_file() else {}


def _spans_of_file(file: SourceFile) -> dict[str, tuple[Span, ...]]:
    sibling = file.sibling(SUFFIX)
    return read_spans(sibling.path) if isinstance(sibling, DiskFile) else {}


def _with_spans(items: Iterable[Document | Rejected], spans: dict[str, tuple[Span, ...]]) -> Iterator[Document | Rejected]:
    for item in items:
        if isinstance(item, Document) and item.id in spans:
            try:
                item = item.with_spans(spans[item.id])
            except Exception as error:
                item = Rejected(item.id, f"the spans beside it do not fit: {reason_of(error)}")
        yield item


def reject_second_ids(items: Iterable[Document | Rejected]) -> Iterator[Document | Rejected]:
    """Withhold the second document of an id: one of the two would overwrite the other. Hashes take less memory than ids."""
    seen: set[int] = set()
    for item in items:
        if isinstance(item, Document):
            if hash(item.id) in seen:
                item = Rejected(item.id, "a second document with this id; ids must be unique in one read", item.source)
            seen.add(hash(item.id))
        yield item
