"""What every format must do, whoever wrote it: the settings of the contract and the documents it is tried with."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from hypothesis import strategies as st

from innominate.core import Document, Rejected, Span, UsageError, resolve
from innominate.core.protocols import FileFormat, FolderFormat, Format
from innominate.formats import files_of, format_named, open_writer, read, recognise, write

SECRET = "Quixwortham"  # the text of every document that is damaged on purpose: it must never be in a reason


@dataclass(frozen=True)
class Setting:
    """How one format is tried. `target` is what it writes, below a folder of the test."""

    target: str
    meta: bool = True  # whether it can hold meta data of any kind
    same_bytes: bool = True  # whether a resumed file is the same to the last byte; if not, its documents are
    added: tuple[str, ...] = ()  # keys that it adds to the meta data by itself
    or_text: bool = False  # whether its output is plain text if a note has no spans
    flat: bool = False  # whether it can hold no spans that overlap
    final: str = ""  # why writing cannot be resumed
    url: Callable[[Path], str] = str  # how the target is named


SETTINGS = {
    "text": Setting("out", meta=False),
    "jsonl": Setting("out.jsonl"),
    "prodigy": Setting("out.jsonl"),
    "doccano": Setting("out.jsonl"),
    "label-studio": Setting("out.json"),
    "brat": Setting("out", meta=False),
    "i2b2": Setting("out"),
    "conll": Setting("out.conll"),
    "csv": Setting("out.csv"),
    "parquet": Setting("out.parquet", final="a Parquet file can only be read when its last byte is written"),
    "hospital-xml": Setting("out", added=("text_path",)),
    "mimic": Setting("out", meta=False, or_text=True),
    "marked": Setting("out.txt", meta=False, flat=True),
    "database": Setting("out.db", same_bytes=False, url=lambda path: f"sqlite:///{path}"),  # pages of a database file
}

HARD_TEXTS = {
    "emoji": "🙂🙃 Vu par Eva Ärlig 🇸🇪.",
    "combining accent": "Ne\u0301e a\u0300 Gene\u0300ve par Eva.",
    "CRLF": "Nom:\r\n\r\nEva\r\nsuite\r\n",
    "NUL": "Eva\0 and \0\0 more",
    "U+2028": "Eva\u2028Line\u2029Paragraph\x85next",
    "lone CR": "a\rEva\r",
    "tabs and form feeds": "\tEva\f\v\x1c\x1d\x1e \t",
    "empty": "",
    "byte order mark": "\ufeffEva came back",
    "quotes and markup": '"Eva" <b>&amp;</b> ]]> \'x\' \\n {"text": 1} # = |,;\n\n-DOCSTART- O',
    "only spaces": "  \n ",
    "private and rare": "\ue000\ufdd0\uffff\U0010ffff Eva \x7f\x80\x9f",
}


def example(id: str, text: str, meta: dict[str, object] | None = None) -> Document:
    """A document in which every Eva is a name, and its first character something else that overlaps nothing."""
    spans = [Span(*found.span(), "NAME") for found in re.finditer("Eva", text)]
    if text and not text.startswith("Eva"):
        spans.append(Span(0, 1, "OTHER"))
    return Document(id, text, tuple(spans), meta or {})


def hard_documents(with_meta: bool) -> list[Document]:
    meta: dict[str, object] = {"patient": "p 1", "lang": "sv", "ward": "Ä 🙂"}
    return [example(f"hard {name}", text, meta if with_meta else None) for name, text in HARD_TEXTS.items()]


@st.composite
def documents(draw: st.DrawFn, with_meta: bool) -> list[Document]:
    """Any documents: any ids, texts and meta data that Unicode allows, with spans that may overlap."""
    ids = draw(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=4, unique=True))
    return [draw(_document(id, with_meta)) for id in ids]


@st.composite
def _document(draw: st.DrawFn, id: str, with_meta: bool) -> Document:
    text = draw(st.text(max_size=60) | st.text(alphabet="aE 🙂\r\n\t\"'<>&,;\0\u2028é", max_size=60))
    spans = set()
    for _ in range(draw(st.integers(0, 3)) if text else 0):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        spans.add(Span(start, end, draw(st.sampled_from(["NAME", "DATE_OF_BIRTH", "ÂGE"]))))
    meta = (
        draw(st.dictionaries(st.text("abcdefgh_", min_size=1, max_size=8), st.text(max_size=10), max_size=2))
        if with_meta
        else {}
    )
    return Document(id, text, tuple(spans), meta)


def names() -> list[str]:
    return list(SETTINGS)


def writable(format: Format) -> bool:
    return isinstance(format, FileFormat | FolderFormat) or hasattr(format, "open_writer")


def target_of(name: str, folder: Path) -> str:
    setting = SETTINGS[name]
    return setting.url(folder / setting.target)


def write_all(name: str, documents: Iterable[Document], folder: Path) -> str:
    target = target_of(name, folder)
    write(documents, target, name)
    return target


def read_all(name: str, source: str, *, recognised: bool = True) -> dict[str, Document]:
    """Read all documents by id, in the format that is recognised or in the one given; a rejected one fails the test."""
    found: dict[str, Document] = {}
    for item in read(source, None if recognised else name):
        assert isinstance(item, Document), item
        meta = {key: value for key, value in item.meta.items() if key not in SETTINGS[name].added}
        found[item.id] = replace(item, meta=meta)
    return found


def as_it_can_hold(name: str, documents: list[Document], folder: Path) -> list[Document]:
    """What can come back: a format that conceals loses the names, so it is given what it made of the documents itself;
    one that writes marks into the text has no spans that overlap."""
    if SETTINGS[name].flat:
        documents = [replace(document, spans=tuple(resolve(document.spans))) for document in documents]
    if not getattr(format_named(name), "conceals", False):
        return documents
    return list(read_all(name, write_all(name, documents, folder), recognised=False).values())


def recognised(name: str, source: str) -> bool:
    """Whether every file of an output is recognised as what it is."""
    found = {recognise(file).name for file in files_of(source)}
    return found == {name} or (SETTINGS[name].or_text and found <= {name, "text"})


def expected(name: str, documents: Iterable[Document]) -> dict[str, Document]:
    keeps = SETTINGS[name].meta
    return {document.id: document if keeps else replace(document, meta={}) for document in documents}


def write_interrupted(name: str, documents: list[Document], commit_after: int, folder: Path) -> str:
    """Write, commit in the middle, go on a little, lose everything after the commit, and resume."""
    target = target_of(name, folder)
    writer = open_writer(format_named(name), target)
    for document in documents[:commit_after]:
        writer.write(document)
    position = writer.commit()
    for document in documents[commit_after : commit_after + 2]:
        writer.write(document)
    getattr(writer, "abandon", lambda: None)()
    resumed = open_writer(format_named(name), target, resume_at=position)
    for document in documents[commit_after:]:
        resumed.write(document)
    resumed.close()
    return target


def bytes_below(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def damaged(data: bytes, seed: int) -> Iterator[bytes]:
    """Versions of a file with something wrong: cut off, bytes changed, a piece missing, doubled, or all in the wrong order."""
    rng = random.Random(seed)
    for _ in range(4):
        yield data[: rng.randrange(len(data))]
        broken = bytearray(data)
        for _ in range(rng.randrange(1, 6)):
            broken[rng.randrange(len(data))] = rng.randrange(256)
        yield bytes(broken)
        start = rng.randrange(len(data))
        yield data[:start] + data[start + rng.randrange(1, 30) :]
    yield data + data
    yield data.replace(b'"', b"")
    yield data.replace(b"\n", b"")
    yield data.replace(b":", b",").replace(b"<", b"")
    yield b"\xff" + data
    yield data.decode("utf-8", "replace").encode("utf-16-le")
    yield b"\0" * 1000
    yield b""


def assert_silent(items: Iterable[Document | Rejected]) -> None:
    """No reason holds any of the text, and neither does the error of a source that is wrong as a whole."""
    try:
        for item in items:
            if isinstance(item, Rejected):
                assert SECRET[:5] not in str(item)
                assert SECRET[:5] not in item.id
    except UsageError as error:
        assert SECRET[:5] not in str(error)  # noqa: PT017
