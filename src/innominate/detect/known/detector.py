"""The detector of known identifiers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

from innominate.core import Document, ProcessingError, Span, UsageError
from innominate.detect.known.matcher import extents, matcher
from innominate.detect.known.patients import Patients, read_patients


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
        return frozenset(extents(self.lang).labels.values())

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
