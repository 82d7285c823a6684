"""Everything known of one patient, made ready to be found in the patient's notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from innominate.core import Finder, Span, resolve
from innominate.detect.known.addresses import Addresses
from innominate.detect.known.births import Births, readings
from innominate.detect.known.emails import Emails
from innominate.detect.known.initials import Initials
from innominate.detect.known.names import KnownNames, names_of_patient
from innominate.detect.known.numbers import KnownPhones, Numbers
from innominate.detect.known.passage import Hit, Passage
from innominate.detect.known.patients import Patient, Patients
from innominate.languages import load_language

SCORE = 0.99
KEPT = 2048  # matchers in memory; notes of one patient mostly come together
NUMBERS = ("insurance", "national", "stay", "number", "id")
_HYPHEN = re.compile("-?")
_WHOLE = re.compile(r",?[ \t\u00a0]{0,2}|-")
_STREET = re.compile(r"[\s,.]{1,3}(?:n[°ºo]?\.?\s?)?")


@dataclass(frozen=True, slots=True)
class KnownLabels:
    """The labels of a language and how far its spans go."""

    labels: Mapping[str, str]
    names: str
    house_joined: bool


@cache
def extents(lang: str) -> KnownLabels:
    """The labels for known identifiers in a language.

    >>> extents("sv").labels["first"]
    'First_Name'
    """
    language = load_language(lang)
    return KnownLabels(language.known.labels, language.name_extents, language.known.house_joined)


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
        wanted = extents(self.lang)
        hits = [
            *self._names(passage, wanted),
            *self.emails.hits(passage),
            *self.births.hits(passage),
            *self.phones.hits(passage),
            *self.numbers.hits(passage),
            *self._places(passage, wanted),
        ]
        return resolve(Span(hit.start, hit.end, wanted.labels[hit.kind], SCORE, Finder.KNOWN.source(hit.kind)) for hit in hits)

    def _names(self, passage: Passage, wanted: KnownLabels) -> list[Hit]:
        """Names with their initials, joined as the language asks."""
        found = [self.initials.widened(hit, passage) for hit in self.names.hits(passage)]
        hits = sorted([*found, *self.initials.hits(passage)])
        if wanted.names == "whole":
            return _joined(hits, passage, _WHOLE, lambda left, right: True)
        return _joined(hits, passage, _HYPHEN, lambda left, right: left.kind == right.kind)

    def _places(self, passage: Passage, wanted: KnownLabels) -> list[Hit]:
        hits = sorted(self.addresses.hits(passage))
        if not wanted.house_joined:
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
