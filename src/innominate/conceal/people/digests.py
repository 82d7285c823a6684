"""What the notes of a patient tell the patient's other notes, in little: everything that was marked, as a document.

A digest stands for the notes where they cannot be held together: for the roles of names, for what no surrogate may be, and
for what to find again. It grows with the number of different identifiers of a patient and not with the notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from innominate.conceal.people.kin import kin_before, kind_here
from innominate.conceal.people.name_words import title_gender
from innominate.conceal.plain_view import with_plain_spans
from innominate.conceal.scope import language_of
from innominate.core import Document, Span

_FORGOTTEN = frozenset({"date", "time", "age", "sex", "kin", "country"})  # these say nothing about other notes
_BEFORE = re.compile(r"([^\W\d_]{1,12})\.?[ \t\u00a0]{0,2}\Z")
_FIELD = "\x1f"
MOST = 500  # different identifiers of one patient
OFTEN = 5  # how often one is repeated: what stands often is no misspelling


def is_digest(document: Document) -> bool:
    """Say whether a document is a digest and no note."""
    return document.id.startswith("\0")


class Digests:
    """Digests of many patients, kept as strings.

    >>> from innominate.core import annotated
    >>> digests = Digests()
    >>> digests.add("7", annotated("Mme [Eva Holm](PATIENT) dort. Mme [Eva Holm](PATIENT), [94](AGE)"))
    >>> digests.of("7").text, digests.of("8")
    ('Mme Eva Holm\\nMme Eva Holm', None)
    """

    def __init__(self) -> None:
        self._entries: dict[str, dict[str, int]] = {}  # by patient: what was marked, and how often
        self._langs: dict[str, str] = {}

    def __contains__(self, patient: object) -> bool:
        return patient in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, patient: str, document: Document) -> None:
        """Remember what a note marks; its spans must not overlap."""
        known = self._entries.setdefault(patient, {})
        lang = language_of(document)
        self._langs.setdefault(patient, lang)
        for entry in _entries(with_plain_spans(document), lang):
            if entry in known or len(known) < MOST:
                known[entry] = known.get(entry, 0) + 1

    def of(self, patient: str) -> Document | None:
        """The digest of a patient, if there is one."""
        known = self._entries.get(patient)
        if not known:
            return None
        parts: list[str] = []
        spans: list[Span] = []
        position = 0
        for entry in (entry for entry, count in known.items() for _ in range(min(count, OFTEN))):
            label, before, original = entry.split(_FIELD, 2)
            start = position + len(before)
            spans.append(Span(start, start + len(original), label))
            parts.append(before + original)
            position += len(parts[-1]) + 1
        # no note has an id with a NUL, so this one is never taken for a note
        return Document(f"\0{patient}", "\n".join(parts), tuple(spans), {"patient": patient, "lang": self._langs[patient]})


def _entries(document: Document, lang: str) -> Iterator[str]:
    for span in document.spans:
        original = span.of(document.text)
        if kind_here(span.label, original, lang) in _FORGOTTEN or not original.strip():
            continue
        before = _BEFORE.search(document.text, max(0, span.start - 16), span.start)
        title = before[0] if before and title_gender(before[1], lang) else ""  # tells a gender
        title = title or kin_before(document.text, span.start, lang)  # and this one that a first name follows
        yield _FIELD.join((span.label, title, original))
