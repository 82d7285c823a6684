"""Files of many records as a stream of text, one bad byte harming one record only."""

from __future__ import annotations

import codecs
import io
from typing import TextIO

from innominate.core import UsageError
from innominate.core.protocols import SourceFile
from innominate.formats.decoding import STRAY, decode_leniently
from innominate.formats.sources import HEAD

_MARKS = {
    "utf_16_le": codecs.BOM_UTF16_LE,
    "utf_16_be": codecs.BOM_UTF16_BE,
    "utf_32_le": codecs.BOM_UTF32_LE,
    "utf_32_be": codecs.BOM_UTF32_BE,
}


def open_text(file: SourceFile, *, newline: str, encoding: str | None = None) -> TextIO:
    """Open a file as text without changing a newline; an encoding that is not given is found out from its beginning.

    Bytes that do not fit the encoding are read one by one, or kept apart for `has_undecodable` to find in their record.
    """
    with file.open() as stream:
        head = stream.read(HEAD)
    encoding = encoding or _encoding(head, file.name)
    try:
        codecs.lookup(encoding)
    except LookupError:
        raise UsageError(f"no encoding is called {encoding!r}") from None
    stream = file.open()
    mark = _MARKS.get(encoding, b"")
    if mark and head.startswith(mark):
        stream.read(len(mark))
    errors = STRAY if encoding.lower().replace("_", "-").startswith("utf-8") else "surrogateescape"
    return io.TextIOWrapper(stream, encoding=encoding, errors=errors, newline=newline)


def _encoding(head: bytes, source: str) -> str:
    """Guess from the beginning; a character cut in two at its end says nothing."""
    if len(head) == HEAD:
        try:
            codecs.getincrementaldecoder("utf-8")().decode(head)
        except UnicodeDecodeError:
            head = head[: head.rfind(b"\n") + 1] or head
        else:
            head = head[: head.rfind(b"\n") + 1] or b""
    encoding = decode_leniently(head, source).encoding
    return "utf-8-sig" if encoding == "utf_8" else encoding
