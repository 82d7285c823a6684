"""The road of one document: view, detect, map back, resolve, conceal, verify. Every step fails closed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from innominate.conceal.dates.moving import META as BIRTH
from innominate.core import Document, InnominateError, ProcessingError, Span, resolve, trim_blanks
from innominate.core.plugins import load
from innominate.core.protocols import ApartDetector, Cleaner, Detector
from innominate.detect.combine.projection import OWN, join_neighbours, project
from innominate.detect.known.detector import KnownDetector, known_detector, unite_with_known
from innominate.detect.known.patients import read_patients
from innominate.detect.models.named import detector, taxonomy_of
from innominate.labels import for_language, mapping
from innominate.languages import DEFAULT, language_codes
from innominate.run.concealing import Concealing, MarkedNote, check_concealment, step
from innominate.run.settings import Settings
from innominate.run.table import CELL_TEXT
from innominate.run.units import Looks
from innominate.text.html import is_html
from innominate.text.language import is_strange, recognise
from innominate.text.view import View, view


class UnknownLanguageError(InnominateError):
    """The rules of the language that was said are the wrong ones for the note."""

    def __init__(self, lang: str) -> None:
        super().__init__(
            f"the note does not look like the language it was to be read in ({lang}); give its own by --lang, "
            "or search it with every language: --unknown-language all"
        )


@dataclass(frozen=True)
class Pipeline:
    """Detects and conceals one document at a time, as the settings say."""

    settings: Settings

    def language(self, document: Document) -> str:
        """The language that was asked for, or that the document says it has, or that its text looks like."""
        if self.settings.lang != "auto":
            return self.settings.lang
        declared = str(document.meta.get("lang", ""))[:2].lower()
        return declared if declared in language_codes() else recognise(document.text)

    def detect(self, document: Document, looks: Looks | None = None) -> Document:
        """Return the document with the spans found in it, in place of any it carried, labelled in the taxonomy asked for.

        Here and below, `looks` is what `look_ahead` saw in it; without, it is looked at now.
        """
        found, lang = self.found_in(document, looks)
        spans = self._joined([shown for _, shown in found if shown.label], document.text, lang)
        return Document(document.id, document.text, tuple(spans), {**document.meta, "lang": lang})

    def found_in(self, document: Document, looks: Looks | None = None) -> tuple[list[tuple[Span, Span]], str]:
        """Each span as the detector labels it and in the taxonomy asked for, where it may have no label; and the language."""
        looks = looks or self._look(document)
        found = self._spans_of(looks, document.text)
        with step("labels"):
            return self._relabel(found, document.text, looks.lang), looks.lang

    def look_ahead(self, documents: Sequence[Document]) -> list[Looks | None]:
        """What there is to see and to find in each of many notes, which is quicker together than one by one.

        Only by a detector that says `apart`: what it finds in a note does not depend on those beside it.
        """
        seen = [self.views(document) for document in documents]
        sure = [not self._is_strange(lang, views) for lang, views in seen]  # a strange one is looked at in its turn
        found: list[Looks | None] = [None] * len(documents)
        for lang in {lang for lang, _ in seen}:
            finder = _detector_of(self.settings, lang)
            if not isinstance(finder, ApartDetector) or not finder.apart:
                continue
            mine = [(number, views) for number, (spoken, views) in enumerate(seen) if spoken == lang and sure[number]]
            answers = iter(finder.detect_many([shown for _, views in mine for _, shown in views]))
            for number, views in mine:
                found[number] = Looks(lang, [(view, shown, next(answers)) for view, shown in views])
        return found

    def _spans_of(self, looks: Looks, text: str) -> tuple[Span, ...]:
        """What was found in all views, and is known, at its places in the text."""
        found: list[Span] = []
        for seen, shown, spans in looks.views:
            if self.settings.patients:
                with step("known identifiers"):
                    spans = unite_with_known(spans, self._known_in(shown, looks.lang))
            with step("map back"):
                found += seen.to_original(spans)
        return trim_blanks(text, resolve(found))

    def _known_in(self, shown: Document, lang: str) -> list[Span]:
        """Known identifiers, in the labels of the detector they are put beside."""
        known, taxonomy = _known(self.settings, lang).detect(shown), for_language(lang).name
        if self.taxonomy(lang) != OWN:
            return list(known)
        return [replace(span, label=mapping(taxonomy, OWN)[span.label] or span.label) for span in known]

    def taxonomy(self, lang: str) -> str:
        """The taxonomy that the detector speaks."""
        return taxonomy_of(_detector_of(self.settings, lang), lang)

    def _look(self, document: Document) -> Looks:
        lang, views = self.views(document)
        find = self._find
        if self._is_strange(lang, views):
            if self.settings.unknown_language == "withhold":
                raise ProcessingError("language", UnknownLanguageError(lang))
            find = self._find_in_all
        with step("detect"):
            return Looks(lang, [(seen, shown, find(shown, lang)) for seen, shown in views])

    def _find(self, shown: Document, lang: str) -> Sequence[Span]:
        return _detector_of(self.settings, lang).detect(shown)

    def _find_in_all(self, shown: Document, lang: str) -> Sequence[Span]:
        """What the detectors of all languages find, in the labels of one; a label that has no counterpart stays."""
        found: list[Span] = []
        for code in language_codes():
            spans, own, wanted = self._find(shown, code), self.taxonomy(code), self.taxonomy(lang)
            if own != wanted:
                names = mapping(own, wanted)
                spans = [replace(span, label=names[span.label] or span.label) for span in spans]
            found += spans
        return resolve(found)

    def _is_strange(self, lang: str, views: Sequence[tuple[View, Document]]) -> bool:
        """Whether the note does not look like the language that it is said to be in, or that is the likeliest."""
        with step("language"):
            return is_strange(views[0][1].text, lang)

    def views(self, document: Document) -> tuple[str, list[tuple[View, Document]]]:
        """The language of a note, and the note as detectors see it."""
        with step("language"):
            lang = self.language(document)
        with step("view"):
            ways = self._ways_to_look(document.text)
            views = [view(document.text, cleaners) for cleaners in ways]
            return lang, [(seen, Document(document.id, seen.text, meta=document.meta)) for seen in views]

    def _ways_to_look(self, text: str) -> list[list[Cleaner]]:
        """HTML is read twice, as it is shown and as it is written: links, comments and attributes hold addresses too."""
        cleaners = [_cleaner(given) for given in self.settings.cleaners]
        without = [cleaner for cleaner in cleaners if not cleaner.name.startswith("html")]
        return [cleaners, without] if len(without) < len(cleaners) and is_html(text) else [cleaners]

    def _relabel(self, spans: Iterable[Span], text: str, lang: str) -> list[tuple[Span, Span]]:
        """Each span, or part of one, as it was found and in the taxonomy asked for; the label is empty if that has none."""
        own, asked = self.taxonomy(lang), self.settings.taxonomy
        if asked in ("", own):
            return [(span, span) for span in spans]
        if own == OWN:
            return [(span, part) for span in spans for part in project([span], text, asked)]
        names = mapping(own, asked)
        return [(span, replace(span, label=names[span.label] or "")) for span in spans]

    def _joined(self, spans: list[Span], text: str, lang: str) -> list[Span]:
        """Spans that the taxonomy asked for has as one."""
        asked = self.settings.taxonomy
        return join_neighbours(spans, text, asked) if asked and self.taxonomy(lang) == OWN else spans

    def mark(self, document: Document, looks: Looks | None = None) -> MarkedNote:
        """Detect, for concealment: what the asked-for taxonomy has no label for keeps its own label and is concealed too."""
        found, lang = self.found_in(document, looks)
        shown = [new if new.label else old for old, new in found]
        return self._marked(document, self._joined(shown, document.text, lang), lang)

    def carried(self, document: Document) -> MarkedNote:
        """The spans that a document carries, for concealment without detection."""
        with step("language"):
            lang = self.language(document)
        entities = set(self.settings.entities)
        return self._marked(document, [span for span in document.spans if span.label not in entities], lang)

    def row(self, document: Document) -> MarkedNote:
        """A row of a table: its cells are marked already, except for free text, which is looked through."""
        spans: list[Span] = []
        for span in document.spans:
            if span.label != CELL_TEXT:
                spans.append(span)
                continue
            cell = self.mark(Document(document.id, span.of(document.text), meta=document.meta)).document
            spans += [replace(found, start=found.start + span.start, end=found.end + span.start) for found in cell.spans]
        return self._marked(document, spans, self.language(document))

    def _marked(self, document: Document, spans: Iterable[Span], lang: str) -> MarkedNote:
        entities = tuple(span for span in document.spans if span.label in self.settings.entities)
        with step("metadata"):
            meta = {**document.meta, "lang": lang, **self._patient(document)}
        return MarkedNote(Document(document.id, document.text, tuple(spans), meta), lang, entities)

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

    def _alone(self, marked: MarkedNote) -> Document:
        return Concealing.of(self.settings, [marked]).conceal(marked).document


def _cleaner(given: str | Cleaner) -> Cleaner:
    return _cleaner_named(given) if isinstance(given, str) else given


# Plugins are built once per process and kept: constructing a detector may load a model.
@cache
def _cleaner_named(name: str) -> Cleaner:
    cleaner: Cleaner = load("cleaners", name)
    return cleaner


def _detector_of(settings: Settings, lang: str) -> Detector:
    if not isinstance(settings.detector, str):
        return settings.detector
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
    for lang in (DEFAULT if settings.lang == "auto" else settings.lang,):
        _ = _detector_of(settings, lang).labels  # loads what it needs, a model or a rule pack
        if settings.patients:
            _known(settings, lang)
