"""Files of many records as a stream of text, one bad byte harming one record only."""

from __future__ import annotations

import codecs
import io
import re
from typing import TextIO

from innominate.core import UsageError
from innominate.core.protocols import SourceFile
from innominate.formats.decoding import decode_recorded
from innominate.formats.sources import HEAD

_MARKS = {
    "utf_16_le": codecs.BOM_UTF16_LE,
    "utf_16_be": codecs.BOM_UTF16_BE,
    "utf_32_le": codecs.BOM_UTF32_LE,
    "utf_32_be": codecs.BOM_UTF32_BE,
}
_ESCAPED = re.compile("[\udc80-\udcff]")


def open_text(file: SourceFile, *, newline: str, encoding: str | None = None) -> TextIO:
    """Open a file as text without changing a newline; an encoding that is not given is found out from its beginning.

    Bytes that do not fit the encoding are kept apart as half surrogates, for `has_undecodable` to find in their record.
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
    return io.TextIOWrapper(stream, encoding=encoding, errors="surrogateescape", newline=newline)


def has_undecodable(text: str) -> bool:
    """Say whether a piece of such a file holds bytes that were no text in its encoding."""
    return not text.isascii() and _ESCAPED.search(text) is not None


def _encoding(head: bytes, source: str) -> str:
    """Guess from the beginning; a character cut in two at its end says nothing."""
    if len(head) == HEAD:
        try:
            codecs.getincrementaldecoder("utf-8")().decode(head)
        except UnicodeDecodeError:
            head = head[: head.rfind(b"\n") + 1] or head
        else:
            head = head[: head.rfind(b"\n") + 1] or b""
    encoding = decode_recorded(head, source).encoding
    return "utf-8-sig" if encoding == "utf_8" else encoding
