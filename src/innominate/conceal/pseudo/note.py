"""One note: every span with what it becomes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from innominate.conceal.births import births_of
from innominate.conceal.dates.moved import MovedDates
from innominate.conceal.keys import Key
from innominate.conceal.kinds import kind_of
from innominate.conceal.persons import Mention
from innominate.conceal.pseudo.addresses import town_of_each
from innominate.conceal.pseudo.ages import generalised
from innominate.conceal.pseudo.contacts import Contacts
from innominate.conceal.pseudo.dates import days_of, moved
from innominate.conceal.pseudo.descriptions import DESCRIBED, Descriptions
from innominate.conceal.pseudo.forms import folded
from innominate.conceal.pseudo.guard import SHORTEST
from innominate.conceal.pseudo.ids import Ids, is_number
from innominate.conceal.pseudo.names import Names
from innominate.conceal.pseudo.organisations import Organisations
from innominate.conceal.pseudo.patient import Patient
from innominate.conceal.pseudo.phones import Phones
from innominate.conceal.pseudo.placed import PlacedText
from innominate.conceal.pseudo.places import Places
from innominate.conceal.pseudo.streets import Streets
from innominate.conceal.pseudo.written import is_country, stays
from innominate.conceal.scope import Scope, patient_of
from innominate.conceal.treated import KEEP
from innominate.core import Document, Span

PSEUDO, CLASS = "pseudo", "class"
PLACED = frozenset({"street", "number", "zip", "city", "region", "country", "place"})
Replacement = tuple[str | None, str]  # the new text, or None to keep the old one, and the strategy


class Choices(Protocol):
    """What the strategy was told."""

    @property
    def keep(self) -> tuple[str, ...]:
        """Kinds that stay."""

    @property
    def ages(self) -> str:
        """What ages over 89 become."""

    @property
    def consistency(self) -> str:
        """Who shares surrogates."""


@dataclass(slots=True)
class Note:
    """A note with everything that makes its surrogates: `look`, `move_dates`, and `replace` what is no date.

    It and its parts are made anew for every note, and are not frozen: that would take three times as long.
    """

    spans: tuple[Span, ...]  # of the document as it is
    document: Document  # as it is seen: with plain text in its spans
    patient: Patient
    choices: Choices
    names: Names
    places: Places
    streets: Streets
    organisations: Organisations
    contacts: Contacts
    phones: Phones
    ids: Ids
    descriptions: Descriptions
    days: int
    placed: PlacedText
    mentions: dict[int, Mention] = field(default_factory=dict)
    originals: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    towns: dict[int, str] = field(default_factory=dict)  # the town of the address that a span is part of
    found: list[Replacement] = field(default_factory=list)  # what each span becomes
    moved: MovedDates | None = None

    @classmethod
    def of(cls, document: Document, patient: Patient, key: Key, name: str, choices: Choices) -> Note:
        """Prepare a note."""
        shown = patient.documents[document.id]
        lang, guard = patient.people.lang, patient.guard
        scope = Scope(key, name, choices.consistency)
        owner = patient_of(document.meta)
        shifted = f"patient:{owner}" if owner and choices.consistency in ("patient", "markov") else name
        days = days_of(key, shifted, births_of(document.meta))
        names, places = Names(scope, patient.people, guard), Places(scope, lang, guard)
        streets = Streets(scope, lang, guard, names, places)
        organisations = Organisations(names, places, lang)
        return cls(
            document.spans,
            shown,
            patient,
            choices,
            names,
            places,
            streets,
            organisations,
            Contacts(names),
            Phones(scope, lang, guard),
            Ids(scope, guard, days),
            Descriptions(scope, lang, guard),
            days,
            PlacedText(places, streets, organisations, "country" in choices.keep),
            {span.start: mention for mention in patient.people.mentions[document.id] for span in mention.spans},
        )

    @property
    def lang(self) -> str:
        """The language of the note."""
        return self.patient.people.lang

    def look(self) -> None:
        """See what kind of thing every span is, and which address it belongs to."""
        text, spans = self.document.text, self.document.spans
        self.originals = [text[span.start : span.end] for span in spans]
        self.kinds = [self._kind(span.label, original) for span, original in zip(spans, self.originals, strict=True)]
        self.towns = town_of_each(self.document, self.kinds, self.places)
        self.found = [(None, KEEP)] * len(spans)

    def move_dates(self) -> None:
        """Replace the dates, which have to be seen together; `DatesChangedError` if they no longer add up."""
        places = [i for i, kind in enumerate(self.kinds) if kind == "date"]
        dates, self.moved = moved([self.originals[i] for i in places], self.lang, self.days)
        for i, date in zip(places, dates, strict=True):
            if not date.kept and "date" not in self.choices.keep:
                self._put(i, (date.text, PSEUDO) if date.text else (None, CLASS))

    def replace(self, i: int) -> None:
        """Replace a span that is no date."""
        original, kind = self.originals[i], self.kinds[i]
        if kind in self.choices.keep and stays(original, kind, self.lang):
            if kind == "age" and (higher := self._age(original)):
                self._put(i, higher)
        else:
            self._put(i, (self._surrogate(self.document.spans[i], original, kind, self.towns.get(i)), PSEUDO))

    def _put(self, i: int, made: Replacement) -> None:
        self.found[i] = self._checked(self.document.spans[i].label, self.originals[i], self.kinds[i], made)

    def _kind(self, label: str, original: str) -> str:
        """The kind of a span, by its label and its looks: a place that is a country is one."""
        kind = kind_of(label)
        if kind == "kin" and any(map(str.isdigit, original)) and stays(original, "age", self.lang):
            return "age"  # MEDDOCAN marks the ages of relatives with their words
        return "country" if kind in ("place", "city") and is_country(original, self.lang) else kind

    def _age(self, original: str) -> Replacement | None:
        higher = generalised(original, self.lang) if self.choices.ages != KEEP else None
        return (higher, "90+") if higher is not None else None

    def _surrogate(self, span: Span, original: str, kind: str, town: str | None) -> str | None:
        """The surrogate of a span, or None if there is no way to make one."""
        if kind in ("person", "first", "last"):
            mention = self.mentions.get(span.start)
            return self.names.replaced(mention, span, self.document.text) if mention else None
        if kind in PLACED:
            return self.placed.replaced(original, kind, town)
        if kind in DESCRIBED:
            return self.descriptions.replaced(original, kind)
        if kind == "id":
            return self.ids.replaced(original, span.label) if is_number(original) else self._other(original)
        make = _MAKE.get(kind)
        return make(self, original) if make else self._other(original)

    def _other(self, original: str) -> str | None:
        """Something without a kind of its own: by its looks, and None where they say nothing."""
        if "@" in original:
            return self.contacts.email(original)
        if "://" in original or original.lower().startswith("www."):
            return self.contacts.url(original)
        letters, digits = sum(map(str.isalpha, original)), sum(map(str.isdigit, original))
        if digits and (digits >= letters or (" " not in original.strip() and not original.isalpha())):
            return self.ids.replaced(original)
        known = self.patient.people.roles
        login = original.isalpha() and any(len(name) > 2 and name in folded(original) for name in known)
        return self.contacts.username(original) if login else None

    def _checked(self, label: str, original: str, kind: str, made: Replacement) -> Replacement:
        """A surrogate that is missing, is the original or holds one gives way to the class, and that to a mask."""
        text, was, guard = made[0], folded(original.strip()), self.patient.guard
        if text is not None and text.strip():
            form = folded(text)
            held = was in form if len(was) >= SHORTEST else was == form.strip()
            # a moved date may meet another date of the patient: one shift for all leaves no choice, and nobody learns from it
            if not held and (kind in ("date", "age") or guard.allows_form(form)):
                return made
        for stand_in, name in ((f"<{label}>", CLASS), ("XXXX", "mask"), ("####", "mask")):
            if guard.allows(stand_in) and (len(was) < SHORTEST or was not in folded(stand_in)):
                return stand_in, name
        return "****", "mask"


_MAKE: dict[str, Callable[[Note, str], str]] = {
    "organisation": lambda note, text: note.organisations.replaced(text),
    "unit": lambda note, text: note.organisations.replaced(text),
    "room": lambda note, text: note.organisations.replaced(text),
    "email": lambda note, text: note.contacts.email(text),
    "username": lambda note, text: note.contacts.username(text),
    "url": lambda note, text: note.contacts.url(text),
    "ip": lambda note, text: note.contacts.ip(text),
    "phone": lambda note, text: note.phones.replaced(text),
    "fax": lambda note, text: note.phones.replaced(text),
}
