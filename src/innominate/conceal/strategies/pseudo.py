"""The pseudo strategy: an identifier becomes a believable other one (Pseudo in Berg et al. 2020, section 3.1.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from innominate.conceal.dates.moving import births_in, births_of, move_dates, patient_shift
from innominate.conceal.dates.shift import MOVE
from innominate.conceal.guard import SHORTEST, Guard
from innominate.conceal.keys import Key
from innominate.conceal.numbers.ids import IdSurrogates, is_number
from innominate.conceal.numbers.phones import PhoneSurrogates
from innominate.conceal.people.ages import age_of, generalise_age
from innominate.conceal.people.contacts import ContactSurrogates
from innominate.conceal.people.kin import DescriptionSurrogates, kind_here, names_person
from innominate.conceal.people.mentions import KnownPeople
from innominate.conceal.people.names import NameSurrogates
from innominate.conceal.people.real_names import RealNames
from innominate.conceal.places.addresses import HospitalAddresses, MarkedPlaces, town_of_each, workplace_of_each
from innominate.conceal.places.organisations import OrganisationSurrogates
from innominate.conceal.places.places import PlaceSurrogates
from innominate.conceal.places.streets import StreetSurrogates
from innominate.conceal.plain_view import with_plain_spans
from innominate.conceal.plan import KEEP, ConcealmentPlan
from innominate.conceal.scope import MODES, Scope, scope_name
from innominate.conceal.strategies.operations import is_what_it_says
from innominate.core import Document, Edit, Span, UsageError
from innominate.detect.known.vocabulary import common
from innominate.labels import kind_of, kinds, kinds_that_stay
from innominate.text.accents import fold_word

PSEUDO, CLASS = "pseudo", "class"
_BETWEEN = re.compile(r"[^\d\n.;:()]{1,10}")  # what stands between the two days of a range
_SIGN = 6  # letters of what somebody signs with
_UNGUARDED = frozenset({"date", "age"})
Replacement = tuple[str | None, str]  # the new text, or None to keep the old one, and the strategy


@dataclass(frozen=True, slots=True)
class PatientNotes:
    """The notes of a patient as pseudonyms see them."""

    people: KnownPeople = field(repr=False)
    guard: Guard = field(repr=False)
    documents: dict[str, Document] = field(repr=False)  # with plain text in their spans
    forms: dict[str, list[str]] = field(repr=False)  # of each document: its originals, folded

    def knows(self, document: Document) -> bool:
        """Say whether this very note was gathered."""
        found = self.documents.get(document.id)
        return found is not None and len(found.spans) == len(document.spans)


def gather_notes(documents: Sequence[Document], lang: str = "", keep: Collection[str] = ()) -> PatientNotes:
    """Look at all notes of a patient; their spans must not overlap."""
    shown = [with_plain_spans(document) for document in documents]
    people = KnownPeople.of(shown, lang)
    kept = frozenset(keep)
    forms: dict[str, list[str]] = {}
    guarded: list[str] = []
    for document in shown:
        text = document.text
        forms[document.id] = own = []
        for span in document.spans:
            original = text[span.start : span.end]
            kind = kind_here(span.label, original, people.lang)
            form = fold_word(original.strip())
            own.append(form)
            if kind not in kept or not is_what_it_says(original, kind, people.lang):
                guarded.append(form)
        for mention in people.mentions[document.id]:
            guarded += [token.form for token in mention.tokens if token.sort == "name"]
    return PatientNotes(people, Guard.of_forms(guarded), {document.id: document for document in shown}, forms)


class NoteSurrogates:
    """A note with everything that makes its surrogates; `plan` says what each of its spans becomes.

    Its parts are made anew for every note, and are not frozen: that would take three times as long.
    """

    def __init__(self, document: Document, patient: PatientNotes, scope: Scope, strategy: Pseudo) -> None:
        self.spans = document.spans  # of the document as it is
        self.document = shown = patient.documents[document.id]  # as it is seen: with plain text in its spans
        self.patient, self.keep, self.ages = patient, strategy.keep, strategy.ages
        self.lang = lang = patient.people.lang
        guard, owner = patient.guard, document.patient()
        shifted = f"patient:{owner}" if owner and scope.mode in ("patient", "markov") else scope.name
        self.births = births_in(shown, lang) or births_of(document.meta)  # of the patient
        self.days = patient_shift(scope.key, shifted, strategy.weekdays)
        self.names, self.places = (
            NameSurrogates(scope, patient.people, guard, strategy.real),
            PlaceSurrogates(scope, lang, guard),
        )
        streets = StreetSurrogates(scope, self.names, self.places)
        self.organisations = OrganisationSurrogates(self.names, self.places, lang)
        hospitals = HospitalAddresses(scope, lang, guard)
        self.placed = MarkedPlaces(self.places, streets, self.organisations, hospitals, "country" in self.keep)
        self.contacts = ContactSurrogates(self.names)
        self.phones = PhoneSurrogates(scope, lang, guard)
        self.ids = IdSurrogates(scope, guard, self.days)
        self.descriptions = DescriptionSurrogates(scope, lang, guard)
        self.mentions = {span.start: mention for mention in patient.people.mentions[document.id] for span in mention.spans}
        self.originals = [shown.text[span.start : span.end] for span in shown.spans]
        self.forms = patient.forms[document.id]  # the originals, folded
        self.kinds = [self._kind(kind_of(span.label), text) for span, text in zip(shown.spans, self.originals, strict=True)]
        self.towns = town_of_each(shown, self.kinds, self.places)  # the town of the address that a span is part of
        self.workplaces = workplace_of_each(shown, self.kinds)  # the street of the institution whose address it is part of
        self.found: list[Replacement] = [(None, KEEP)] * len(shown.spans)  # what each span becomes

    def plan(self) -> ConcealmentPlan:
        """Replace dates first, because ages and holidays hang on them, then everything else, kind by kind."""
        self._move_dates()
        for i in sorted(range(len(self.kinds)), key=self.kinds.__getitem__):
            if self.kinds[i] != "date":
                self._replace(i)
        edits: list[Edit] = []
        strategies: list[tuple[Span, str]] = []
        for span, (text, strategy) in zip(self.spans, self.found, strict=True):
            strategies.append((span, strategy))
            if strategy != KEEP and text is not None:
                edits.append(Edit(span.start, span.end, text))
        return ConcealmentPlan(tuple(edits), tuple(strategies))

    def _move_dates(self) -> None:
        """Replace the dates, which have to be seen together; `DatesChangedError` if they no longer add up."""
        places = [i for i, kind in enumerate(self.kinds) if kind == "date"]
        births, ages = self.births, self._stated_ages() if self.births else frozenset()
        texts, followed = [self.originals[i] for i in places], self._followed(places)
        dates = move_dates(texts, self.lang, self.days, followed=followed, births=births, ages=ages)
        for i, moved in zip(places, dates, strict=True):
            if not moved.kept and "date" not in self.keep:
                self._put(i, (moved.text, PSEUDO) if moved.text else (None, CLASS))

    def _followed(self, places: Sequence[int]) -> list[int]:
        """Which of some spans have the next one right after them."""
        spans, text = self.document.spans, self.document.text
        pairs = enumerate(pairwise(spans[i] for i in places))
        return [n for n, (one, other) in pairs if _BETWEEN.fullmatch(text, one.end, other.start)]

    def _stated_ages(self) -> frozenset[int]:
        written = [text for text, kind in zip(self.originals, self.kinds, strict=True) if kind == "age"]
        return frozenset(age[0] for text in written if (age := age_of(text, self.lang)))

    def _replace(self, i: int) -> None:
        """Replace a span that is no date."""
        original, kind = self.originals[i], self.kinds[i]
        if kind in self.keep and is_what_it_says(original, kind, self.lang):
            if kind == "age" and (higher := self._age(original)):
                self._put(i, higher)
        else:
            make = _MAKE[kinds()[kind].surrogate]
            self._put(i, (make(self, i), PSEUDO))

    def _put(self, i: int, made: Replacement) -> None:
        self.found[i] = made if self._holds_nothing(i, made[0]) else self._stand_in(i)

    def _kind(self, kind: str, original: str) -> str:
        """The kind of a span whose looks may tell more than its label: a place that is a country is one."""
        if kind == "kin":  # MEDDOCAN marks the ages and the names of relatives with their words
            if names_person(original, self.lang):
                return "person"
            return "age" if any(map(str.isdigit, original)) and is_what_it_says(original, "age", self.lang) else kind
        return "country" if kind in ("place", "city") and self.places.is_country(original) else kind

    def _age(self, original: str) -> Replacement | None:
        higher = generalise_age(original, self.lang) if self.ages != KEEP else None
        return (higher, "90+") if higher is not None else None

    def _person(self, i: int) -> str | None:
        span = self.document.spans[i]
        mention = self.mentions.get(span.start)
        return self.names.surrogate_of(mention, span, self.document.text) if mention else None

    def _place(self, i: int) -> str:
        return self.placed.surrogate_of(self.originals[i], self.kinds[i], self.towns.get(i), self.workplaces.get(i, ""))

    def _description(self, i: int) -> str | None:
        return self.descriptions.surrogate_of(self.originals[i], self.kinds[i])

    def _id(self, i: int) -> str | None:
        original = self.originals[i]
        return self.ids.surrogate_of(original, self.document.spans[i].label) if is_number(original) else self._other(i)

    def _other(self, i: int) -> str | None:
        """Something without a kind of its own: by its looks, and None where they say nothing."""
        original = self.originals[i]
        if "@" in original:
            return self.contacts.email(original)
        if "://" in original or original.lower().startswith("www."):
            return self.contacts.url(original)
        letters, digits = sum(map(str.isalpha, original)), sum(map(str.isdigit, original))
        if digits and (digits >= letters or (" " not in original.strip() and not original.isalpha())):
            return self.ids.surrogate_of(original)
        signs = original.isalpha() and self._signs(fold_word(original), self.kinds[i])
        return self.contacts.username(original) if signs else None

    def _signs(self, form: str, kind: str) -> bool:
        """Whether somebody signs with a folded word: one that holds a name, or one of ids that is no word, such as `evsa`."""
        if any(len(name) > 2 and name in form for name in self.patient.people.roles):
            return True
        return kind == "id" and len(form) <= _SIGN and form not in common(self.lang)

    def _holds_nothing(self, i: int, text: str | None) -> bool:
        """Whether there is a surrogate, and it neither is the original nor holds one."""
        if text is None or not text.strip():
            return False
        form, was = fold_word(text), self.forms[i]
        if was in form if len(was) >= SHORTEST else was == form.strip():
            return False
        # a moved date may meet another date of the patient: one shift for all leaves no choice, and nobody learns from it
        return self.kinds[i] in _UNGUARDED or self.patient.guard.allows_form(form)

    def _stand_in(self, i: int) -> Replacement:
        """The class instead of a surrogate, or a mask where that holds an original."""
        label, was, guard = self.document.spans[i].label, self.forms[i], self.patient.guard
        for stand_in, name in ((f"<{label}>", CLASS), ("XXXX", "mask"), ("####", "mask")):
            if guard.allows(stand_in) and (len(was) < SHORTEST or was not in fold_word(stand_in)):
                return stand_in, name
        return "****", "mask"


# by the `surrogate` of a kind: that of a span of a note, or None if there is no way to make one
_MAKE: dict[str, Callable[[NoteSurrogates, int], str | None]] = {
    "": NoteSurrogates._other,
    "name": NoteSurrogates._person,
    "place": NoteSurrogates._place,
    "description": NoteSurrogates._description,
    "organisation": lambda note, i: note.organisations.surrogate_of(note.originals[i]),
    "phone": lambda note, i: note.phones.surrogate_of(note.originals[i]),
    "id": NoteSurrogates._id,
    "email": lambda note, i: note.contacts.email(note.originals[i]),
    "username": lambda note, i: note.contacts.username(note.originals[i]),
    "url": lambda note, i: note.contacts.url(note.originals[i]),
    "ip": lambda note, i: note.contacts.ip(note.originals[i]),
}


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
    weekdays: str = MOVE  # what the shift does to days of the week
    lang: str = ""  # empty: as the document says
    require_patient: bool = False
    real: tuple[RealNames, ...] = field(default=(), repr=False)  # full names that no surrogate may be
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
        return NoteSurrogates(document, patient, scope, self).plan()

    def edits(self, document: Document) -> list[Edit]:
        """Return the edits alone; a span that is kept has none."""
        return list(self.plan(document).edits)
