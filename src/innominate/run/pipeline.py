"""The road of one document: view, detect, map back, resolve, conceal, verify. Every step fails closed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from innominate.conceal.births import META as BIRTH
from innominate.core import Document, Span, resolve
from innominate.core.plugins import load
from innominate.core.protocols import BatchDetector, Cleaner, Detector
from innominate.detect.known.detector import KnownDetector, known_detector, united
from innominate.detect.known.patients import read_patients
from innominate.detect.models import detector
from innominate.labels import for_language, mapping
from innominate.run.concealing import Concealing, Marked, check_concealment, step
from innominate.run.settings import Settings
from innominate.run.table import CELL_TEXT
from innominate.text.html import is_html
from innominate.text.language import recognise
from innominate.text.lists import LANGUAGES
from innominate.text.view import View, view

Looks = tuple[str, list[tuple[View, Document, Sequence[Span]]]]  # the language; each view of a note and what is found there


@dataclass(frozen=True)
class Pipeline:
    """Detects and conceals one document at a time, as the settings say."""

    settings: Settings
    looked: Mapping[int, Looks] = field(default_factory=dict, repr=False)  # ahead, by the identity of the document

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

    def look_ahead(self, documents: Sequence[Document]) -> dict[int, Looks]:
        """What there is to see and to find in many notes, which is quicker together than one by one.

        Only by a detector that says `apart`: what it finds in a note does not depend on those beside it.
        """
        looked: dict[int, Looks] = {}
        by_lang: dict[str, list[tuple[int, View, Document]]] = {}
        for document in documents:
            lang, views = self._views(document)
            looked[id(document)] = lang, []
            by_lang.setdefault(lang, []).extend((id(document), seen, shown) for seen, shown in views)
        for lang, some in by_lang.items():
            finder = _detector_of(self.settings, lang)
            if not getattr(finder, "apart", False) or not isinstance(finder, BatchDetector):
                return {}
            answers = finder.detect_many([shown for _, _, shown in some])
            for (number, seen, shown), spans in zip(some, answers, strict=True):
                looked[number][1].append((seen, shown, spans))
        return looked

    def _find(self, document: Document) -> tuple[tuple[Span, ...], str]:
        lang, looks = self.looked.get(id(document)) or self._look(document)
        found: list[Span] = []
        for seen, shown, spans in looks:
            if self.settings.patients:
                with step("known identifiers"):
                    spans = united(spans, _known(self.settings, lang).detect(shown))
            with step("map back"):
                found += seen.to_original(spans)
        return resolve(found), lang

    def _look(self, document: Document) -> Looks:
        lang, views = self._views(document)
        with step("detect"):
            finder = _detector_of(self.settings, lang)
            return lang, [(seen, shown, finder.detect(shown)) for seen, shown in views]

    def _views(self, document: Document) -> tuple[str, list[tuple[View, Document]]]:
        """The language of a note, and the note as detectors see it."""
        with step("language"):
            lang = self.language(document)
        with step("view"):
            ways = self._ways_to_look(document.text)
            views = [view(document.text, [_cleaner(name) for name in cleaners]) for cleaners in ways]
            return lang, [(seen, Document(document.id, seen.text, meta=document.meta)) for seen in views]

    def _ways_to_look(self, text: str) -> list[tuple[str, ...]]:
        """HTML is read twice, as it is shown and as it is written: links, comments and attributes hold addresses too."""
        cleaners = self.settings.cleaners
        without = tuple(name for name in cleaners if not name.startswith("html"))
        return [cleaners, without] if without != cleaners and is_html(text) else [cleaners]

    def _relabel(self, spans: Iterable[Span], lang: str) -> list[Span]:
        """Rename labels to the taxonomy asked for; a label without a counterpart becomes empty."""
        own = getattr(_detector_of(self.settings, lang), "taxonomy", "") or for_language(lang).name
        if self.settings.taxonomy in ("", own):
            return list(spans)
        renamed = mapping(own, self.settings.taxonomy)
        return [replace(span, label=renamed[span.label] or "") for span in spans]

    def mark(self, document: Document) -> Marked:
        """Detect, for concealment: what the asked-for taxonomy has no label for keeps its own label and is concealed too."""
        found, lang = self._find(document)
        with step("labels"):
            renamed = [new if new.label else old for old, new in zip(found, self._relabel(found, lang), strict=True)]
        return self._marked(document, renamed, lang)

    def carried(self, document: Document) -> Marked:
        """The spans that a document carries, for concealment without detection."""
        with step("language"):
            lang = self.language(document)
        entities = set(self.settings.entities)
        return self._marked(document, [span for span in document.spans if span.label not in entities], lang)

    def row(self, document: Document) -> Marked:
        """A row of a table: its cells are marked already, except for free text, which is looked through."""
        spans: list[Span] = []
        for span in document.spans:
            if span.label != CELL_TEXT:
                spans.append(span)
                continue
            cell = self.mark(Document(document.id, span.of(document.text), meta=document.meta)).document
            spans += [replace(found, start=found.start + span.start, end=found.end + span.start) for found in cell.spans]
        return self._marked(document, spans, self.language(document))

    def _marked(self, document: Document, spans: Iterable[Span], lang: str) -> Marked:
        entities = tuple(span for span in document.spans if span.label in self.settings.entities)
        with step("metadata"):
            meta = {**document.meta, "lang": lang, **self._patient(document)}
        return Marked(Document(document.id, document.text, tuple(spans), meta), lang, entities)

    def _patient(self, document: Document) -> dict[str, Any]:
        """Whose note it is and, from the patient file, born when: the shift of dates depends on it."""
        patient = document.patient(self.settings.patient_key)
        found: dict[str, Any] = {"patient": patient} if patient else {}
        entry = read_patients(Path(self.settings.patients)).get(patient) if self.settings.patients and patient else None
        return {**found, BIRTH: list(entry["birth"])} if entry and entry["birth"] else found

    def conceal(self, document: Document) -> Document:
        """Return the document with the spans it carries concealed; its spans then lie in its own text."""
        return self._alone(self.carried(document))

    def deidentify(self, document: Document) -> Document:
        """Detect and conceal one note by itself. Notes of one patient are better worked on together: see `Concealing`."""
        return self._alone(self.mark(document))

    def _alone(self, marked: Marked) -> Document:
        return Concealing.of(self.settings, [marked]).conceal(marked).document


# Plugins are built once per process and kept: constructing a detector may load a model.
@cache
def _cleaner(name: str) -> Cleaner:
    cleaner: Cleaner = load("cleaners", name)
    return cleaner


def _detector_of(settings: Settings, lang: str) -> Detector:
    return _detector(settings.detector, lang, settings.rules, settings.recall)


@cache
def _detector(name: str, lang: str, rules: tuple[str, ...], recall: str) -> Detector:
    return detector(name, lang, rules=tuple(map(Path, rules)), recall=recall)


@cache
def _known(settings: Settings, lang: str) -> KnownDetector:
    return known_detector(settings.patients, lang, settings.patient_key, required=settings.patients_required)


def check(settings: Settings, *, detection: bool = True) -> None:
    """Load everything the settings name, so that a missing piece is reported before the first note is read."""
    for cleaner in settings.cleaners:
        _cleaner(cleaner)
    check_concealment(settings)
    if settings.patients:
        read_patients(Path(settings.patients))
    if not detection:
        return
    # With `auto`, one language stands for all: the packs that ship are right, and loading four of them takes seconds.
    for lang in LANGUAGES[:1] if settings.lang == "auto" else (settings.lang,):
        _ = _detector_of(settings, lang).labels  # loads what it needs, a model or a rule pack
        if settings.patients:
            _known(settings, lang)
