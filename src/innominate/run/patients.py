"""How many notes of a run name a patient, and how many of these the patient file knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from innominate.core import Document, Rejected
from innominate.detect.known.patients import read_patients
from innominate.run.settings import Settings


class PatientTally:
    """Counts notes by whether they name a patient, and whether the file has that patient, as they go by."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.counts = {"notes_with_entry": 0, "notes_without_entry": 0, "notes_without_patient": 0}

    @property
    def without_patient(self) -> int:
        """How many notes name no patient."""
        return self.counts["notes_without_patient"]

    def over(self, items: Iterable[Document | Rejected]) -> Iterator[Document | Rejected]:
        """Pass on the items and count the documents among them."""
        known = read_patients(Path(self.settings.patients)) if self.settings.patients else ()
        for item in items:
            if isinstance(item, Document):
                patient = item.patient(self.settings.patient_key)
                self.counts[_count(patient, patient in known)] += 1
            yield item


def _count(patient: str, known: bool) -> str:
    return "notes_with_entry" if known else "notes_without_entry" if patient else "notes_without_patient"
