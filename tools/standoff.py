"""Annotations without their text, joined with the public corpus they were made on.

A line of `tools/data/zero_shot_fr.jsonl` names a file of the corpora, a document in it, a range of characters and their
SHA-256, and the spans in that range. `optional` spans may be found or not: they count neither way. The texts themselves
are never part of the project.
"""

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from innominate.core import InnominateError, Span


class CorpusChangedError(InnominateError):
    """The corpus holds another text than the one that was annotated."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of a corpus with its spans, and the half it belongs to: only errors of the first are ever read."""

    id: str
    text: str
    spans: tuple[Span, ...]
    optional: tuple[Span, ...]
    stratum: str
    half: str


@cache
def corpus_texts(path: Path) -> Mapping[str, str]:
    """The texts of a corpus file by id: JSON lines, or one token a line, which is one text with a blank between tokens."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        if path.name.endswith(".jsonl.gz"):
            documents = (json.loads(line) for line in lines)
            return {document["id"]: document["text"] for document in documents}
        return {"": " ".join(line.split()[0] for line in lines if line.split())}


def passage_of(row: Mapping[str, Any], corpora: Path) -> Passage:
    """One line of annotations with its text; raises if the text is not the one that was annotated."""
    text = corpus_texts(corpora / row["file"]).get(row["id"], "")[row["start"] : row["end"]]
    name = f"{row['file']}:{row['id']}:{row['start']}"
    if hashlib.sha256(text.encode()).hexdigest() != row["sha256"]:
        raise CorpusChangedError(
            f"{name} is not the text that was annotated; use the release of the corpus named in its README"
        )
    spans, optional = (tuple(Span(*span) for span in row.get(key, ())) for key in ("spans", "optional"))
    return Passage(name, text, spans, optional, row["stratum"], row["half"])


def missing(annotations: Path, corpora: Path) -> list[Path]:
    """The corpus files that the annotations need and that are not there."""
    needed = {json.loads(line)["file"] for line in annotations.read_text(encoding="utf-8").splitlines()}
    return sorted(corpora / name for name in needed if not (corpora / name).is_file())


def passages(annotations: Path, corpora: Path) -> Iterator[Passage]:
    """The annotated passages whose corpus is there."""
    for line in annotations.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if (corpora / row["file"]).is_file():
            yield passage_of(row, corpora)
