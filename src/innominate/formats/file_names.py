"""Document ids as file names, and back.

An id becomes a path below the output folder, `/` making folders. What no file system or shell should meet is written as
percent and two hexadecimal digits of UTF-8, as in URLs: control characters, `% < > : " | ? * \\`, a dot, dash, tilde or space
in front, a dot or space at the end, the first letter of names such as `CON`, the last dot of a folder called `a.txt`.
Four signs that no encoded character can give complete it: `%_` is an empty part of a path, `%-` at the end of a folder's
name says that the part goes on in the next one, `%~2` marks a second id that differs from another one only in case or accents.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from innominate.core.errors import FormatError

MAX_PART = 180  # bytes of one part; file systems allow 255, and a suffix and `.partial` are added
MAX_NAME = 3000  # bytes of the whole; Linux allows 4096 with the folder before it

_UNSAFE = re.compile(r'[%<>:"|?*\\\x00-\x1f\x7f]')
_DEVICE = re.compile(r"(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)")
_FILE_TYPE = re.compile(r"\.(?=[A-Za-z][A-Za-z0-9]{0,9}$)")
_ENCODED = re.compile(r"(?:%[0-9A-F]{2})+")
_AGAIN = re.compile(r"%~[0-9]+$")


def name_of_id(id: str) -> str:
    """The path, without suffix, under which a document is written.

    >>> name_of_id("ward 3/note 1"), name_of_id("../etc/passwd"), name_of_id("a:b.")
    ('ward 3/note 1', '%2E%2E/etc/passwd', 'a%3Ab%2E')
    """
    *folders, last = id.split("/")
    parts = [_FILE_TYPE.sub("%2E", _encode(folder)) for folder in folders] + [_encode(last)]
    name = "/".join(parts)
    if len(name.encode()) > MAX_NAME:
        raise FormatError(f"an id of {len(id)} characters is too long to be a file name")
    return name


def name_in_folder(id: str) -> str:
    """The name of a file that lies in a folder itself, whatever the id holds.

    >>> name_in_folder("eva"), name_in_folder("../../etc/passwd")
    ('eva', '%2E%2E%2F%2E%2E%2Fetc%2Fpasswd')
    """
    return name_of_id(id).replace("/", "%2F")


def id_of_name(name: str) -> str:
    """The id that a path was made from; a path that was not made from an id is an id itself.

    >>> id_of_name("%2E%2E/etc/passwd"), id_of_name("100%25 sure"), id_of_name("100% sure"), id_of_name("a%20b")
    ('../etc/passwd', '100% sure', '100% sure', 'a%20b')
    """
    if "%" not in name:
        return name
    first = _AGAIN.sub("", name)
    parts = first.replace("%-/", "").split("/")
    try:
        id = "/".join("" if part == "%_" else _ENCODED.sub(_decode, part) for part in parts)
        return id if name_of_id(id) == first else name
    except (UnicodeDecodeError, FormatError):
        return name


def numbered_name(name: str, count: int) -> str:
    """The name for the count-th id whose name is the same on a file system that ignores case.

    >>> numbered_name("a", 1), numbered_name("a", 2)
    ('a', 'a%~2')
    """
    return name if count == 1 else f"{name}%~{count}"


def fold_name(name: str) -> str:
    """What is left of a name where neither case nor the way accents are written counts.

    >>> fold_name("Ärzte") == fold_name("a\u0308rzte")
    True
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _encode(part: str) -> str:
    """One part of a path; a long one goes on in further folders."""
    return "%-/".join(_pieces(part)) if part else "%_"


def _pieces(part: str) -> Iterator[str]:
    while part:
        size = min(len(part), MAX_PART)
        while len((piece := _encode_piece(part[:size])).encode()) > MAX_PART:
            size -= max(1, size // 8)
        yield piece
        part = part[size:]


def _encode_piece(piece: str) -> str:
    if _DEVICE.match(piece):
        return f"%{ord(piece[0]):02X}{_encode_piece(piece[1:])}"
    last = len(piece) - 1
    return "".join(
        _hex(character) if _unsafe(character) or (index in (0, last) and _at_edge(character, index, last)) else character
        for index, character in enumerate(piece)
    )


def _unsafe(character: str) -> bool:
    return not character.isprintable() or _UNSAFE.match(character) is not None


def _at_edge(character: str, index: int, last: int) -> bool:
    return (index == 0 and character in "-.~ ") or (index == last and character in ". ")


def _hex(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))


def _decode(escapes: re.Match[str]) -> str:
    return bytes.fromhex(escapes[0].replace("%", "")).decode("utf-8", "surrogatepass")
