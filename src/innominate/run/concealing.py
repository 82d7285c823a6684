"""From marked notes to concealed ones: those of a patient together, so that each knows what the others tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from innominate.conceal import Concealed, conceal
from innominate.conceal.keys import Key, read_key
from innominate.conceal.people.real_names import RealNames
from innominate.conceal.plan import PreparingConcealer, SelectingConcealer
from innominate.conceal.policy.concealer import ByPolicy
from innominate.conceal.policy.policy import load_policy
from innominate.conceal.propagate import find_again, gather_needles
from innominate.conceal.vault import VaultEntry, entries_of
from innominate.core import Document, Finder, ProcessingError, Span, resolve
from innominate.core.plugins import load
from innominate.core.protocols import Concealer
from innominate.detect.known.patients import read_patients
from innominate.run.metadata import conceal_meta, read_kept_meta
from innominate.run.settings import Settings
from innominate.run.verify import verify

AGAIN = "+found-again"  # beside the strategy of a span that was found because it is marked elsewhere


@contextmanager
def step(name: str) -> Iterator[None]:
    """Turn any failure into one that names the step and quotes no text."""
    try:
        yield
    except ProcessingError:
        raise
    except Exception as error:
        # The chain is cut on purpose: the message of a foreign exception may quote the note.
        raise ProcessingError(name, error) from None


@dataclass(frozen=True, slots=True)
class MarkedNote:
    """A note whose identifiers are marked, and annotations of another sort that are to be carried over."""

    document: Document
    lang: str
    entities: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Done:
    """A note that may be written, and what is told of it in the summary: counts by strategy and label, without any text."""

    document: Document
    strategies: Mapping[str, int] = field(default_factory=dict)
    treated: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # by label and strategy
    lang: str = ""  # in which it was read
    found_again: Mapping[str, int] = field(default_factory=dict)
    sentences_removed: int = 0
    entries: tuple[VaultEntry, ...] = field(default=(), repr=False)  # for the vault: originals, so never shown
    original: Document | None = None  # with what was marked in it, if that is wanted
    entities: tuple[Span, ...] = ()  # spans of the document that say nothing about surrogates

    @property
    def id(self) -> str:
        """The id of the note."""
        return self.document.id


@dataclass(frozen=True, slots=True)
class Concealing:
    """The marked notes of one patient, made ready to be concealed one after the other."""

    settings: Settings
    notes: Mapping[str, Document] = field(repr=False)
    concealer: Concealer = field(repr=False)

    @classmethod
    def of(
        cls,
        settings: Settings,
        marked: Sequence[MarkedNote],
        known: Document | None = None,
        real: RealNames | None = None,
    ) -> Concealing:
        """Find again in every note what any of them marks, and settle who is who among them.

        `known` is a digest of notes that are not here; see `innominate.conceal.people.digests`. `real` are full names of the
        run that no surrogate may be.
        """
        with step("policy"):
            notes = [replace(one, document=select_spans(settings, one.document)) for one in marked]
        with step("find again"):
            documents = _propagated(notes, known) if settings.propagate else [one.document for one in notes]
        with step("conceal"):
            documents = [document.with_spans(resolve(document.spans)) for document in documents]
            concealer = _concealer(settings)
            if real and isinstance(concealer, ByPolicy):
                concealer = replace(concealer, real=(*concealer.real, real))
            if isinstance(concealer, PreparingConcealer) and (len(documents) > 1 or known is not None):
                concealer = concealer.prepare([*documents, *([known] if known else [])])
        return cls(settings, {document.id: document for document in documents}, concealer)

    def conceal(self, marked: MarkedNote, *, vault: bool = False, original: bool = False) -> Done:
        """Conceal one of the notes and check the result; meta is only what may be kept."""
        document = self.notes[marked.document.id]
        with step("conceal"):
            concealed = conceal(document, self.concealer)
        with step("verify"):
            verify(document, concealed)
        with step("metadata"):
            meta = self._meta(document)
        with step("output"):
            entries = tuple(entries_of(document, concealed)) if vault else ()
            again = Counter(span.label for span in document.spans if span.finder is Finder.AGAIN)
            entities = tuple(concealed.project(marked.entities))
            spans = (*_spans(concealed), *entities)
            result = Document(document.id, concealed.document.text, spans, meta)
        return Done(
            result,
            concealed.counts(),
            concealed.counts_by_label(),
            marked.lang,
            found_again=again,
            sentences_removed=len(concealed.removed),
            entries=entries,
            original=document if original else None,
            entities=entities,
        )

    def _meta(self, document: Document) -> dict[str, Any]:
        """What is kept; by the concealer that knows no other notes, to which a value would look like one of them."""
        key = _key(self.settings.key) if self.settings.key else None
        return conceal_meta(document, _kept_meta(self.settings), _concealer(self.settings), key)


def _spans(concealed: Concealed) -> list[Span]:
    """Spans of the output: the source of each is the strategy that made what stands there now."""
    return [
        Span(place.start, place.end, place.label, place.score, strategy + (AGAIN if span.finder is Finder.AGAIN else ""))
        for span, strategy, place in concealed.treated
        if place is not None
    ]


def select_spans(settings: Settings, document: Document) -> Document:
    """Leave out what the policy's thresholds leave out."""
    concealer = _concealer(settings)
    return concealer.select(document) if isinstance(concealer, SelectingConcealer) else document


def _propagated(notes: Sequence[MarkedNote], known: Document | None) -> list[Document]:
    wanted = [needle for one in notes for needle in gather_needles(one.document, one.lang)]
    if known is not None:
        wanted += gather_needles(known, notes[0].lang)
    distinct = list(dict.fromkeys(wanted))
    found = [find_again(one.document, distinct, one.lang) for one in notes]
    return [
        one.document.with_spans((*one.document.spans, *more)) if more else one.document
        for one, more in zip(notes, found, strict=True)
    ]


# Built once per process: a policy is a file, and a concealer of another package may load a model.
@cache
def _concealer(settings: Settings) -> Concealer:
    if not isinstance(settings.policy, str):
        return settings.policy
    if not settings.is_policy:
        concealer: Concealer = load("concealers", settings.policy)
        return concealer
    key = _key(settings.key) if settings.key else None
    lang = "" if settings.lang == "auto" else settings.lang
    required = settings.consistency == "patient"
    real = (_names_of(settings.patients),) if key and settings.patients else ()
    return ByPolicy(load_policy(settings.policy), key, settings.consistency or "patient", lang, required, real)


@cache
def _names_of(patients: str) -> RealNames:
    return RealNames.of(read_patients(Path(patients)).full_names())


@cache
def _kept_meta(settings: Settings) -> dict[str, str]:
    return read_kept_meta(settings)


@cache
def _key(path: str) -> Key:
    return read_key(Path(path))


def check_concealment(settings: Settings) -> None:
    """Read the policy and the key anew, so that what is wrong with them is said before the first note is read."""
    _concealer.cache_clear()
    _key.cache_clear()
    _concealer(settings)
    if settings.key:
        _key(settings.key)
    read_kept_meta(settings)


def together(settings: Settings) -> bool:
    """Whether notes of one patient have to know of each other."""
    return settings.propagate or bool(settings.key and settings.consistency in ("", "patient", "markov"))
