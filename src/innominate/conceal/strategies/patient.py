"""What the notes of one patient tell together, gathered once: the people, and the originals that no surrogate may hold."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from innominate.conceal.guard import Guard
from innominate.conceal.people.kin import kind_here
from innominate.conceal.people.mentions import KnownPeople
from innominate.conceal.plain_view import with_plain_spans
from innominate.conceal.strategies.kept import is_what_it_says
from innominate.core import Document
from innominate.text.accents import fold_word


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
