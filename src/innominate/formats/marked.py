"""Notes with their marks written in, as the project's corpus has them: `# id: ...`, then text with `[marks](LABEL)`.

Files by hand may also hold passages without headers, parted by lines of three dashes; they are read with `--format marked`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath

from innominate.core import Document, MarkupError, Rejected, annotated, resolve
from innominate.core.markup import marked
from innominate.core.protocols import SourceFile
from innominate.formats.decoding import decode, text_bytes
from innominate.formats.sources import read_bytes

_HEAD = re.compile(r"^# id: (?P<head>[^\n]*)$", re.MULTILINE)
_LIKE_A_HEAD = re.compile(r"^(?=# id: )", re.MULTILINE)
_NO_HEAD = re.compile(r"^\\(?=# id: )", re.MULTILINE)
_ESCAPED = r"\\"  # one backslash, as `re` writes it
_PARTS = re.compile(r"^---$", re.MULTILINE)
_PLAIN = re.compile(r"[^\s\"|](?:[^\n\r|]*[^\s|])?")
_LANGUAGE = re.compile(r"[a-z]{2}(?=[-_])")


class MarkedFormat:
    """Many notes in one file, each under a header such as `# id: sv-a-001 | type: epikris | author: ...`.

    >>> from innominate.core import Span
    >>> MarkedFormat().encode(Document("n1", "Eva slept.", (Span(0, 3, "NAME"),))).decode()
    '# id: n1\\n[Eva](NAME) slept.\\n\\n'
    """

    name = "marked"
    suffixes: tuple[str, ...] = (".txt",)
    holds_spans = True

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        """A text that begins with a header."""
        return head.startswith(b"# id: ")

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Yield the notes; one with broken marks is rejected in its place."""
        for id, body, fields in split_notes(decode(read_bytes(file), file.name), PurePath(file.name).stem):
            try:
                note = annotated(body, id)
            except MarkupError as error:
                yield Rejected(id, str(error), file.name)
            else:
                yield Document(id, note.text, note.spans, fields)

    def encode(self, document: Document) -> bytes:
        """A header and the text with its marks; of spans that overlap, what `resolve` leaves."""
        fields = [f"{key}: {_write(value)}" for key, value in document.meta.items() if isinstance(value, str)]
        head = " | ".join([_write(document.id), *fields])
        body = marked(Document(document.id, document.text, tuple(resolve(document.spans))))
        return text_bytes(f"# id: {head}\n{_LIKE_A_HEAD.sub(_ESCAPED, body)}\n\n")


def split_notes(text: str, name: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """The id, the body and the fields of each note; passages without headers are counted."""
    heads = list(_HEAD.finditer(text))
    if not heads:
        for number, passage in enumerate(filter(str.strip, _PARTS.split(text)), start=1):
            yield f"{name}-{number}", passage.strip("\n"), {"type": "passage", **_language(name)}
        return
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        body = text[head.end() + 1 : following.start() if following else len(text)]
        body = body.removesuffix("\n").removesuffix("\n")  # of the line, and the empty one between notes
        id, *fields = map(str.strip, head["head"].split(" | "))
        found = dict(field.split(": ", 1) for field in fields if ": " in field)
        yield _read(id), _NO_HEAD.sub("", body), {**_language(id), **{key: _read(value) for key, value in found.items()}}


def _language(name: str) -> Mapping[str, str]:
    """Ids of the corpus begin with their language."""
    found = _LANGUAGE.match(name)
    return {"lang": found[0]} if found else {}


def _write(value: str) -> str:
    """As it is, or as JSON where that would be read as something else."""
    return value if _PLAIN.fullmatch(value) and value.isprintable() else json.dumps(value).replace("|", "\\u007c")


def _read(value: str) -> str:
    try:
        return str(json.loads(value)) if value.startswith('"') else value
    except ValueError:
        return value
