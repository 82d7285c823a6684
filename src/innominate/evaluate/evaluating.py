"""An evaluation in one call: from sources or documents to the numbers. Systems come as documents, or as spans without their
text.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from innominate.core import Document
from innominate.evaluate.evaluation import Evaluation
from innominate.evaluate.pairing import Opinion, missing_policy
from innominate.evaluate.tab import TabDocument
from innominate.evaluate.tab_corpus import as_document, looks_like_tab, read_gold, read_masks
from innominate.formats import read_documents, read_spans


def read_reference(
    source: str | Path, standard: str = "spans", **reading: Any
) -> tuple[list[Document], dict[str, TabDocument]]:
    """The documents of a reference and, for the standard `tab`, its entities by document."""
    if standard == "tab" and looks_like_tab(Path(source)):
        documents = read_gold(Path(source))
        return [as_document(document) for document in documents], {document.id: document for document in documents}
    return list(read_documents(source, **reading)), {}


def read_opinion(source: str | Path, **reading: Any) -> Opinion:
    """Documents; or spans without their text, as `detect` writes them, or as TAB's scorer reads them."""
    first = _first_record(Path(source))
    if first is not None and "spans" in first and "text" not in first:
        return read_spans(Path(source))
    if first and all(isinstance(value, list) for value in first.values()):
        return read_masks(Path(source))
    return read_documents(source, **reading)


def _first_record(path: Path) -> dict[str, Any] | None:
    """The first JSON object of a file, or of its first line; None if it is something else."""
    if path.suffix not in {".json", ".jsonl"} or not path.is_file():
        return None
    with path.open(encoding="utf-8", errors="replace") as file:
        for content in (file.readline(), path.read_text(encoding="utf-8", errors="replace") if path.suffix == ".json" else ""):
            try:
                record = json.loads(content)
            except ValueError:
                continue
            return record if isinstance(record, dict) else None
    return None


def names_of(systems: Iterable[str | Path]) -> dict[str, str | Path]:
    """Short names for sources of systems; a number where two would have the same.

    >>> names_of(["a/crf.jsonl", "b/crf.jsonl"])
    {'crf': 'a/crf.jsonl', 'crf-2': 'b/crf.jsonl'}
    """
    named: dict[str, str | Path] = {}
    for source in systems:
        stem = Path(source).name.partition(".")[0] or str(source)
        name, number = stem, 2
        while name in named:
            name, number = f"{stem}-{number}", number + 1
        named[name] = source
    return named


def count_sentences(folder: Path | None) -> dict[str, int]:
    """How many sentences each document has, from MEDDOCAN's files of one line a sentence."""
    if folder is None:
        return {}
    return {path.stem: len(path.read_text(encoding="utf-8").splitlines()) for path in sorted(folder.glob("*.ann"))}


Place = str | os.PathLike[str]
Given = Place | Iterable[Document]  # where notes with their spans are, or the notes


def evaluate(
    gold: Given,
    system: Given | Mapping[str, Given],
    *,
    standard: str = "spans",
    mapping: str | None = None,
    missing: str = "error",
    sentences: Place | None = None,
    **reading: Any,
) -> dict[str, Any]:
    """Score a system, or several by their names, against a gold standard, by the rules of an official scorer.

    `standard` is spans, i2b2, meddocan or tab; `mapping` a taxonomy whose labels both sides get, or FROM:TO; `reading` how
    sources are read, such as `format="brat"`. The result is plain JSON without any text of a note.

    >>> from innominate.core import annotated
    >>> gold, found = annotated("[Eva](NAME) slept in [Nyon](CITY).", "n1"), annotated("[Eva](NAME) slept in Nyon.", "n1")
    >>> evaluate([gold], [found])["systems"]["system"]["release"]["any_label_recall"]["rate"]
    0.5
    """
    golds, tab = _reference(gold, standard, reading)
    counts = count_sentences(Path(sentences) if sentences is not None else None)
    systems = {name: _opinion(given, name, reading) for name, given in _named(system).items()}
    return Evaluation(standard, missing_policy(missing), mapping, counts, tab).run(golds, systems)


def _named(system: Any) -> Mapping[str, Given]:
    if isinstance(system, Mapping):
        return system
    if isinstance(system, str | os.PathLike):
        return dict(names_of([os.fspath(system)]))
    return {"system": system}


def _reference(gold: Any, standard: str, reading: Mapping[str, Any]) -> tuple[list[Document], Any]:
    if isinstance(gold, str | os.PathLike):
        return read_reference(os.fspath(gold), standard, **reading)
    return _check_documents(gold, "gold"), {}


def _opinion(given: Any, name: str, reading: Mapping[str, Any]) -> Opinion:
    return read_opinion(os.fspath(given), **reading) if isinstance(given, str | os.PathLike) else _check_documents(given, name)


def _check_documents(given: Any, what: str) -> list[Document]:
    several = list(given) if isinstance(given, Iterable) and not isinstance(given, Document) else [given]
    for one in several:
        if not isinstance(one, Document):
            raise TypeError(f"{what} is a source of notes, or Documents with their spans, not {type(one).__name__}")
    return several
