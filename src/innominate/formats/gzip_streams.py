"""Gzip streams, with a guard against files that unpack to something enormous."""

from __future__ import annotations

import gzip
import io
import zlib
from typing import BinaryIO, cast

from innominate.core.errors import FormatError

GZIP_MAGIC = b"\x1f\x8b"
FREE = 64 * 1024 * 1024  # bytes that any file may unpack to
MAX_RATIO = 200  # text shrinks to a third or a tenth; hostile files to a thousandth


class _Guarded(io.RawIOBase):
    """Unpacks a stream and refuses to go on when it grows out of proportion. Nothing unpacked is kept."""

    def __init__(self, packed: BinaryIO, name: str) -> None:
        self._packed, self._name = packed, name
        self._stream = gzip.GzipFile(fileobj=packed)
        self._unpacked = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # typeshed wants its own Buffer
        try:
            chunk = self._stream.read1(len(buffer))
        except (OSError, EOFError, zlib.error):
            raise FormatError("the gzip file is damaged or cut off", source=self._name) from None
        self._unpacked += len(chunk)
        if self._unpacked > FREE and self._unpacked > MAX_RATIO * self._packed.tell():
            raise FormatError(f"unpacks to more than {MAX_RATIO} times its size; unpack it by hand", source=self._name)
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def close(self) -> None:
        self._stream.close()
        self._packed.close()
        super().close()


def open_gzip(packed: BinaryIO, name: str) -> BinaryIO:
    """Open a gzip stream for reading.

    >>> open_gzip(io.BytesIO(gzip.compress(b"Eva slept.")), "note.txt.gz").read()
    b'Eva slept.'
    """
    return cast(BinaryIO, io.BufferedReader(_Guarded(packed, name), buffer_size=256 * 1024))
