"""An evaluation in one call: from sources or documents to the numbers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from innominate.core import Document
from innominate.evaluate.evaluation import Evaluation
from innominate.evaluate.pairing import Opinion, missing_policy
from innominate.evaluate.reading import count_sentences, names_of, read_opinion, read_reference

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
    return _documents(gold, "gold"), {}


def _opinion(given: Any, name: str, reading: Mapping[str, Any]) -> Opinion:
    return read_opinion(os.fspath(given), **reading) if isinstance(given, str | os.PathLike) else _documents(given, name)


def _documents(given: Any, what: str) -> list[Document]:
    several = list(given) if isinstance(given, Iterable) and not isinstance(given, Document) else [given]
    for one in several:
        if not isinstance(one, Document):
            raise TypeError(f"{what} is a source of notes, or Documents with their spans, not {type(one).__name__}")
    return several
