"""A whole evaluation: pair, map labels, score by one standard, measure the release, list errors, compare systems.

The result is plain JSON without any text of a note. Names of blocks and fields are those of the official numbers in
`shared/oracles`, under `systems`, so that the two can be compared directly. Systems come as documents, or as spans without
their text.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from innominate.core import Document, Span, UsageError
from innominate.evaluate import compare, errors, i2b2, meddocan, release, spans, tab, tags
from innominate.evaluate.counts import Pair
from innominate.evaluate.labelling import check_shared, check_standard, labels_of, mapped, note
from innominate.evaluate.pairing import Missing, Opinion, Pairing, missing_policy, paired
from innominate.evaluate.tab import TabDocument, as_document, looks_like_tab, read_gold, read_masks
from innominate.formats import read_documents, read_spans

STANDARDS = ("i2b2", "meddocan", "tab", "spans")
Place = str | os.PathLike[str]
Given = Place | Iterable[Document]  # where notes with their spans are, or the notes


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What to score by, and what to do with what does not fit.

    `mapping` is a taxonomy, or `FROM:TO`, whose labels both sides get; `sentences` (for MEDDOCAN's leak) and `tab` (gold with
    entities) hold what documents cannot, by id.
    """

    standard: str = "spans"
    missing: Missing = "error"
    mapping: str | None = None
    sentences: Mapping[str, int] = field(default_factory=dict)
    tab: Mapping[str, TabDocument] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.standard not in STANDARDS:
            raise UsageError(f"--standard is one of {', '.join(STANDARDS)}, not {self.standard!r}")

    def run(self, gold: Iterable[Document], systems: Mapping[str, Opinion]) -> dict[str, Any]:
        """Score each system against the gold.

        >>> from innominate.core import annotated
        >>> gold, system = annotated("[Eva](PATIENT) slept.", "n1"), annotated("Eva slept.", "n1")
        >>> result = Evaluation("i2b2").run([gold], {"mine": [system]})
        >>> result["systems"]["mine"]["blocks"]["Strict"]["micro"]["fn"]
        1
        """
        golds, notes = self._gold(gold)
        pairings = {name: self._pairing(golds, opinion, name, notes) for name, opinion in systems.items()}
        result: dict[str, Any] = {
            "standard": self.standard,
            "missing": self.missing,
            "gold": {"n_documents": len(golds), "n_identifiers": sum(len(set(document.spans)) for document in golds)},
            "systems": {name: self._system(pairing) for name, pairing in pairings.items()},
        }
        if len(systems) > 1:
            result["comparison"] = compare.score(_on_the_same(pairings, notes))
        return {**result, "notes": notes}

    def _gold(self, gold: Iterable[Document]) -> tuple[list[Document], list[str]]:
        golds, notes = list(gold), []
        if not golds:
            raise UsageError("the gold holds no document")
        if self.mapping:
            found = mapped({document.id: document.spans for document in golds}, *self._target())
            notes += found.notes("gold")
            golds = [replace(document, spans=found.spans[document.id]) for document in golds]
        self._check(golds, "gold")
        return golds, notes

    def _pairing(self, golds: Sequence[Document], opinion: Opinion, name: str, notes: list[str]) -> Pairing:
        pairing = paired(golds, opinion, self.missing)
        notes += [f"{name}: {said}" for said in pairing.notes()]
        if self.mapping:
            found = mapped({system.id: system.spans for _, system in pairing.pairs}, *self._target())
            notes += found.notes(name)
            pairs = tuple((gold, replace(system, spans=found.spans[system.id])) for gold, system in pairing.pairs)
            pairing = replace(pairing, pairs=pairs)
        self._check([system for _, system in pairing.pairs], name)
        if self.standard == "spans":
            check_shared(labels_of(_all_spans(golds)), labels_of(_all_spans(system for _, system in pairing.pairs)))
        return pairing

    def _target(self) -> tuple[str, str | None]:
        source, colon, target = (self.mapping or "").partition(":")
        return (target, source) if colon else (source, None)

    def _check(self, documents: Iterable[Document], side: str) -> None:
        if self.standard in {"i2b2", "meddocan"}:
            check_standard(labels_of(_all_spans(documents)), self.standard, side)

    def _system(self, pairing: Pairing) -> dict[str, Any]:
        scorers: dict[str, Callable[[Sequence[Pair]], dict[str, Any]]] = {
            "i2b2": lambda pairs: i2b2.score((note(gold), note(system)) for gold, system in pairs),
            "meddocan": lambda pairs: meddocan.score(pairs, self.sentences),
            "tab": lambda pairs: tab.score((self._tab(gold), system) for gold, system in pairs),
            "spans": lambda pairs: {**spans.score(pairs), "seqeval": {"strict": tags.score_documents(pairs)}},
        }
        return {
            "n_documents": len(pairing.pairs),
            "missing_documents": list(pairing.missing),
            "extra_documents": list(pairing.extra),
            **scorers[self.standard](pairing.pairs),
            "release": release.score(pairing.pairs),
            "errors": errors.score(pairing.pairs),
        }

    def _tab(self, gold: Document) -> TabDocument:
        return self.tab.get(gold.id) or tab.from_document(gold)


def _all_spans(documents: Iterable[Document]) -> Iterable[Span]:
    return (span for document in documents for span in document.spans)


def _on_the_same(pairings: Mapping[str, Pairing], notes: list[str]) -> dict[str, Sequence[Pair]]:
    """The documents that all systems have; with `skip` they may have different ones."""
    ids = [{gold.id for gold, _ in pairing.pairs} for pairing in pairings.values()]
    shared = set.intersection(*ids)
    if any(shared != some for some in ids):
        notes.append(f"systems are compared on the {len(shared)} document(s) that all of them have")
    return {name: [pair for pair in pairing.pairs if pair[0].id in shared] for name, pairing in pairings.items()}


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
    golds, tab = _read_given_reference(gold, standard, reading)
    counts = count_sentences(Path(sentences) if sentences is not None else None)
    systems = {name: _read_given_opinion(given, name, reading) for name, given in _name_systems(system).items()}
    return Evaluation(standard, missing_policy(missing), mapping, counts, tab).run(golds, systems)


def _name_systems(system: Any) -> Mapping[str, Given]:
    if isinstance(system, Mapping):
        return system
    if isinstance(system, str | os.PathLike):
        return dict(names_of([os.fspath(system)]))
    return {"system": system}


def _read_given_reference(gold: Any, standard: str, reading: Mapping[str, Any]) -> tuple[list[Document], Any]:
    if isinstance(gold, str | os.PathLike):
        return read_reference(os.fspath(gold), standard, **reading)
    return _check_documents(gold, "gold"), {}


def _read_given_opinion(given: Any, name: str, reading: Mapping[str, Any]) -> Opinion:
    return read_opinion(os.fspath(given), **reading) if isinstance(given, str | os.PathLike) else _check_documents(given, name)


def _check_documents(given: Any, what: str) -> list[Document]:
    several = list(given) if isinstance(given, Iterable) and not isinstance(given, Document) else [given]
    for one in several:
        if not isinstance(one, Document):
            raise TypeError(f"{what} is a source of notes, or Documents with their spans, not {type(one).__name__}")
    return several
