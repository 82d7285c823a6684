"""A whole evaluation: pair, map labels, score by one standard, measure the release, list errors, compare systems.

The result is plain JSON without any text of a note. Names of blocks and fields are those of the official numbers in
`shared/oracles`, under `systems`, so that the two can be compared directly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from innominate.core import Document, Span, UsageError
from innominate.evaluate import compare, errors, i2b2, meddocan, release, spans, tab, tab_corpus, tags
from innominate.evaluate.counts import Pair
from innominate.evaluate.labelling import check_shared, check_standard, labels_of, mapped, note, relabelled
from innominate.evaluate.pairing import Missing, Opinion, Pairing, paired
from innominate.evaluate.tab import TabDocument

STANDARDS = ("i2b2", "meddocan", "tab", "spans")


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
            golds = relabelled(golds, found.spans)
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
        return self.tab.get(gold.id) or tab_corpus.from_document(gold)


def _all_spans(documents: Iterable[Document]) -> Iterable[Span]:
    return (span for document in documents for span in document.spans)


def _on_the_same(pairings: Mapping[str, Pairing], notes: list[str]) -> dict[str, Sequence[Pair]]:
    """The documents that all systems have; with `skip` they may have different ones."""
    ids = [{gold.id for gold, _ in pairing.pairs} for pairing in pairings.values()]
    shared = set.intersection(*ids)
    if any(shared != some for some in ids):
        notes.append(f"systems are compared on the {len(shared)} document(s) that all of them have")
    return {name: [pair for pair in pairing.pairs if pair[0].id in shared] for name, pairing in pairings.items()}
