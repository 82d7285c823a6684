"""The project's corpus: notes with their marks written in, each under a line that says who wrote what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from innominate.core import Document, MarkupError, UsageError, annotated

_HEAD = re.compile(r"^# id: (?P<head>.*)$", re.MULTILINE)
_PART = re.compile(r"^---$", re.MULTILINE)


def read_marked_notes(path: Path, lang: str = "") -> Iterator[Document]:
    """Read a file of the corpus: notes with headers, or passages parted by lines of three dashes."""
    text = path.read_text(encoding="utf-8")
    heads = list(_HEAD.finditer(text))
    if not heads:
        for number, passage in enumerate(filter(str.strip, _PART.split(text)), start=1):
            yield _read(passage, f"{path.stem}-{number}", {"type": "passage"}, lang, path)
        return
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        body = text[head.end() : following.start() if following else len(text)]
        id, *fields = (part.strip() for part in head["head"].split(" | "))
        yield _read(body, id, dict(field.split(": ", 1) for field in fields if ": " in field), lang, path)


def _read(body: str, id: str, meta: dict[str, str], lang: str, path: Path) -> Document:
    try:
        document = annotated(body.strip("\n"), id)
    except MarkupError as error:
        raise UsageError(f"{path}, {id}: {error}") from None
    return Document(id, document.text, document.spans, {**meta, **({"lang": lang} if lang else {})})
