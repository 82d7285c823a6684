"""Notes in the manner of MIMIC, in which identifiers were replaced by placeholders: `[**Known lastname**]`, `[**2151-7-16**]`.

Writing is concealing: every span becomes a placeholder with its label, so the originals are gone and a note comes back as what
was written. Only a text whose spans are its placeholders, such as one that was read from this format, comes back as it was.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files as package_files
from typing import NamedTuple

from innominate.core import Document, Edit, Rejected, Span, apply_edits, resolve
from innominate.core.protocols import SourceFile
from innominate.formats.decoding import decode, text_bytes
from innominate.formats.sources import read_bytes, type_of
from innominate.formats.text import STRUCTURED

PLACEHOLDER = re.compile(r"\[\*\*([^\[\]]{0,100}?)\*\*\]")
_LABEL = re.compile(r"[^\W\d_a-z][^\W\da-z]*(?:[-:][^\W\da-z]+)*")  # as we write them: capitals, ÂGE and LOCATION-OTHER too


class MimicFormat:
    """Text with `[**...**]` placeholders; each is a span with an i2b2 type, and its words are the span's source.

    >>> MimicFormat().files(Document("n1", "Eva Berg slept.", (Span(0, 8, "PATIENT"),)))
    {'.txt': b'[**PATIENT**] slept.'}
    """

    name = "mimic"
    suffixes: tuple[str, ...] = (".txt",)
    holds_spans = True
    conceals = True  # the text that is read back is not the one that was written

    def recognise(self, file: SourceFile, head: bytes) -> bool:
        """A text with at least one placeholder."""
        return type_of(file) not in STRUCTURED and PLACEHOLDER.search(head.decode("latin-1")) is not None

    def read(self, file: SourceFile) -> Iterator[Document | Rejected]:
        """Yield the file's one note, as it is, with its placeholders as spans."""
        text = decode(read_bytes(file), file.name)
        spans = (Span(*match.span(), label_of(match[1]), source=match[1].strip()) for match in PLACEHOLDER.finditer(text))
        yield Document(file.id, text, tuple(spans))

    def files(self, document: Document) -> Mapping[str, bytes]:
        """The text with every span replaced; what is inside a placeholder already stays."""
        there = [match.span() for match in PLACEHOLDER.finditer(document.text)]
        spans = _outside(resolve(document.spans), there)
        text, _ = apply_edits(document.text, [Edit(span.start, span.end, _placeholder(span.label)) for span in spans])
        return {".txt": text_bytes(text)}


class _Table(NamedTuple):
    phrases: tuple[tuple[str, str], ...]  # phrase, label
    otherwise: str


@cache
def _table() -> _Table:
    content = tomllib.loads((package_files("innominate.formats") / "data/mimic_placeholders.toml").read_text(encoding="utf-8"))
    phrases = tuple((phrase, entry["label"]) for entry in content["placeholder"] for phrase in entry["words"])
    return _Table(phrases, content["otherwise"])


@cache
def label_of(words: str) -> str:
    """The i2b2 type behind the words of a placeholder.

    >>> [label_of(words) for words in ("2151-7-16", "Hospital1 18", "Age over 90", "First Name8 (NamePattern2)", "ÂGE", "?")]
    ['DATE', 'HOSPITAL', 'AGE', 'PATIENT', 'ÂGE', 'IDNUM']
    """
    if _LABEL.fullmatch(words):
        return words
    plain = re.sub(r"[\d\s]+", " ", words.lower())
    if not any(character.isalpha() for character in plain):
        return "DATE" if any(character.isdigit() for character in words) else _table().otherwise
    return next((label for phrase, label in _table().phrases if phrase in f"{plain} "), _table().otherwise)


def _placeholder(label: str) -> str:
    """The placeholder of a label; one that could not be told from markup is not shown."""
    written = f"[**{label}**]"
    return written if PLACEHOLDER.fullmatch(written) and label.strip(" *") else f"[**{_table().otherwise}**]"


def _outside(spans: tuple[Span, ...], placeholders: list[tuple[int, int]]) -> Iterator[Span]:
    """The spans that are not wholly inside one placeholder."""
    at = 0
    for span in spans:
        while at < len(placeholders) and placeholders[at][1] <= span.start:
            at += 1
        if at == len(placeholders) or not (placeholders[at][0] <= span.start and span.end <= placeholders[at][1]):
            yield span
