"""The detector of known identifiers: everything known of one patient, found in the patient's notes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from pathlib import Path

from innominate.core import Document, Finder, ProcessingError, Span, UsageError, resolve
from innominate.detect.known.addresses import Addresses
from innominate.detect.known.names import Emails, Initials, KnownNames, names_of_patient
from innominate.detect.known.numbers import Births, KnownPhones, Numbers, readings
from innominate.detect.known.passage import Hit, Passage
from innominate.detect.known.patients import Patient, Patients, read_patients
from innominate.languages import load_language

SCORE = 0.99
KEPT = 2048  # matchers in memory; notes of one patient mostly come together
NUMBERS = ("insurance", "national", "stay", "number", "id")
_HYPHEN = re.compile("-?")
_WHOLE = re.compile(r",?[ \t\u00a0]{0,2}|-")
_STREET = re.compile(r"[\s,.]{1,3}(?:n[°ºo]?\.?\s?)?")


@dataclass(frozen=True, slots=True)
class Matcher:
    """Finds what is known of a patient.

    >>> patient = Patient("7", {"first": ("Marie-Laure",), "last": ("Christiansen",), "birth": ("1950-05-03",)})
    >>> text = "CHRISTIENSEN Marie-Laure, 3.5.50"
    >>> [(span.of(text), span.label) for span in Matcher.of(patient, "fr").spans(text)]
    [('CHRISTIENSEN', 'PATIENT_E'), ('Marie-Laure', 'PATIENT_E'), ('3.5.50', 'DATE')]
    """

    lang: str
    names: KnownNames
    initials: Initials
    births: Births
    phones: KnownPhones
    numbers: Numbers
    addresses: Addresses
    emails: Emails

    @classmethod
    def of(cls, patient: Patient, lang: str) -> Matcher:
        """Compile one patient."""
        initials = Initials.of(names_of_patient(patient), lang)
        names = KnownNames.of(patient, initials.together(), lang)
        births = (day for value in patient["birth"] for day in readings(value))
        numbers = [(kind, value) for kind in NUMBERS for value in patient[kind]]
        return cls(
            lang,
            names,
            initials,
            Births.of(births),
            KnownPhones.of(patient["phone"], lang),
            Numbers.of(numbers),
            Addresses.of(patient, lang),
            Emails.of(patient["email"], names.kinds, names.glue),
        )

    def spans(self, text: str) -> tuple[Span, ...]:
        """Find everything; spans do not overlap."""
        passage = Passage.of(text)
        labels = load_language(self.lang).known.labels
        hits = [
            *self._names(passage),
            *self.emails.hits(passage),
            *self.births.hits(passage),
            *self.phones.hits(passage),
            *self.numbers.hits(passage),
            *self._places(passage),
        ]
        return resolve(Span(hit.start, hit.end, labels[hit.kind], SCORE, Finder.KNOWN.source(hit.kind)) for hit in hits)

    def _names(self, passage: Passage) -> list[Hit]:
        """Names with their initials, joined as the language asks."""
        found = [self.initials.widened(hit, passage) for hit in self.names.hits(passage)]
        hits = sorted([*found, *self.initials.hits(passage)])
        if load_language(self.lang).name_extents == "whole":
            return _joined(hits, passage, _WHOLE, lambda left, right: True)
        return _joined(hits, passage, _HYPHEN, lambda left, right: left.kind == right.kind)

    def _places(self, passage: Passage) -> list[Hit]:
        hits = sorted(self.addresses.hits(passage))
        if not load_language(self.lang).known.house_joined:
            return hits
        return _joined(hits, passage, _STREET, lambda left, right: {left.kind, right.kind} == {"street", "house"})


def _joined(hits: Iterable[Hit], passage: Passage, gap: re.Pattern[str], fit: Callable[[Hit, Hit], bool]) -> list[Hit]:
    """Make one hit of neighbours that belong together."""
    joined: list[Hit] = []
    for hit in hits:
        last = joined[-1] if joined else None
        if last and (hit.start < last.end or (gap.fullmatch(passage.low, last.end, hit.start) and fit(last, hit))):
            joined[-1] = last._replace(end=max(last.end, hit.end))
        else:
            joined.append(hit)
    return joined


@lru_cache(maxsize=KEPT)
def matcher(patients: Patients, id: str, lang: str) -> Matcher | None:
    """The matcher of a patient, kept while it is in use; None if the file does not have the patient."""
    patient = patients.get(id)
    return Matcher.of(patient, lang) if patient else None


@dataclass(frozen=True, slots=True)
class KnownDetector:
    """Finds what a patient file says of the patient of a note. Other patients' data are not looked for.

    >>> patients = Patients(iter([("7", "last\\x1fChristiansen")]))
    >>> note = Document("n", "MmeChristiensen dort", meta={"patient": "7"})
    >>> [span.of(note.text) for span in KnownDetector(patients, "fr").detect(note)]
    ['Christiensen']
    """

    patients: Patients
    lang: str = "en"
    patient_key: str = "patient"  # where the meta data of a note says whose it is; "id" is the id of the note itself
    required: bool = False  # refuse a note whose patient is not in the file

    name = "known"

    @property
    def labels(self) -> frozenset[str]:
        """Labels this detector can give in its language."""
        return frozenset(load_language(self.lang).known.labels.values())

    def detect(self, document: Document) -> Sequence[Span]:
        """Find what is known of the patient; nothing if the file does not have the patient and need not."""
        own = matcher(self.patients, document.patient(self.patient_key), self.lang)
        if own is None and self.required:
            raise ProcessingError("known identifiers", UsageError("the patient of this note is not in the patient file"))
        return own.spans(document.text) if own else ()


def known_detector(path: str, lang: str, patient_key: str = "patient", *, required: bool = False) -> KnownDetector:
    """Read a patient file, once per process, and make its detector."""
    return KnownDetector(read_patients(Path(path)), lang, patient_key, required)


def unite_with_known(found: Iterable[Span], known: Sequence[Span]) -> list[Span]:
    """Put the spans of a detector and known ones together; of two with one label, a span inside the other is not needed.

    >>> unite_with_known([Span(0, 9, "NAME"), Span(4, 9, "CITY")], [Span(4, 9, "NAME")])
    [Span(start=0, end=9, label='NAME', score=1.0, source=''), Span(start=4, end=9, label='CITY', score=1.0, source='')]
    """
    found = list(found)
    ours = _outside(known, found)
    return _outside(found, ours) + ours


def _outside(spans: Iterable[Span], others: Iterable[Span]) -> list[Span]:
    """Leave out spans that lie inside another with their label; the others do not overlap one another."""
    by_label: dict[str, list[tuple[int, int]]] = {}
    for other in sorted(others):
        by_label.setdefault(other.label, []).append((other.start, other.end))
    return [span for span in spans if not _is_inside(span, by_label.get(span.label, []))]


def _is_inside(span: Span, ranges: Sequence[tuple[int, int]]) -> bool:
    at = bisect_right(ranges, span.start, key=itemgetter(0)) - 1
    return at >= 0 and ranges[at][1] >= span.end
