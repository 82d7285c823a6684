"""The road of one document: view, detect, map back, resolve, conceal, verify. Every step fails closed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from innominate.conceal import conceal
from innominate.core import Document, ProcessingError, Span, resolve
from innominate.core.plugins import load
from innominate.core.protocols import Cleaner, Concealer, Detector
from innominate.detect.known.detector import KnownDetector, known_detector, united
from innominate.labels import for_language, mapping
from innominate.run.settings import LANGUAGES, Settings
from innominate.run.verify import verify
from innominate.text.html import is_html
from innominate.text.language import recognise
from innominate.text.view import view


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


@dataclass(frozen=True)
class Pipeline:
    """Detects and conceals one document at a time, as the settings say."""

    settings: Settings

    def language(self, document: Document) -> str:
        """The language that was asked for, or that the document says it has, or that its text looks like."""
        if self.settings.lang != "auto":
            return self.settings.lang
        declared = str(document.meta.get("lang", ""))[:2].lower()
        return declared if declared in LANGUAGES else recognise(document.text)

    def detect(self, document: Document) -> Document:
        """Return the document with the spans found in it, in place of any it carried, labelled in the taxonomy asked for."""
        found, lang = self._find(document)
        with step("labels"):
            spans = [span for span in self._relabel(found, lang) if span.label]
        return Document(document.id, document.text, tuple(spans), {**document.meta, "lang": lang})

    def _find(self, document: Document) -> tuple[tuple[Span, ...], str]:
        with step("language"):
            lang = self.language(document)
        found: list[Span] = []
        for cleaners in self._ways_to_look(document.text):
            with step("view"):
                seen = view(document.text, [_cleaner(name) for name in cleaners])
            shown = Document(document.id, seen.text, meta=document.meta)
            with step("detect"):
                spans = _detector(self.settings.detector, lang, self.settings.rules).detect(shown)
            if self.settings.patients:
                with step("known identifiers"):
                    spans = united(spans, _known(self.settings, lang).detect(shown))
            with step("map back"):
                found += seen.to_original(spans)
        return resolve(found), lang

    def _ways_to_look(self, text: str) -> list[tuple[str, ...]]:
        """HTML is read twice, as it is shown and as it is written: links, comments and attributes hold addresses too."""
        cleaners = self.settings.cleaners
        without = tuple(name for name in cleaners if not name.startswith("html"))
        return [cleaners, without] if without != cleaners and is_html(text) else [cleaners]

    def _relabel(self, spans: Iterable[Span], lang: str) -> list[Span]:
        """Rename labels to the taxonomy asked for; a label without a counterpart becomes empty."""
        own = for_language(lang).name
        if self.settings.taxonomy in ("", own):
            return list(spans)
        renamed = mapping(own, self.settings.taxonomy)
        return [replace(span, label=renamed[span.label] or "") for span in spans]

    def conceal(self, document: Document) -> Document:
        """Return the concealed document; its spans lie in its own text, and meta is only what may be kept."""
        with step("conceal"):
            concealed = conceal(document, _concealer(self.settings.policy))
        with step("verify"):
            verify(document, concealed)
        meta = {key: value for key, value in document.meta.items() if key in self.settings.keep_meta}
        return Document(document.id, concealed.document.text, concealed.document.spans, meta)

    def deidentify(self, document: Document) -> Document:
        """Detect and conceal. What the asked-for taxonomy has no label for is concealed all the same, under its own label."""
        found, lang = self._find(document)
        with step("labels"):
            renamed = [new if new.label else old for old, new in zip(found, self._relabel(found, lang), strict=True)]
        return self.conceal(Document(document.id, document.text, tuple(renamed), {**document.meta, "lang": lang}))


# Plugins are built once per process and kept: constructing a detector may load a model.
@cache
def _cleaner(name: str) -> Cleaner:
    cleaner: Cleaner = load("cleaners", name)
    return cleaner


@cache
def _detector(name: str, lang: str, rules: tuple[str, ...]) -> Detector:
    own = {"rules": tuple(map(Path, rules))} if rules else {}
    detector: Detector = load("detectors", name, lang=lang, **own)
    return detector


@cache
def _known(settings: Settings, lang: str) -> KnownDetector:
    return known_detector(settings.patients, lang, settings.patient_key, required=settings.patients_required)


@cache
def _concealer(name: str) -> Concealer:
    concealer: Concealer = load("concealers", name)
    return concealer


def check(settings: Settings) -> None:
    """Load everything the settings name, so that a missing piece is reported before the first note is read."""
    for cleaner in settings.cleaners:
        _cleaner(cleaner)
    _concealer(settings.policy)
    for lang in LANGUAGES if settings.lang == "auto" else (settings.lang,):
        _ = _detector(settings.detector, lang, settings.rules).labels  # loads what it needs, a model or a rule pack
        if settings.patients:
            _known(settings, lang)
