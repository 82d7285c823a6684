"""What the notes of one patient tell together, gathered once: the people, and the originals that no surrogate may hold."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from innominate.conceal.kinds import kind_of
from innominate.conceal.persons import People
from innominate.conceal.pseudo.guard import Guard
from innominate.conceal.pseudo.seen import seen
from innominate.conceal.pseudo.written import stays
from innominate.core import Document


@dataclass(frozen=True, slots=True)
class Patient:
    """The notes of a patient as pseudonyms see them."""

    people: People = field(repr=False)
    guard: Guard = field(repr=False)
    documents: dict[str, Document] = field(repr=False)  # with plain text in their spans

    def knows(self, document: Document) -> bool:
        """Say whether this very note was gathered."""
        found = self.documents.get(document.id)
        return found is not None and len(found.spans) == len(document.spans)


def gather(documents: Sequence[Document], lang: str = "", keep: Collection[str] = ()) -> Patient:
    """Look at all notes of a patient; their spans must not overlap."""
    shown = [seen(document) for document in documents]
    people = People.of(shown, lang)
    originals: list[str] = []
    for document in shown:
        text = document.text
        for span in document.spans:
            kind, original = kind_of(span.label), text[span.start : span.end]
            if kind not in keep or not stays(original, kind, people.lang):
                originals.append(original)
        for mention in people.mentions[document.id]:
            originals += [token.text for token in mention.tokens if token.sort == "name"]
    return Patient(people, Guard.of(originals), {document.id: document for document in shown})
