"""The pseudo strategy: an identifier becomes a believable other one (Pseudo in Berg et al. 2020, section 3.1.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from innominate.conceal.keys import Key
from innominate.conceal.plan import ConcealmentPlan
from innominate.conceal.scope import MODES, Scope, scope_name
from innominate.conceal.strategies.patient import PatientNotes, gather_notes
from innominate.conceal.strategies.pseudo_note import NoteSurrogates
from innominate.core import Document, Edit, UsageError
from innominate.labels import kinds_that_stay


@dataclass(frozen=True, slots=True)
class Pseudo:
    """`Eva slept.` becomes `Mary slept.`, the same Mary in all notes of a patient.

    `keep` names the kinds that stay, each only where the text is what it says: a marked country that is none is replaced.

    >>> from innominate.core import annotated
    >>> from innominate.conceal import conceal
    >>> note = annotated("[Eva](PATIENT) slept.")
    >>> conceal(note, Pseudo(Key(bytes(32)), lang="en")).document.text
    'Abril slept.'
    """

    key: Key | None = None
    consistency: str = "patient"
    keep: tuple[str, ...] = field(default_factory=kinds_that_stay)
    ages: str = "90+"  # what ages over 89 become; "keep" leaves them
    lang: str = ""  # empty: as the document says
    require_patient: bool = False
    patient: PatientNotes | None = field(default=None, repr=False)  # what the other notes of the patient tell

    name = "pseudo"

    def __post_init__(self) -> None:
        if self.key is None:
            raise UsageError(
                "pseudonyms need a key: make one with `innominate keys new KEYFILE` and pass it with --key KEYFILE"
            )
        if self.consistency not in MODES:
            raise UsageError(f"consistency {self.consistency!r} is not known; choose one of: {', '.join(MODES)}")

    def prepare(self, documents: Iterable[Document]) -> Pseudo:
        """The same strategy, knowing all notes of one patient: misspellings and roles are settled among them, and no
        surrogate is an original of any. Without it each note is looked at alone."""
        return replace(self, patient=gather_notes(list(documents), self.lang, self.keep))

    def plan(self, document: Document) -> ConcealmentPlan:
        """Return what each span becomes."""
        assert self.key is not None
        name = scope_name(document, self.consistency, require_patient=self.require_patient)
        patient = self.patient
        if patient is None or not patient.knows(document):
            patient = gather_notes([document], self.lang, self.keep)
        scope = Scope(self.key, name, self.consistency)
        return NoteSurrogates.of(document, patient, scope, keep=self.keep, ages=self.ages).plan()

    def edits(self, document: Document) -> list[Edit]:
        """Return the edits alone; a span that is kept has none."""
        return list(self.plan(document).edits)
