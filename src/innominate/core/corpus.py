"""Documents that belong together, and the pairing of two opinions about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from innominate.core.document import Document
from innominate.core.errors import UsageError


@dataclass(frozen=True, slots=True)
class Corpus:
    """A named, finite set of documents whose labels come from one taxonomy. Streams are plain iterables instead."""

    name: str
    taxonomy: str
    documents: tuple[Document, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "documents", tuple(self.documents))
        by_id(self.documents)

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)


def by_id(documents: Iterable[Document]) -> dict[str, Document]:
    """Index documents by id; an id that occurs twice is an error, because one of the two would be lost."""
    index: dict[str, Document] = {}
    for document in documents:
        if document.id in index:
            raise UsageError(f"two documents have the id {document.id!r}; ids must be unique in a corpus")
        index[document.id] = document
    return index


def pair(gold: Iterable[Document], other: Iterable[Document]) -> Iterator[tuple[Document, Document]]:
    """Align two opinions by id, in the order of the first. Raises on any id that is missing on either side.

    >>> list(pair([Document("a", "x")], [Document("a", "x")]))[0][1].id
    'a'
    """
    left, right = by_id(gold), by_id(other)
    missing = sorted(left.keys() ^ right.keys())
    if missing:
        shown = ", ".join(repr(id_) for id_ in missing[:5])
        raise UsageError(f"{len(missing)} document(s) are on one side only: {shown}{' ...' if len(missing) > 5 else ''}")
    for id_, document in left.items():
        yield document, right[id_]
