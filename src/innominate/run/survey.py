"""A look through the source before the run: whose notes do not stand side by side, and what these patients' notes tell.

A source that is sorted by patient needs nothing more. Of patients whose notes lie apart a digest is made in a second look, so
that memory grows with the number of such patients and not with the number of notes. What can be read only once, such as
standard input, is not looked through: there a patient's notes know of each other only where they stand side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from innominate.conceal.people.digests import Digests
from innominate.conceal.people.real_names import RealNames
from innominate.core import Document, Rejected, UsageError
from innominate.run.concealing import Done, together
from innominate.run.inputs import Source
from innominate.run.outcome import Task
from innominate.run.settings import Settings
from innominate.run.units import MOST_CHARACTERS, MOST_NOTES, Item, single
from innominate.run.workers import outcomes

_ADVICE = (
    "Name where the patient stands (--patient-key KEY, --patient-from REGEX for the path of a file, --option "
    "patient_column=NAME for a table), or leave --consistency out: notes without a patient are then consistent in themselves"
)


MANY = 50  # patients from which on it is worth starting several processes


def patient_finder(settings: Settings) -> Callable[[Document], str]:
    """How to tell whose note it is."""
    return lambda document: document.patient(settings.patient_key)


@dataclass(frozen=True, slots=True)
class Survey:
    """What a first look found."""

    notes: int = 0
    without_patient: int = 0
    apart: frozenset[str] = frozenset()  # patients whose notes do not stand side by side, or are too many to be held

    @classmethod
    def of(cls, items: Iterable[Item], settings: Settings) -> Survey:
        """Look through the items."""
        find, seen, apart = patient_finder(settings), set[int](), set[str]()
        notes = without = run = size = 0
        last = ""
        for item in items:
            patient = find(item) if isinstance(item, Document) else ""
            notes += 1
            without += isinstance(item, Document) and not patient
            if not patient:
                last = ""
                continue
            run, size = (run + 1, size) if patient == last else (1, 0)
            size += len(item.text) if isinstance(item, Document) else 0
            if (patient != last and hash(patient) in seen) or run > MOST_NOTES or size > MOST_CHARACTERS:
                apart.add(patient)
            seen.add(hash(patient))
            last = patient
        return cls(notes, without, frozenset(apart))


def survey_source(inputs: Source, settings: Settings) -> Survey | None:
    """Look through a source if it can be read twice and anything depends on whose notes they are."""
    if not together(settings) or settings.patient_key == "id" or not inputs.can_be_read_again():
        return None
    if inputs.have_no_metadata():
        if settings.consistency == "patient":
            raise UsageError(
                f"these files have no metadata that could name a patient, as --consistency patient asks. {_ADVICE}"
            )
        return None
    found = Survey.of(inputs.items(), settings)
    if settings.consistency == "patient" and found.without_patient:
        raise UsageError(
            f"{found.without_patient} of {found.notes} notes have no patient id in {settings.patient_key!r}, and "
            f"--consistency patient needs one. {_ADVICE}"
        )
    return found


def gather_names(inputs: Source, settings: Settings) -> RealNames | None:
    """What may be a full name in the notes of a run with pseudonyms, if its source can be read twice."""
    if not settings.key or not inputs.can_be_read_again():
        return None
    return RealNames.in_texts(item.text for item in inputs.items() if isinstance(item, Document))


def digest_patients(inputs: Source, survey: Survey | None, task: Task, workers: int) -> Digests:
    """Mark the notes of the patients that lie apart and keep what they tell; a note that fails is dealt with in the run."""
    found = Digests()
    if survey is None or not survey.apart:
        return found
    find = patient_finder(task.settings)

    def wanted() -> Iterable[Item]:
        return (i for i in inputs.items() if not isinstance(i, Rejected) and find(i) in survey.apart)

    crew = workers if len(survey.apart) >= MANY else 1
    for result in outcomes(((unit, 0) for unit in single(wanted())), task.marking(), crew):
        if isinstance(result, Done):
            found.add(str(result.document.meta["patient"]), result.document)
    return found
